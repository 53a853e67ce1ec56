import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'
import { type CameraServer, sends, startCameraServer } from './camera-server.ts'

/** A gateway without configured networks, and one that allows only this machine's IPv4 address. */
let closed: { world: World; root: Caller; HomeID: string }
let open: typeof closed
let camera: CameraServer

const PLAYLIST = 'application/vnd.apple.mpegurl'

const start = async (cameraNetworks?: string) => {
  const world = await startWorld({ config: { cameraNetworks } })
  const root = await world.signUp()
  const home = await root.post('/CreateHome', { HomeName: 'Factory', TimeZone: 'Asia/Taipei' })
  return { world, root, HomeID: home.results.HomeID as string }
}
beforeAll(async () => {
  closed = await start()
  open = await start('127.0.0.1')
})
afterAll(async () => {
  await closed.world.close()
  await open.world.close()
})
beforeEach(async () => {
  camera = await startCameraServer()
  camera.answer('/live.m3u8', sends(PLAYLIST, '#EXTM3U\n#EXTINF:2,\n1.ts\n'))
  return () => camera.close()
})

/** Reason why a camera at this address cannot be watched, and the browser's response. */
async function watch({ world, root, HomeID }: typeof closed, StreamUrl: string) {
  const added = await root.post('/CasaAddPeripheralAdvanceInfo', {
    HomeID,
    PeripheralName: 'Gate',
    StreamUrl,
  })
  const { PeripheralUID } = added.results
  const { Fault } = (await root.post('/CasaGetStreamFault', { HomeID, PeripheralUID })).results
  const streams = await root.post('/CasaIpCamLiveStream', { CasaPeripheralUIDList: [PeripheralUID] })
  const answer = await world.gateway.http.inject({ method: 'GET', url: streams.results[0].Url })
  const error: unknown = answer.statusCode === 200 ? undefined : answer.json().status.error
  return { Fault, http: answer.statusCode, error }
}
const portOf = (server: CameraServer) => new URL(server.url).port

it.each([
  ['by its address', () => `http://127.0.0.1:${portOf(camera)}/live.m3u8`],
  ['by its name', () => `http://localhost:${portOf(camera)}/live.m3u8`],
  ['by a number', () => `http://2130706433:${portOf(camera)}/live.m3u8`],
  ['by its IPv6 address', () => `http://[::1]:${portOf(camera)}/live.m3u8`],
  ['by IPv4 in IPv6', () => `http://[::ffff:127.0.0.1]:${portOf(camera)}/live.m3u8`],
  ['as no address', () => `http://0.0.0.0:${portOf(camera)}/live.m3u8`],
])('does not connect to the gateway’s own machine %s', async (_how, address) => {
  const refused = await watch(closed, address())
  expect(refused).toMatchObject({ Fault: 'network', http: ERRORS.DEVICE_UNREACHABLE.http })
  expect(refused.error).toContain('CAMERA_NETWORKS')
  expect(camera.asked).toEqual([])
})

it('gives the same answer for an open port, a closed one and one of another protocol', async () => {
  const gone = await startCameraServer()
  await gone.close()
  const answers = []
  for (const port of [portOf(camera), portOf(gone), '22'])
    answers.push(await watch(closed, `http://127.0.0.1:${port}/live.m3u8`))
  expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1)
  expect(answers[0]?.Fault).toBe('network')
})

it('connects to networks that the operator allows, and then reports if it is reachable', async () => {
  expect(await watch(open, `${camera.url}/live.m3u8`)).toMatchObject({ Fault: null, http: 200 })
  expect((await watch(open, `http://localhost:${portOf(camera)}/live.m3u8`)).Fault).toBeNull()
  const gone = await startCameraServer()
  await gone.close()
  expect((await watch(open, `${gone.url}/live.m3u8`)).Fault).toBe('unreachable')
  // A single allowed address opens no other address of this machine.
  expect((await watch(open, `http://127.0.0.2:${portOf(camera)}/live.m3u8`)).Fault).toBe('network')
})

it('sends nothing to a server of another protocol, in any network', async () => {
  expect((await watch(open, 'http://127.0.0.1:25/live.m3u8')).Fault).toBe('unreachable')
})

it('follows no redirect or playlist to another server of the same machine', async () => {
  const inside = await startCameraServer()
  inside.answer('/secret.ts', sends('video/mp2t', 'secret'))
  camera.answer('/away.m3u8', (_, response) =>
    response.writeHead(302, { location: `${inside.url}/secret.ts` }).end(),
  )
  const named = [
    `${inside.url}/secret.ts`,
    `#EXT-X-KEY:METHOD=AES-128,URI="${inside.url}/secret.ts"`,
    `#EXT-X-MAP:URI="//${new URL(inside.url).host}/secret.ts"`,
    `#EXT-X-STREAM-INF:BANDWIDTH=1\n${inside.url}/secret.ts`,
  ]
  named.forEach((lines, i) => camera.answer(`/${i}.m3u8`, sends(PLAYLIST, `#EXTM3U\n${lines}\n`)))
  for (const path of ['away', 0, 1, 2, 3])
    expect((await watch(open, `${camera.url}/${path}.m3u8`)).Fault).toBe('elsewhere')
  expect(inside.asked).toEqual([])
  await inside.close()
})
