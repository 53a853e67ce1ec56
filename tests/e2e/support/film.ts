import { writeFile } from 'node:fs/promises'
import type { Browser, Page, TestInfo } from '@playwright/test'

/** Size of films of desktop pages. */
const SIZE = { width: 1152, height: 720 }

/**
 * Films a test with FILM=1, and does nothing otherwise: filming uses as much CPU time as the test.
 *
 * size     of the film; same aspect ratio as the page
 * returns  ends the film and stores it with the test's result, as `name`.webm
 */
export async function film(
  browser: Browser,
  page: Page,
  {
    info,
    name,
    size,
  }: { info: TestInfo; name: string; size?: { width: number; height: number } | undefined },
): Promise<() => Promise<void>> {
  if (process.env['FILM'] !== '1') return async () => {}
  const end = await startFilm(browser, page, size ?? SIZE)
  return async () => {
    const path = info.outputPath(`${name}.webm`)
    await end(path)
    await info.attach(name, { path, contentType: 'video/webm' })
  }
}

/** Films a page while it is used. The browser itself encodes, so that no other program needs to be installed. */
async function startFilm(
  browser: Browser,
  page: Page,
  size: { width: number; height: number },
): Promise<(path: string) => Promise<void>> {
  const studio = await (await browser.newContext()).newPage()
  const camera = await page.context().newCDPSession(page)
  await studio.evaluate(({ width, height }) => {
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    const brush = canvas.getContext('2d')
    const stream = canvas.captureStream(0)
    const recorder = new MediaRecorder(stream, { mimeType: 'video/webm', videoBitsPerSecond: 1_500_000 })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.start()
    Object.assign(globalThis, {
      async show(jpeg: string) {
        const picture = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${jpeg}`)).blob())
        brush?.drawImage(picture, 0, 0, width, height)
        ;(stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack).requestFrame()
      },
      async finish() {
        const stopped = new Promise((resolve) => (recorder.onstop = resolve))
        recorder.stop()
        await stopped
        const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
        return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''))
      },
    })
  }, size)

  type Studio = { show(jpeg: string): Promise<void>; finish(): Promise<string> }
  let lastFrame = Promise.resolve()
  camera.on('Page.screencastFrame', ({ data, sessionId }) => {
    void camera.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
    lastFrame = lastFrame
      .then(() => studio.evaluate((jpeg) => (globalThis as unknown as Studio).show(jpeg), data))
      // A frame after the end is ignored.
      .catch(() => {})
  })
  await camera.send('Page.startScreencast', {
    format: 'jpeg',
    quality: 70,
    maxWidth: size.width,
    maxHeight: size.height,
  })
  return async (path) => {
    await camera.send('Page.stopScreencast')
    await lastFrame
    const webm = await studio.evaluate(() => (globalThis as unknown as Studio).finish())
    await writeFile(path, Buffer.from(webm, 'base64'))
    await studio.context().close()
  }
}
