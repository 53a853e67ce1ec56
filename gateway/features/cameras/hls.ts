import type { IncomingMessage } from 'node:http'
import { CameraError, reasonForRefusal, reasonForTimeout } from './fault.ts'
import type { CameraAdapter, CameraSource, StreamPart } from './port.ts'
import { isPlaylist, renameParts } from './playlist.ts'
import type { CameraRequest } from './request.ts'

/** Maximum size of a playlist, bytes. */
const MAX_PLAYLIST = 1_048_576
/** Content type of a playlist (RFC 8216, 4). */
const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'

/**
 * Adapter for cameras and video servers with HLS over http or https, optionally with basic authentication. A part is its path at the
 * camera; other hosts and redirects are not followed, so that nobody can make the gateway send requests to other servers.
 *
 * request  decides which addresses are allowed
 */
export const createHlsAdapter = (request: CameraRequest): CameraAdapter => ({
  accepts: ({ protocol }) => protocol === 'http:' || protocol === 'https:',

  async fetch(source, part, nameOf, signal) {
    // Not resolved against the camera's address: a path that begins with // would name another host.
    const url = part === undefined ? source.url : new URL(source.url.origin + part)
    const response = await sendRequest(request, url, source, signal)
    const contentType = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (part !== undefined && !contentType.includes('mpegurl') && !/\.m3u8$/i.test(url.pathname))
      return partOf(response, contentType)
    const text = await readPlaylist(response, signal)
    const playlist = renameParts(text, (address) => nameOf(pathOf(address, url)))
    return { contentType: PLAYLIST_TYPE, body: Buffer.from(playlist) }
  },
})

/** Path at the camera of an address in the playlist at `base`. */
function pathOf(address: string, base: URL): string {
  const url = URL.parse(address, base.href)
  if (url?.origin !== base.origin) throw new CameraError('elsewhere', 'The stream leads to another host')
  return url.pathname + url.search
}

async function sendRequest(
  request: CameraRequest,
  url: URL,
  { userName, password }: CameraSource,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const authorization =
    userName === null ? undefined : `Basic ${Buffer.from(`${userName}:${password ?? ''}`).toString('base64')}`
  const headers = authorization === undefined ? {} : { authorization }
  const response = await request(url, { headers, signal }).catch((error: unknown) => {
    throw reasonForTimeout(error, signal)
  })
  const { statusCode = 0 } = response
  if (statusCode >= 200 && statusCode < 300) return response
  response.destroy()
  throw reasonForRefusal(statusCode)
}

async function readPlaylist(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > MAX_PLAYLIST) throw new CameraError('noStream', 'The playlist is too long')
      chunks.push(chunk)
    }
  } catch (error) {
    throw reasonForTimeout(error, signal)
  }
  const text = Buffer.concat(chunks).toString()
  if (!isPlaylist(text)) throw new CameraError('noStream', 'The address is no HLS stream')
  return text
}

/** Allowed content types of parts besides video and audio: generic binary, fragments, and subtitles. */
const MEDIA =
  /^(?:(?:video|audio)\/[\w.+-]+|(?:application|binary)\/octet-stream|application\/(?:mp4|mp2t)|text\/vtt)$/

/**
 * Segment, key or other file that a playlist names, passed through. Media only, so that a camera's configuration cannot expose the
 * pages of another server.
 */
function partOf(response: IncomingMessage, type: string): StreamPart {
  if (type !== '' && !MEDIA.test(type)) {
    response.destroy()
    throw new CameraError('noStream', 'A part of the stream is no media')
  }
  return { contentType: /^(?:video|audio)\//.test(type) ? type : 'application/octet-stream', body: response }
}
