import type { Readable } from 'node:stream'

/** Stream source of a camera, with its password in clear text. */
export interface CameraSource {
  url: URL
  userName: string | null
  password: string | undefined
}

export interface StreamPart {
  contentType: string
  body: Uint8Array | Readable
}

/**
 * Adapter for one make of camera. Browsers play only HLS, so an adapter converts any protocol to an HLS stream: a playlist, and
 * the files that it names. Register a new adapter in the list of `feature.ts`.
 */
export interface CameraAdapter {
  /** Whether the adapter supports this address. */
  accepts(url: URL): boolean
  /**
   * Fetches the playlist, or a file that a playlist named.
   *
   * part     undefined for the first playlist, otherwise a value that this adapter passed to `nameOf`
   * nameOf   name by which a player requests a part; parts not passed to it cannot be requested
   * errors   CameraError if the camera's address is not allowed, it times out, or its response is not a stream
   */
  fetch(
    source: CameraSource,
    part: string | undefined,
    nameOf: (part: string) => string,
    signal: AbortSignal,
  ): Promise<StreamPart>
}
