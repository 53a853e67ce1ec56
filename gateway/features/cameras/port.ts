import type { Readable } from 'node:stream'

/** Where a camera streams and what it wants to know, its password in the clear. */
export interface CameraSource {
  url: URL
  userName: string | null
  password: string | undefined
}

/** One file of a live stream. */
export interface StreamPart {
  contentType: string
  body: Uint8Array | Readable
}

/**
 * How the gateway reaches one make of camera. A browser can play HLS alone, so whatever the camera speaks, an adapter
 * answers as an HLS stream: a playlist, and the files that the playlist names. A new make is a new adapter in
 * `feature.ts`'s list; nothing else changes.
 */
export interface CameraAdapter {
  /** Whether it knows this address. */
  accepts(url: URL): boolean
  /**
   * Fetches the playlist, or a file that a playlist named.
   *
   * part     undefined for the first playlist, else what this adapter gave to `nameOf`
   * nameOf   the name by which a player asks for a part; nobody can ask for what was not given to it
   * errors   CameraError when the camera may not be asked, or does not answer in time or with what a stream is
   */
  fetch(
    source: CameraSource,
    part: string | undefined,
    nameOf: (part: string) => string,
    signal: AbortSignal,
  ): Promise<StreamPart>
}
