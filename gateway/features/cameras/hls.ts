import type { IncomingMessage } from 'node:http'
import { CameraError, reasonForRefusal, reasonForTimeout } from './fault.ts'
import type { CameraAdapter, CameraSource, StreamPart } from './port.ts'
import { isPlaylist, renameParts } from './playlist.ts'
import type { CameraRequest } from './request.ts'

/** Longest playlist that is taken, in bytes. */
const MAX_PLAYLIST = 1_048_576
/** What a playlist calls itself (RFC 8216, 4). */
const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'

/**
 * Cameras and video servers that speak HLS themselves, over http or https, with basic authentication if need be. A part is
 * its path at the camera; other hosts and redirects are not followed, so that nobody can make the gateway ask
 * what the person who set the camera up did not mean.
 *
 * request  decides which addresses are asked at all
 */
export const createHlsAdapter = (request: CameraRequest): CameraAdapter => ({
  accepts: ({ protocol }) => protocol === 'http:' || protocol === 'https:',

  async fetch(source, part, nameOf, signal) {
    // Never resolved against the camera's address: a path that begins with // would name another host.
    const url = part === undefined ? source.url : new URL(source.url.origin + part)
    const answer = await ask(request, url, source, signal)
    const contentType = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (part !== undefined && !contentType.includes('mpegurl') && !/\.m3u8$/i.test(url.pathname))
      return partOf(answer, contentType)
    const text = await readPlaylist(answer, signal)
    const playlist = renameParts(text, (address) => nameOf(pathOf(address, url)))
    return { contentType: PLAYLIST_TYPE, body: Buffer.from(playlist) }
  },
})

/** What an address of the playlist at `base` is at the camera. */
function pathOf(address: string, base: URL): string {
  const url = URL.parse(address, base.href)
  if (url?.origin !== base.origin) throw new CameraError('elsewhere', 'The stream leads to another host')
  return url.pathname + url.search
}

async function ask(
  request: CameraRequest,
  url: URL,
  { userName, password }: CameraSource,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const authorization =
    userName === null ? undefined : `Basic ${Buffer.from(`${userName}:${password ?? ''}`).toString('base64')}`
  const headers = authorization === undefined ? {} : { authorization }
  const answer = await request(url, { headers, signal }).catch((error: unknown) => {
    throw reasonForTimeout(error, signal)
  })
  const { statusCode = 0 } = answer
  if (statusCode >= 200 && statusCode < 300) return answer
  answer.destroy()
  throw reasonForRefusal(statusCode)
}

async function readPlaylist(answer: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
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

/** What a part may call itself besides video and audio: files of no further type, fragments, and subtitles. */
const MEDIA =
  /^(?:(?:video|audio)\/[\w.+-]+|(?:application|binary)\/octet-stream|application\/(?:mp4|mp2t)|text\/vtt)$/

/**
 * A segment, a key or what else a playlist names, as it comes. Media only: whoever sets a camera up could name the pages of
 * any server as its parts.
 */
function partOf(answer: IncomingMessage, type: string): StreamPart {
  if (type !== '' && !MEDIA.test(type)) {
    answer.destroy()
    throw new CameraError('noStream', 'A part of the stream is no media')
  }
  return { contentType: /^(?:video|audio)\//.test(type) ? type : 'application/octet-stream', body: answer }
}
