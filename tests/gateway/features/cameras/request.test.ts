import { text } from 'node:stream/consumers'
import { beforeEach, expect, it } from 'vitest'
import { allowNetworks, type Lookup } from '../../../../gateway/lib/guarded-request.ts'
import { CameraError, createRequest } from '../../../../gateway/features/cameras/request.ts'
import { createHlsAdapter } from '../../../../gateway/features/cameras/hls.ts'
import { type CameraServer, sends, startCameraServer } from './camera-server.ts'

let camera: CameraServer
beforeEach(async () => {
  camera = await startCameraServer()
  camera.answer('/live.m3u8', sends('application/vnd.apple.mpegurl', '#EXTM3U\n1.ts\n'))
  camera.answer('/1.ts', sends('video/mp2t', 'picture'))
  return () => camera.close()
})

/** Name server that returns the next of these answers to each query, and the last one from then on. */
function namesInTurn(...answers: string[][]): { lookup: Lookup; asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    lookup: (host, _options, done) => {
      const found = answers[Math.min(asked.push(host), answers.length) - 1] ?? []
      done(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    },
  }
}

/** The test machine stands for any camera; other addresses are checked as usual. */
const isAllowed = allowNetworks('127.0.0.1')

const watchBy = (lookup: Lookup) => {
  const adapter = createHlsAdapter(createRequest(isAllowed, lookup))
  const url = new URL(`http://camera.example:${new URL(camera.url).port}/live.m3u8`)
  const { signal } = new AbortController()
  return (part?: string) =>
    adapter.fetch({ url, userName: null, password: undefined }, part, (name) => name, signal)
}

it('connects to the validated address, even if DNS later returns another one', async () => {
  const { lookup, asked } = namesInTurn(['127.0.0.1'], ['169.254.169.254'])
  const fetchPart = watchBy(lookup)
  const { body } = await fetchPart()
  expect(body).toEqual(Buffer.from('#EXTM3U\n/1.ts\n'))
  expect(asked).toEqual(['camera.example'])
  // The next part is checked again: connections are not reused.
  await expect(fetchPart('/1.ts')).rejects.toMatchObject({ fault: 'network' })
  expect(camera.asked.map(({ path }) => path)).toEqual(['/live.m3u8'])
})

it('connects only to the allowed ones of several addresses', async () => {
  const fetchPart = watchBy(namesInTurn(['127.0.0.2', '::1', '127.0.0.1'], ['127.0.0.2', '::1']).lookup)
  const { body } = await fetchPart('/1.ts')
  expect(await text(body as never)).toBe('picture')
  await expect(fetchPart('/1.ts')).rejects.toMatchObject({ fault: 'network' })
})

it('treats an unknown host name as an unreachable camera', async () => {
  const unknown: Lookup = (_host, _options, done) =>
    done(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), [])
  const failed = watchBy(unknown)()
  await expect(failed).rejects.toBeInstanceOf(CameraError)
  await expect(failed).rejects.toMatchObject({ fault: 'unreachable' })
})

it('waits no longer for DNS than for a camera', async () => {
  const late = new AbortController()
  const request = createRequest(isAllowed, () => late.abort())
  const adapter = createHlsAdapter(request)
  const source = { url: new URL('http://camera.example/'), userName: null, password: undefined }
  await expect(adapter.fetch(source, undefined, (name) => name, late.signal)).rejects.toMatchObject({
    fault: 'silent',
  })
})
