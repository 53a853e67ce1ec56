import type { Browser } from '@playwright/test'
import { sends, type CameraServer } from '../../gateway/features/cameras/camera-server.ts'

const PLAYLIST = 'application/vnd.apple.mpegurl'

/** Video recorded by the browser itself: fragmented MP4, as cameras send it. */
export async function recordFilm(browser: Browser, seconds: number): Promise<Buffer> {
  const page = await browser.newPage()
  const film = await page.evaluate(async (ms) => {
    const canvas = document.createElement('canvas')
    canvas.width = 320
    canvas.height = 180
    const context = canvas.getContext('2d')
    const draw = setInterval(() => {
      if (!context) return
      context.fillStyle = `hsl(${performance.now() / 10} 80% 50%)`
      context.fillRect(0, 0, 320, 180)
    }, 50)
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/mp4;codecs=avc1.42E01E' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => (recorder.onstop = resolve))
    recorder.start()
    setTimeout(() => recorder.stop(), ms)
    await stopped
    clearInterval(draw)
    return Array.from(new Uint8Array(await new Blob(parts).arrayBuffer()))
  }, seconds * 1_000)
  await page.close()
  return Buffer.from(film)
}

/** Makes a camera serve a film at /live.m3u8: its header and one segment (RFC 8216, fragmented MP4). */
export function streamFilm(camera: CameraServer, film: Buffer, seconds: number): void {
  const boxes: { type: string; bytes: Buffer }[] = []
  for (let at = 0; at < film.length;) {
    const size = film.readUInt32BE(at) || film.length - at
    boxes.push({ type: film.toString('latin1', at + 4, at + 8), bytes: film.subarray(at, at + size) })
    at += size
  }
  const of = (...types: string[]) =>
    Buffer.concat(boxes.filter(({ type }) => types.includes(type)).map(({ bytes }) => bytes))
  camera.answer('/head.mp4', sends('video/mp4', of('ftyp', 'moov')))
  camera.answer('/part.m4s', sends('video/mp4', of('moof', 'mdat')))
  camera.answer(
    '/live.m3u8',
    sends(
      PLAYLIST,
      [
        '#EXTM3U',
        '#EXT-X-VERSION:7',
        `#EXT-X-TARGETDURATION:${Math.ceil(seconds)}`,
        '#EXT-X-MAP:URI="head.mp4"',
        `#EXTINF:${seconds},`,
        'part.m4s',
        '#EXT-X-ENDLIST',
        '',
      ].join('\n'),
    ),
  )
}
