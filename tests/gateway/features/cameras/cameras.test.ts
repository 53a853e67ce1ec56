import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { hasOpenssl, makeCertificates } from '../../../support/certificates.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'
import { type CameraServer, sends, startCameraServer } from './camera-server.ts'

let world: World
let root: Caller
let HomeID: string
let camera: CameraServer
/** Address of the gateway's socket. */
let address: string

const PLAYLIST = 'application/vnd.apple.mpegurl'

beforeAll(async () => {
  world = await startWorld({ config: { cameraNetworks: 'loopback' } })
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'Factory', TimeZone: 'Asia/Taipei' })).results.HomeID
  address = await world.gateway.listen(0, '127.0.0.1')
})
afterAll(() => world.close())
beforeEach(async () => {
  camera = await startCameraServer()
  return () => camera.close()
})

/** Adds a camera that streams from the server; returns its record. */
const add = async (source: object = {}, caller = root) =>
  caller.post('/CasaAddPeripheralAdvanceInfo', {
    HomeID,
    PeripheralName: 'Gate',
    StreamUrl: `${camera.url}/live/index.m3u8?channel=1`,
    ...source,
  })

/** Response to a browser that watches the camera. */
const watch = async (uid: string, caller = root) => {
  const { results } = await caller.post('/CasaIpCamLiveStream', { CasaPeripheralUIDList: [uid] })
  return get(results[0].Url)
}
const get = async (url: string) => {
  const answer = await world.gateway.http.inject({ method: 'GET', url })
  return {
    http: answer.statusCode,
    type: answer.headers['content-type'],
    text: answer.payload,
    bytes: answer.rawPayload,
  }
}
/** Addresses of a playlist, as the player resolves them. */
const parts = (playlist: string, base: string) =>
  [...playlist.matchAll(/^(?!#)(.+)$/gm)].map(
    ([, part]) => new URL(part as string, `http://x${base}`).pathname,
  )

it('lists a new camera among the devices, without a hub', async () => {
  const { results } = await add()
  expect(results).toMatchObject({ PeripheralType: '752', PeripheralName: 'Gate', ThingName: null, RoomID: 0 })
  const all = (await root.post('/GetAllDeviceWithPeripheral', { HomeID })).results.Peripherals
  expect(all.map((each: { PeripheralUID: string }) => each.PeripheralUID)).toContain(results.PeripheralUID)
  expect(
    (await root.post('/GetPeripheralById', { HomeID, PeripheralUID: results.PeripheralUID })).results,
  ).toMatchObject({ Status: null })
})

it('publishes a changed stream address to screens', async () => {
  const { PeripheralUID } = (await add()).results
  world.events.length = 0
  await add({ PeripheralUID, StreamUrl: `${camera.url}/other/index.m3u8` })
  expect(world.events).toMatchObject([
    { name: 'dataChange', event: { name: 'peripheral.update', record: { HomeID, PeripheralUID } } },
  ])
})

it('proxies playlists, sub-playlists, keys and segments under its own address', async () => {
  const segment = Buffer.from([0x47, 0, 1, 2, 255])
  camera.answer(
    '/live/index.m3u8?channel=1',
    sends(PLAYLIST, '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow/index.m3u8\n'),
  )
  camera.answer(
    '/live/low/index.m3u8',
    sends('audio/x-mpegurl', '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:2,\n/parts/1.ts?t=9\n'),
  )
  camera.answer('/parts/1.ts?t=9', sends('video/mp2t', segment))
  camera.answer('/live/low/init.mp4', sends('video/mp4', 'init'))
  const { results: made } = await add()
  const { results } = await root.post('/CasaIpCamLiveStream', { CasaPeripheralUIDList: [made.PeripheralUID] })
  const Url: string = results[0].Url

  const master = await get(Url)
  expect(master).toMatchObject({ http: 200, type: PLAYLIST })
  const low = await get(parts(master.text, Url)[0] as string)
  expect(low.text).not.toContain('parts/1.ts')
  expect((await get(parts(low.text, Url)[0] as string)).bytes).toEqual(segment)
  const map = /URI="([^"]+)"/.exec(low.text)?.[1] as string
  expect((await get(new URL(map, `http://x${Url}`).pathname)).text).toBe('init')
})

it('signs in at the camera without exposing the credentials', async () => {
  camera.answer('/live/index.m3u8?channel=1', sends(PLAYLIST, '#EXTM3U\n'))
  const { results: made } = await add({ UserName: 'viewer', Password: 'hunter2-camera' })
  const key = { HomeID, PeripheralUID: made.PeripheralUID }
  expect((await watch(made.PeripheralUID)).http).toBe(200)
  expect(camera.asked.at(-1)?.authorization).toBe(
    `Basic ${Buffer.from('viewer:hunter2-camera').toString('base64')}`,
  )
  expect((await root.post('/CasaGetPeripheralAdvanceInfo', key)).results).toEqual({
    StreamUrl: `${camera.url}/live/index.m3u8?channel=1`,
    UserName: 'viewer',
    HasPassword: true,
  })
  const kept = await world.db.query<{ row: string }>(sql`
    select row_to_json(c)::text as row from cameras c union all select row_to_json(a)::text from audit_log a`)
  expect(kept.length).toBeGreaterThan(1)
  expect(kept.map(({ row }) => row).join()).not.toContain('hunter2-camera')
  expect(JSON.stringify(world.log.lines)).not.toContain('hunter2-camera')
  // The audit shows whether the password changed.
  await add({ ...key, UserName: 'viewer' })
  const said = await world.db.query<{ said: string }>(sql`select after ->> 'SignIn' as said from audit_log
    where after ->> 'PeripheralUID' = ${made.PeripheralUID} order by audit_id`)
  expect(said.map((row) => row.said)).toEqual(['changed', 'kept'])
})

it('keeps the password if it is omitted, and deletes it if it is empty', async () => {
  const { results: made } = await add({ UserName: 'viewer', Password: 'first' })
  const again = { PeripheralUID: made.PeripheralUID, UserName: 'viewer' }
  const source = async () =>
    (await root.post('/CasaGetPeripheralAdvanceInfo', { HomeID, PeripheralUID: made.PeripheralUID })).results
  await add(again)
  expect((await source()).HasPassword).toBe(true)
  await add({ ...again, Password: '' })
  expect((await source()).HasPassword).toBe(false)
})

it.each([
  ['is away', () => undefined],
  [
    'answers with an error',
    () => camera.answer('/live/index.m3u8?channel=1', (_, r) => r.writeHead(500).end()),
  ],
  [
    'sends elsewhere',
    () =>
      camera.answer('/live/index.m3u8?channel=1', (_, r) =>
        r.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
      ),
  ],
  ['is a web page', () => camera.answer('/live/index.m3u8?channel=1', sends('text/html', '<html>'))],
  [
    'names another host',
    () =>
      camera.answer(
        '/live/index.m3u8?channel=1',
        sends(PLAYLIST, '#EXTM3U\nhttp://169.254.169.254/latest/meta-data\n'),
      ),
  ],
])('reports that a camera cannot be watched if it %s', async (_case, prepare) => {
  prepare()
  const { results } = await add()
  const answer = await watch(results.PeripheralUID)
  expect(answer.http).toBe(ERRORS.DEVICE_UNREACHABLE.http)
  expect(JSON.parse(answer.text).status.code).toBe(ERRORS.DEVICE_UNREACHABLE.code)
})

const MASTER = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="hvc1.1.6.L93.B0,mp4a.40.2"\nlow.m3u8\n'
const LIVE = '/live/index.m3u8?channel=1'
const answersWith = (status: number) => () => camera.answer(LIVE, (_, r) => r.writeHead(status).end())
it.each([
  ['credentials', answersWith(401)],
  ['credentials', answersWith(403)],
  ['notFound', () => undefined],
  ['error', answersWith(500)],
  ['elsewhere', answersWith(302)],
  ['elsewhere', () => camera.answer(LIVE, sends(PLAYLIST, '#EXTM3U\nhttp://169.254.169.254/x.ts\n'))],
  ['noStream', () => camera.answer(LIVE, sends('text/html', '<html>'))],
  ['unreachable', () => camera.close()],
  ['unreachable', () => camera.answer(LIVE, (request) => request.socket.destroy())],
  ['codec', () => camera.answer(LIVE, sends(PLAYLIST, MASTER))],
  ['notFound', () => camera.answer(LIVE, sends(PLAYLIST, MASTER.replace('hvc1.1.6.L93.B0', 'avc1.64001f')))],
  [
    null,
    () => {
      camera.answer(LIVE, sends(PLAYLIST, MASTER.replace('hvc1.1.6.L93.B0', 'avc1.64001f')))
      camera.answer('/live/low.m3u8', sends(PLAYLIST, '#EXTM3U\n#EXTINF:2,\n1.ts\n'))
    },
  ],
])('says why a camera cannot be watched: %s', async (Fault, prepare) => {
  await prepare()
  const { results: made } = await add()
  const key = { HomeID, PeripheralUID: made.PeripheralUID }
  expect((await root.post('/CasaGetStreamFault', key)).results).toEqual({ Fault })
})

const faultOf = async (source: object = {}) => {
  const { PeripheralUID } = (await add(source)).results
  return (await root.post('/CasaGetStreamFault', { HomeID, PeripheralUID })).results.Fault
}

it('reports the cause if a camera does not respond', async () => {
  const silent = new Promise<void>((resolve) => camera.answer(LIVE, () => resolve()))
  const asked = faultOf()
  await silent
  world.clock.advance(10_000)
  expect(await asked).toBe('silent')
})

it.skipIf(!hasOpenssl())('reports the cause if a camera has a self-signed certificate', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'camera-'))
  const { cert, key } = makeCertificates(directory)
  const secure = createServer({ cert: readFileSync(cert), key: readFileSync(key) }).listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const { port } = secure.address() as AddressInfo
  expect(await faultOf({ StreamUrl: `https://127.0.0.1:${port}/live.m3u8` })).toBe('certificate')
  secure.close()
  rmSync(directory, { recursive: true })
})

it('hides the cause from other companies', async () => {
  const { results: made } = await add()
  const stranger = await world.signUp()
  const key = { HomeID, PeripheralUID: made.PeripheralUID }
  expect((await stranger.post('/CasaGetStreamFault', key)).status.code).toBe(ERRORS.NOT_FOUND.code)
  expect(camera.asked).toEqual([])
})

it('fetches nothing from the camera that none of its playlists named', async () => {
  const path = '/live/index.m3u8?channel=1'
  camera.answer(path, sends(PLAYLIST, '#EXTM3U\n1.ts\n'))
  camera.answer('/admin/users', sends('text/plain', 'admin:secret'))
  camera.answer('/live/1.ts', sends('video/mp2t', 'picture'))
  const source = { UserName: 'viewer', Password: 'hunter2-camera' }
  const made = [(await add(source)).results, (await add(source)).results]
  const urls: string[] = []
  for (const { PeripheralUID } of made) {
    const { results } = await root.post('/CasaIpCamLiveStream', { CasaPeripheralUIDList: [PeripheralUID] })
    urls.push(results[0].Url)
  }
  const [Url = '', other = ''] = urls
  const own = Buffer.from('/admin/users').toString('base64url')
  const [named = ''] = parts((await get(Url)).text, Url)
  const code = named.split('.').at(-1)
  for (const name of [own, `${own}.`, `${own}.${code}`])
    expect((await get(Url.replace(/live$/, name))).http).toBe(404)
  // A name issued for one camera is not valid for another.
  expect((await get(other.replace(/live$/, named.split('/').at(-1) as string))).http).toBe(404)
  expect(camera.asked.map((each) => each.path)).toEqual([path])
  expect((await get(named)).text).toBe('picture')
})

it('sends no request to another host, however a playlist writes it', async () => {
  const elsewhere = await startCameraServer()
  const host = new URL(elsewhere.url).host
  elsewhere.answer('/1.ts', sends('video/mp2t', 'not the picture'))
  camera.answer(`//${host}/1.ts`, sends('video/mp2t', 'picture'))
  camera.answer(LIVE, sends(PLAYLIST, `#EXTM3U\n${camera.url}//${host}/1.ts\n/.//${host}/1.ts\n`))
  const { results: made } = await add({ UserName: 'viewer', Password: 'hunter2-camera' })
  const { results } = await root.post('/CasaIpCamLiveStream', { CasaPeripheralUIDList: [made.PeripheralUID] })
  const { Url } = results[0]
  const named = parts((await get(Url)).text, Url)
  expect(named).toHaveLength(2)
  for (const part of named) expect((await get(part)).text).toBe('picture')
  expect(elsewhere.asked).toEqual([])
  await elsewhere.close()
})

it('does not send a stored password to another host', async () => {
  const { results: made } = await add({ UserName: 'viewer', Password: 'hunter2-camera' })
  const elsewhere = await startCameraServer()
  const move = { PeripheralUID: made.PeripheralUID, UserName: 'viewer', StreamUrl: `${elsewhere.url}/a.m3u8` }
  expect((await add(move)).status).toMatchObject({
    code: ERRORS.INVALID.code,
    fields: { Password: 'required' },
  })
  await watch(made.PeripheralUID)
  expect(elsewhere.asked).toEqual([])
  // The stored password still applies to another path of the same host.
  expect((await add({ ...move, StreamUrl: `${camera.url}/b.m3u8` })).status.code).toBe(0)
  expect((await add({ ...move, Password: '' })).status.code).toBe(0)
  await watch(made.PeripheralUID)
  expect(elsewhere.asked[0]?.authorization).toBe(`Basic ${Buffer.from('viewer:').toString('base64')}`)
  await elsewhere.close()
})

it('keeps the query of an address, which can contain a token, out of the audit', async () => {
  await add({ StreamUrl: `${camera.url}/live.m3u8?token=hunter3-camera` })
  const audit = await world.db.query<{ row: string }>(
    sql`select row_to_json(a)::text as row from audit_log a`,
  )
  expect(audit.map(({ row }) => row).join()).toContain('/live.m3u8')
  expect(audit.map(({ row }) => row).join()).not.toContain('hunter3-camera')
})

it('reports that a camera cannot be watched if its playlist has no addresses', async () => {
  camera.answer('/live/index.m3u8?channel=1', sends(PLAYLIST, '#EXTM3U\nhttp://[\n'))
  const { results } = await add()
  expect((await watch(results.PeripheralUID)).http).toBe(ERRORS.DEVICE_UNREACHABLE.http)
})

it('gives up on a camera that does not start to respond, but allows a slow stream', async () => {
  const { results: made } = await add()
  const { Url } = (await root.post('/CasaIpCamLiveStream', { CasaPeripheralUIDList: [made.PeripheralUID] }))
    .results[0]
  const path = '/live/index.m3u8?channel=1'
  const silent = new Promise<void>((resolve) => camera.answer(path, () => resolve()))
  const given = get(Url)
  await silent
  world.clock.advance(10_000)
  expect((await given).http).toBe(ERRORS.DEVICE_UNREACHABLE.http)

  camera.answer(path, sends(PLAYLIST, '#EXTM3U\n1.ts\n'))
  const [part = ''] = parts((await get(Url)).text, Url)
  camera.answer('/live/1.ts', (_, response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' }).write('first ')
    finish = () => response.end('last')
  })
  let finish = () => {}
  const slow = await fetch(address + part)
  world.clock.advance(60_000)
  finish()
  expect(await slow.text()).toBe('first last')
})

it('closes the camera connection when the viewer leaves, and survives an aborted response', async () => {
  camera.answer(LIVE, sends(PLAYLIST, '#EXTM3U\n1.ts\n'))
  const { results: made } = await add()
  const { results } = await root.post('/CasaIpCamLiveStream', { CasaPeripheralUIDList: [made.PeripheralUID] })
  const [part = ''] = parts((await get(results[0].Url)).text, results[0].Url)
  const left = new Promise((resolve) =>
    camera.answer('/live/1.ts', (_, response) => {
      response.on('close', resolve).writeHead(200, { 'content-type': 'video/mp2t' }).write('first')
    }),
  )
  const viewer = new AbortController()
  await fetch(address + part, { signal: viewer.signal })
  viewer.abort()
  await left

  let breakOff = () => {}
  camera.answer('/live/1.ts', (_, response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' }).write('first')
    breakOff = () => response.destroy()
  })
  const broken = await fetch(address + part)
  breakOff()
  await expect(broken.text()).rejects.toThrow('terminated')
  camera.answer('/live/1.ts', sends('video/mp2t', 'whole'))
  expect((await get(part)).text).toBe('whole')
})

/** Response to a browser for the only part that the camera's playlist names. */
const partAs = async (how: Parameters<CameraServer['answer']>[1]) => {
  camera.answer(LIVE, sends(PLAYLIST, '#EXTM3U\npart\n'))
  camera.answer('/live/part', how)
  const { results: made } = await add()
  const { results } = await root.post('/CasaIpCamLiveStream', { CasaPeripheralUIDList: [made.PeripheralUID] })
  const { Url } = results[0]
  return get(parts((await get(Url)).text, Url)[0] as string)
}

it.each(['text/html; charset=utf-8', 'application/json', 'text/plain', 'image/svg+xml', 'application/xml'])(
  'rejects content of type %s, whatever a playlist names',
  async (type) => {
    const answer = await partAs(sends(type, 'the page of another server'))
    expect(answer.http).toBe(ERRORS.DEVICE_UNREACHABLE.http)
    expect(answer.text).not.toContain('page of another')
  },
)

it.each([
  ['video/mp2t', 'video/mp2t'],
  ['Video/MP4; codecs="avc1.64001f"', 'video/mp4'],
  ['audio/aac', 'audio/aac'],
  ['application/octet-stream', 'application/octet-stream'],
  ['binary/octet-stream', 'application/octet-stream'],
  ['application/mp4', 'application/octet-stream'],
  ['text/vtt', 'application/octet-stream'],
])('forwards %s as %s', async (type, passed) => {
  expect(await partAs(sends(type, 'media'))).toMatchObject({ http: 200, type: passed, text: 'media' })
})

it('forwards a part without a content type as a binary file', async () => {
  const answer = await partAs((_, response) => response.writeHead(200).end('media'))
  expect(answer).toMatchObject({ http: 200, type: 'application/octet-stream', text: 'media' })
})

it('reports that a stream whose first variant is a web page is not a stream', async () => {
  camera.answer(LIVE, sends(PLAYLIST, '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow\n'))
  camera.answer('/live/low', sends('text/html', '<html>'))
  expect(await faultOf()).toBe('noStream')
})

it('hides cameras from other companies', async () => {
  const { results: made } = await add()
  const stranger = await world.signUp()
  const key = { HomeID, PeripheralUID: made.PeripheralUID }
  expect(
    (await stranger.post('/CasaIpCamLiveStream', { CasaPeripheralUIDList: [made.PeripheralUID] })).results,
  ).toEqual([])
  for (const path of ['/CasaGetPeripheralAdvanceInfo', '/CasaDeletePeripheral'])
    expect((await stranger.post(path, key)).status.code).toBe(ERRORS.NOT_FOUND.code)
  const changed = await stranger.post('/CasaAddPeripheralAdvanceInfo', {
    ...key,
    StreamUrl: 'http://evil.test/',
  })
  expect(changed.status.code).toBe(ERRORS.NOT_FOUND.code)
})

it('rejects addresses that are not streams, and credentials in them', async () => {
  for (const [StreamUrl, reason] of [
    ['rtsp://10.0.0.7/live', 'streamUrl'],
    ['file:///etc/passwd', 'streamUrl'],
    ['10.0.0.7', 'streamUrl'],
    ['http://admin:admin@10.0.0.7/live.m3u8', 'urlCredentials'],
  ]) {
    const { status } = await add({ StreamUrl })
    expect(status).toMatchObject({ code: ERRORS.INVALID.code, fields: { StreamUrl: reason } })
  }
  const { status } = await add({ PeripheralName: undefined })
  expect(status).toMatchObject({ code: ERRORS.INVALID.code, fields: { PeripheralName: 'required' } })
})

it('removes a camera with its address and does not offer it again', async () => {
  const { results: made } = await add()
  const key = { HomeID, PeripheralUID: made.PeripheralUID }
  const keeper = await world.createUser(root, [rights('device', 'Read', 'Create', 'Update')])
  expect((await keeper.post('/CasaDeletePeripheral', key)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
  expect((await root.post('/CasaDeletePeripheral', key)).status.code).toBe(0)
  expect(
    await world.db.query(sql`select 1 from cameras where peripheral_uid = ${made.PeripheralUID}`),
  ).toEqual([])
  expect((await root.post('/ListDiscoveredPeripheral', { HomeID })).results).toEqual([])
})

it('reports that the camera rejects its password if another SECRET sealed it', async () => {
  const { results: made } = await add({ UserName: 'viewer', Password: 'sealed elsewhere' })
  const key = { HomeID, PeripheralUID: made.PeripheralUID }
  await world.db.query(
    sql`update cameras set sealed_password = 'bm90IG91cnM=' where peripheral_uid = ${made.PeripheralUID}`,
  )
  camera.answer('/live/index.m3u8?channel=1', (_request, response) => response.writeHead(401).end())
  expect((await watch(made.PeripheralUID)).http).toBe(504)
  expect((await root.post('/CasaGetStreamFault', key)).results).toEqual({ Fault: 'credentials' })
})

it('closes a stream when the user loses the right to see devices', async () => {
  camera.answer('/live/index.m3u8?channel=1', sends(PLAYLIST, '#EXTM3U\n'))
  const { results: made } = await add()
  const viewer = await world.createUser(root, [rights('device', 'Read')])
  const asked = { CasaPeripheralUIDList: [made.PeripheralUID] }
  const [{ Url }] = (await viewer.post('/CasaIpCamLiveStream', asked)).results
  expect((await get(Url)).http).toBe(200)
  await root.post('/UpdateUserInfo', { Email: viewer.email, Permissions: [] })
  expect((await get(Url)).http).toBe(404)
})

it('opens a stream only with its ticket, for a few hours', async () => {
  camera.answer('/live/index.m3u8?channel=1', sends(PLAYLIST, '#EXTM3U\n'))
  const { results: made } = await add()
  const { results } = await root.post('/CasaIpCamLiveStream', { CasaPeripheralUIDList: [made.PeripheralUID] })
  const { Url, ExpiresAt } = results[0]
  expect((await get(Url.replace(/\/live$/, 'x/live'))).http).toBe(404)
  expect(
    (await get(`${Url.replace(/\/live$/, '')}/${Buffer.from('//evil.test/x').toString('base64url')}`)).http,
  ).toBe(404)
  world.clock.advance(ExpiresAt - world.clock.now())
  expect((await get(Url)).http).toBe(404)
})
