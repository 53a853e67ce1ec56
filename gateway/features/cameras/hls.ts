import type { IncomingMessage } from 'node:http'
import { CameraError, reasonForRefusal, reasonForTimeout, type CameraRequest } from './request.ts'
import type { CameraAdapter, CameraSource, StreamPart } from './port.ts'

/** Attributes of a playlist's tags that contain an address (RFC 8216, 4.3). */
const ADDRESS = /(URI=")([^"]*)(")/g

/**
 * Replaces every address of an HLS playlist, on its own line or in a tag (RFC 8216).
 *
 * rename  maps an address as written in the playlist to the new one
 */
const renameParts = (playlist: string, rename: (address: string) => string): string =>
  playlist
    .split(/\r?\n/)
    .map((line) => {
      if (line.startsWith('#'))
        return line.replace(ADDRESS, (_, before: string, address: string, after: string) =>
          [before, rename(address), after].join(''),
        )
      return line.trim() === '' ? line : rename(line.trim())
    })
    .join('\n')

/** Video codecs that not all browsers play: H.265, Dolby Vision, MPEG-4 part 2 and motion JPEG (RFC 6381 names). */
const UNPLAYABLE = /(?:^|,)\s*(?:hvc1|hev1|dvh1|dvhe|mp4v|mjpg|jpeg)\b/i

/** Address of a playlist's first variant, and whether none of its variants is playable (RFC 8216, 4.3.4.2). */
export function variantsOf(playlist: string): { first: string | undefined; unplayable: boolean } {
  const lines = playlist.split(/\r?\n/)
  const variants = lines.flatMap((line, i) => (line.startsWith('#EXT-X-STREAM-INF:') ? [{ line, i }] : []))
  return {
    first:
      variants[0] &&
      lines.slice(variants[0].i + 1).find((line) => line.trim() !== '' && !line.startsWith('#')),
    unplayable:
      variants.length > 0 &&
      variants.every(({ line }) => UNPLAYABLE.test(/CODECS="([^"]*)"/.exec(line)?.[1] ?? '')),
  }
}

const isPlaylist = (text: string): boolean => text.trimStart().startsWith('#EXTM3U')

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
