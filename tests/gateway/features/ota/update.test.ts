import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channels } from '../../../../contract/index.ts'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { OtaOverview, OtaUpdate } from '../../../../contract/devices/ota-calls.ts'
import { systemClock } from '../../../../gateway/kernel/ports.ts'
import { type Fleet, startFleet } from '../../../../simulator/fleet.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'
import { openScreen, type Screen } from './screen.ts'

/** Simulator hubs on the embedded broker: they fetch the file by HTTP, verify it, restart and report. */
let world: World
let owner: Caller
let address: string
let HomeID: string
let fleet: Fleet
let screen: Screen
let hubs: string[]

beforeAll(async () => {
  world = await startWorld({ clock: systemClock, broker: 'embedded' })
  address = await world.gateway.listen(0, '127.0.0.1')
  owner = await world.signUp()
  HomeID = (await owner.post('/CreateHome', { HomeName: '總部', TimeZone: 'Asia/Taipei' })).results.HomeID
  const made = await Promise.all(
    [1, 2, 3].map((n) => owner.post('/AddThing', { HomeID, DeviceName: `閘道器 ${n}` })),
  )
  hubs = made.map(({ results }) => results.ThingName as string)
  screen = await openScreen(owner, address, [
    channels.otaResponse.topic({ rootId: owner.tenant, homeId: HomeID }),
  ])
  fleet = startFleet({
    url: `mqtt://127.0.0.1:${world.hubPort}`,
    latency: [0, 0],
    firmwarePace: { install: 20, restart: 50 },
    hubs: made.map(({ results }, n) => ({
      rootId: owner.tenant,
      HomeID,
      ThingName: results.ThingName,
      Secret: results.Secret,
      devices: [
        {
          PeripheralUID: `lamp-${n}`,
          PeripheralType: '516',
          PeripheralName: `燈 ${n}`,
          scenario: { profile: 'untouched', key: `lamp-${n}` },
        },
      ],
    })),
  })
  await fleet.announced()
  await owner.post('/AddPeripherals', {
    HomeID,
    Peripherals: hubs.map((_, n) => ({ PeripheralUID: `lamp-${n}`, PeripheralName: `燈 ${n}` })),
  })
})
afterAll(async () => {
  await screen?.end()
  await fleet?.stop()
  await world?.close()
})

const overview = async (): Promise<OtaOverview> => (await owner.post('/GetAllOTA', { HomeID })).results
const device = async (ThingName: string, PeripheralUID: string | null = null) =>
  (await overview()).Devices.find((one) => one.ThingName === ThingName && one.PeripheralUID === PeripheralUID)

async function upload(Target: string, FirmwareVersion: string, file = randomBytes(300_000), as = owner) {
  const { results, status } = await as.post('/UploadFirmware', { Target, FirmwareVersion, Size: file.length })
  expect(status.code).toBe(0)
  const answer = await fetch(address + results.UploadUrl, { method: 'PUT', body: file })
  expect(answer.status).toBe(200)
  return { ...((await answer.json()) as { results: { FirmwareID: string; Sha256: string } }).results, file }
}

/** Starts a job and resolves with the last update of each device. */
async function run(FirmwareID: string, Devices: object[], more: object = {}): Promise<OtaUpdate[]> {
  const { results } = await owner.post('/StartOTA', { HomeID, FirmwareID, Devices, ...more })
  const { OtaJobID } = results.Job
  await screen.until(({ Job }) => Job?.OtaJobID === OtaJobID && Job?.State === 'finished')
  return (await owner.post('/ListOTAUpdate', { HomeID, OtaJobID })).results
}

describe('a firmware update', () => {
  it('knows the reported versions of hubs and devices', async () => {
    expect(await device(hubs[0] as string)).toMatchObject({
      Target: 'hub',
      FirmwareVersion: '1.0.0',
      Online: true,
      Update: null,
    })
    expect(await device(hubs[0] as string, 'lamp-0')).toMatchObject({
      Target: '516',
      FirmwareVersion: '1.0.0',
    })
  })

  it('computes the checksum of the file itself', async () => {
    const { Sha256, file } = await upload('hub', '1.0.1')
    expect(Sha256).toBe(createHash('sha256').update(file).digest('hex'))
    expect((await overview()).Firmwares).toMatchObject([{ FirmwareVersion: '1.0.1', Sha256, Size: 300_000 }])
  })

  it('runs download, installation and restart, and succeeds when the hub reports the new version', async () => {
    const { FirmwareID } = await upload('hub', '1.1.0')
    screen.heard.length = 0
    const [ended] = await run(FirmwareID, [{ ThingName: hubs[0] }])
    expect(ended).toMatchObject({
      State: 'succeeded',
      Code: null,
      Progress: 100,
      FromVersion: '1.0.0',
      FirmwareVersion: '1.1.0',
    })
    const states = new Set(screen.heard.flatMap(({ Updates }) => Updates.map(({ State }) => State)))
    // The restart may be over before it is published, and the first wave sent: then screens receive only its result.
    const brief = ['waiting', 'restarting'] as const
    for (const state of brief) states.delete(state)
    expect([...states]).toEqual(['sent', 'downloading', 'installing', 'succeeded'])
    expect((await device(hubs[0] as string))?.FirmwareVersion).toBe('1.1.0')
  })

  it('reaches a device behind its hub, which reports the new version', async () => {
    const { FirmwareID } = await upload('516', '2.0.0')
    const [ended] = await run(FirmwareID, [{ ThingName: hubs[1], PeripheralUID: 'lamp-1' }])
    expect(ended).toMatchObject({ State: 'succeeded', PeripheralUID: 'lamp-1' })
    expect(await device(hubs[1] as string, 'lamp-1')).toMatchObject({
      FirmwareVersion: '2.0.0',
      Online: true,
    })
    expect(await device(hubs[1] as string)).toMatchObject({ FirmwareVersion: '1.0.0' })
  })

  it('is rejected (4) for the installed version and for an older one', async () => {
    const { Firmwares } = await overview()
    const id = (version: string) =>
      Firmwares.find(({ FirmwareVersion }) => FirmwareVersion === version)?.FirmwareID as string
    expect(await run(id('1.1.0'), [{ ThingName: hubs[0] }])).toMatchObject([{ State: 'failed', Code: 4 }])
    expect(await run(id('1.0.1'), [{ ThingName: hubs[0] }])).toMatchObject([{ State: 'failed', Code: 4 }])
  })

  it('fails (3) if the file differs from the uploaded one, and (2) if it is missing', async () => {
    const { FirmwareID } = await upload('hub', '1.2.0')
    const [key] = [...world.files.stored.keys()].slice(-1)
    const whole = world.files.stored.get(key as string)
    world.files.stored.set(key as string, {
      bytes: randomBytes(300_000),
      contentType: 'application/octet-stream',
    })
    expect(await run(FirmwareID, [{ ThingName: hubs[1] }])).toMatchObject([{ State: 'failed', Code: 3 }])
    world.files.stored.delete(key as string)
    expect(await run(FirmwareID, [{ ThingName: hubs[1] }])).toMatchObject([{ State: 'failed', Code: 2 }])
    world.files.stored.set(key as string, whole as never)
    expect(await run(FirmwareID, [{ ThingName: hubs[1] }])).toMatchObject([{ State: 'succeeded' }])
  })

  it('rejects devices with an update in progress with code 1', async () => {
    const { FirmwareID } = await upload('hub', '1.3.0')
    const body = { HomeID, FirmwareID, Devices: [{ ThingName: hubs[2] }] }
    const [first, second] = await Promise.all([owner.post('/StartOTA', body), owner.post('/StartOTA', body)])
    const [job] = [first.results.Job, second.results.Job].filter(Boolean)
    expect([...first.results.Refused, ...second.results.Refused]).toEqual([
      { ThingName: hubs[2], PeripheralUID: null, Code: 1 },
    ])
    await screen.until(({ Job }) => Job?.OtaJobID === job.OtaJobID && Job?.State === 'finished')
    expect((await device(hubs[2] as string))?.FirmwareVersion).toBe('1.3.0')
  })

  it('can be requested over the realtime channel, once per RequestID', async () => {
    const { FirmwareID } = await upload('hub', '1.4.0')
    const topic = channels.otaRequest.topic({ rootId: owner.tenant, homeId: HomeID })
    const request = {
      RequestID: 'by-topic',
      FirmwareID,
      Devices: [{ ThingName: hubs[2], PeripheralUID: null }],
    }
    await screen.publish(topic, request)
    await screen.publish(topic, request)
    await screen.until(({ Job }) => Job?.FirmwareVersion === '1.4.0' && Job.State === 'finished')
    const jobs = (await overview()).Jobs.filter(({ FirmwareVersion }) => FirmwareVersion === '1.4.0')
    expect(jobs).toMatchObject([{ Counts: { Succeeded: 1 } }])
  })

  it('lists the history of a device, newest first', async () => {
    const { results } = await owner.post('/ListOTAUpdate', { HomeID, Device: { ThingName: hubs[2] } })
    expect(results.map(({ FirmwareVersion }: OtaUpdate) => FirmwareVersion)).toEqual(['1.4.0', '1.3.0'])
  })
})

describe('permission to update', () => {
  it('is denied for devices of another company, home or kind, and without the right', async () => {
    const { FirmwareID } = await upload('hub', '9.0.0')
    const stranger = await world.signUp()
    const home = await stranger.post('/CreateHome', { HomeName: '別處', TimeZone: 'Asia/Taipei' })
    const own = home.results.HomeID as string
    const start = (caller: Caller, home: string, device: object) =>
      caller.post('/StartOTA', { HomeID: home, FirmwareID, Devices: [device] })
    const code = async (answer: ReturnType<typeof start>) => (await answer).status.code
    expect(await code(start(stranger, own, { ThingName: hubs[0] }))).toBe(ERRORS.NOT_FOUND.code)
    expect(await code(start(stranger, HomeID, { ThingName: hubs[0] }))).toBe(ERRORS.NOT_FOUND.code)
    expect(await code(start(owner, own, { ThingName: hubs[0] }))).toBe(ERRORS.NOT_FOUND.code)
    expect(
      (await start(owner, HomeID, { ThingName: hubs[0], PeripheralUID: 'lamp-0' })).status,
    ).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { 'Devices.0': 'type' },
    })
    const reader = await world.createUser(owner, [rights('ota', 'Read')])
    expect((await start(reader, HomeID, { ThingName: hubs[0] })).status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
      missing: { feature: 'ota', operation: 'Control' },
    })
    expect((await reader.post('/GetAllOTA', { HomeID })).status.code).toBe(0)
    const topic = channels.otaResponse.topic({ rootId: owner.tenant, homeId: HomeID })
    await expect(openScreen(reader, address, [topic])).rejects.toThrow('refused')
  })
})
