import { CameraError, whyRefused, whyUnanswered } from './fault.ts'
import type { CameraAdapter, CameraSource, StreamPart } from './port.ts'
import { isPlaylist, renameParts } from './playlist.ts'

/** Longest playlist that is taken, in bytes. */
const MAX_PLAYLIST = 1_048_576
/** What a playlist calls itself (RFC 8216, 4). */
const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'

/**
 * Cameras and video servers that speak HLS themselves, over http or https, with basic authentication if need be. A part is
 * its path at the camera; other hosts and redirects are not followed, so that nobody can make the gateway ask
 * what the person who set the camera up did not mean.
 */
export const hlsAdapter: CameraAdapter = {
  accepts: ({ protocol }) => protocol === 'http:' || protocol === 'https:',

  async fetch(source, part, nameOf, signal) {
    // Never resolved against the camera's address: a path that begins with // would name another host.
    const url = part === undefined ? source.url : new URL(source.url.origin + part)
    const answer = await ask(url, source, signal)
    const contentType = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (part !== undefined && !contentType.includes('mpegurl') && !/\.m3u8$/i.test(url.pathname))
      return { contentType: mediaType(contentType), body: answer.body ?? new Uint8Array() }
    const text = await readPlaylist(answer, signal)
    const playlist = renameParts(text, (address) => nameOf(pathOf(address, url)))
    return { contentType: PLAYLIST_TYPE, body: Buffer.from(playlist) }
  },
}

/** What an address of the playlist at `base` is at the camera. */
function pathOf(address: string, base: URL): string {
  const url = URL.parse(address, base.href)
  if (url?.origin !== base.origin) throw new CameraError('elsewhere', 'The stream leads to another host')
  return url.pathname + url.search
}

async function ask(url: URL, { userName, password }: CameraSource, signal: AbortSignal): Promise<Response> {
  const authorization =
    userName === null ? undefined : `Basic ${Buffer.from(`${userName}:${password ?? ''}`).toString('base64')}`
  const answer = await fetch(url, {
    signal,
    redirect: 'manual',
    headers: authorization === undefined ? {} : { authorization },
  }).catch((error: unknown) => {
    throw whyUnanswered(error, signal)
  })
  if (answer.ok) return answer
  await answer.body?.cancel()
  throw whyRefused(answer.status)
}

async function readPlaylist(answer: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength
      if (size > MAX_PLAYLIST) throw new CameraError('noStream', 'The playlist is too long')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof CameraError ? error : whyUnanswered(error, signal)
  }
  const text = Buffer.concat(chunks).toString()
  if (!isPlaylist(text)) throw new CameraError('noStream', 'The address is no HLS stream')
  return text
}

/** What a part may call itself: media only, so that no page of the camera's ever runs under our address. */
const mediaType = (type: string): StreamPart['contentType'] =>
  /^(video|audio)\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream'
