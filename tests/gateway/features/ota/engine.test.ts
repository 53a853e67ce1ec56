import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { otaCommand, otaReport, otaResponse } from '../../../../contract/devices/channels/ota.ts'
import type { OtaUpdate } from '../../../../contract/devices/ota-calls.ts'
import { createEvents, type Events } from '../../../../gateway/kernel/events.ts'
import { createOta, type Ota, type OtaOptions } from '../../../../gateway/features/ota/ota.ts'
import { ABANDONED_JOB_POLL_MS } from '../../../../gateway/features/ota/watch.ts'
import { otaRecords } from '../../../../gateway/features/ota/calls.ts'
import { systemRandom } from '../../../../gateway/kernel/ports.ts'
import { type Db, sql } from '../../../../gateway/kernel/db.ts'
import { createBuilding, type Building } from '../../../support/building.ts'
import { holdClock, type HeldClock } from '../../../support/clock.ts'
import { FakeBroker } from '../../../support/fake-broker.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createTestDb } from '../../../support/postgres.ts'
import { PATIENT } from '../../../support/patient.ts'

/** OTA engine alone with a fixed clock: effects of hubs and time on jobs. */
let db: Db
let drop: () => Promise<void>
let building: Building
let broker: FakeBroker
let clock: HeldClock
let events: Events
let ota: Ota
let names: string[]
let opened: Ota[]

beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
  names = [1, 2, 3, 4].map((n) => `${building.thingName.slice(0, 50)}-${n}`)
  for (const name of names) await building.addHub(name)
  await db.query(sql`insert into firmwares
      (tenant, firmware_id, target, firmware_version, notes, size, sha256, file_key, requested_at, uploaded_at, by)
    values (${building.tenant}, 'fw', 'hub', '2.0.0', '', 10, 'aa', 'k', 0, 0, 'x')`)
  clock = holdClock()
  opened = []
  open()
})
afterEach(() => Promise.all(opened.map((each) => each.close())))

const PUBLIC = { publicUrl: 'https://gateway.test', https: false }

interface Gateway {
  ota: Ota
  broker: FakeBroker
  events: Events
}

/** Starts a gateway's OTA engine. Hubs and people use it until another one starts. */
function open(address: Pick<OtaOptions, 'publicUrl' | 'https'> = PUBLIC): Gateway {
  broker = new FakeBroker()
  const log = createLogBook()
  events = createEvents((error) => {
    throw error
  })
  ota = createOta({
    db,
    broker,
    library: { address: () => ({ path: '/file', expiresAt: clock.now() + 1 }) },
    events,
    clock,
    random: systemRandom,
    log,
    metrics: new Registry(),
    ...address,
    httpPort: () => 8443,
  })
  opened.push(ota)
  return { ota, broker, events }
}

const speakTo = (gateway: Gateway) => void ({ ota, broker, events } = gateway)

const start = async (devices = names, more: object = {}): Promise<string> => {
  const { job } = await db.transaction((tx) =>
    ota.start(tx, {
      tenant: building.tenant,
      by: '廠務管理',
      homeId: building.homeId,
      firmwareId: 'fw',
      devices: devices.map((ThingName) => ({ ThingName, PeripheralUID: null })),
      waveSize: 2,
      pausePercent: 50,
      confirmWaves: false,
      ...more,
    }),
  )
  events.emit('otaChanged', { tenant: building.tenant, jobId: job?.OtaJobID as string })
  return job?.OtaJobID as string
}

const updates = (jobId: string): Promise<OtaUpdate[]> =>
  otaRecords.updates(db, { tenant: building.tenant, homeId: building.homeId, jobId, device: undefined }, 100)
const job = (jobId: string) => otaRecords.find(db, building.tenant, building.homeId, jobId)
const states = async (jobId: string) =>
  Object.fromEntries(
    (await updates(jobId)).map((one) => [one.ThingName, one.Code ? `${one.State} ${one.Code}` : one.State]),
  )

const commands = (thingName: string) =>
  broker.sentTo(otaCommand.topic({ rootId: building.tenant, homeId: building.homeId, thingName }))

/** Time at which a gateway claimed the hub's last command for sending. */
async function sentAt(thingName: string): Promise<number | null | undefined> {
  const [row] = await db.query<{ at: number | null }>(
    sql`select sent_at as at from ota_updates where thing_name = ${thingName} order by requested_at desc limit 1`,
  )
  return row?.at
}

/** Resolves when the condition holds; checked after each message to a screen or hub. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  for (;;) {
    // Counted first: messages that arrive during the check trigger another check.
    const seen = broker.traffic.length
    if (await condition()) return
    await broker.reaches(seen + 1)
  }
}
const commanded = (...things: string[]) => until(() => things.every((name) => commands(name).length > 0))

const report = (thingName: string, body: object) =>
  ota.receive({
    topic: otaReport.topic({ rootId: building.tenant, homeId: building.homeId }),
    payload: Buffer.from(
      JSON.stringify({ ThingName: thingName, RequestID: commands(thingName).at(-1)?.RequestID, ...body }),
    ),
    client: { ...building.hub, thingName },
  })

/** Reports a hub's version, as its info shadow does. */
async function tells(thingName: string, version: string): Promise<void> {
  await db.query(sql`insert into firmware_reports values (${building.tenant}, ${thingName}, '', ${version}, ${clock.now()})
    on conflict (thing_name, peripheral_uid) do update set firmware_version = ${version}, reported_at = ${clock.now()}`)
  events.emit('firmwareReported', { tenant: building.tenant, thingName })
}
const ended = (jobId: string) => until(async () => (await job(jobId))?.EndedAt !== null)

describe('a job', () => {
  it('sends the first wave the address, size and checksum of the file, and the next one after it', async () => {
    const [a, b, c, d] = names as [string, string, string, string]
    const id = await start()
    await commanded(a, b)
    expect(commands(a)).toMatchObject([
      {
        FirmwareVersion: '2.0.0',
        Url: 'https://gateway.test/file',
        Size: 10,
        Sha256: 'aa',
        PeripheralUID: null,
      },
    ])
    expect(commands(c)).toEqual([])
    await report(a, { Code: 0, Step: 'downloading', Progress: 40 })
    expect((await updates(id))[0]).toMatchObject({ State: 'downloading', Progress: 40, Code: 0, Wave: 1 })
    await tells(a, '2.0.0')
    await report(b, { Code: 2 })
    await commanded(c, d)
    expect(await states(id)).toMatchObject({ [a]: 'succeeded', [b]: 'failed 2', [c]: 'sent', [d]: 'sent' })
    await tells(c, '2.0.0')
    await tells(d, '2.0.0')
    await ended(id)
    expect(await job(id)).toMatchObject({ State: 'finished', Counts: { Succeeded: 3, Failed: 1 } })
    expect(
      broker.sentTo(otaResponse.topic({ rootId: building.tenant, homeId: building.homeId })).length,
    ).toBeGreaterThan(4)
  })

  it.each([true, false])(
    'sends hubs the address of a gateway without a public address, with TLS or not',
    async (https) => {
      await ota.close()
      open({ publicUrl: undefined, https })
      const [a] = names as [string]
      await start([a])
      await commanded(a)
      expect(commands(a)).toMatchObject([{ Url: '/file', HttpPort: 8443, Https: https }])
    },
  )

  it('pauses before the next wave if too many failed, and continues when a user confirms', async () => {
    const [a, b, c, d] = names as [string, string, string, string]
    const id = await start(names, { pausePercent: 49 })
    await commanded(a, b)
    await report(a, { Code: 3 })
    await tells(b, '2.0.0')
    await until(async () => (await job(id))?.State === 'paused')
    expect(await job(id)).toMatchObject({
      Pause: 'failures',
      Counts: { Waiting: 2, Failed: 1, Succeeded: 1 },
    })
    expect(commands(c)).toEqual([])
    await db.transaction((tx) => ota.resume(tx, building.tenant, id))
    events.emit('otaChanged', { tenant: building.tenant, jobId: id })
    await commanded(c, d)
    await expect(db.transaction((tx) => ota.resume(tx, building.tenant, id))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('asks before each further wave if configured so', async () => {
    const [a, b] = names as [string, string]
    const id = await start(names, { confirmWaves: true })
    await commanded(a, b)
    await tells(a, '2.0.0')
    await tells(b, '2.0.0')
    await until(async () => (await job(id))?.State === 'paused')
    expect(await job(id)).toMatchObject({ Pause: 'wave', Counts: { Succeeded: 2, Waiting: 2 } })
  })

  it('cancels what was not sent; the others continue to their end', async () => {
    const [a, b, c, d] = names as [string, string, string, string]
    const id = await start()
    await commanded(a, b)
    await db.transaction((tx) => ota.cancel(tx, building.tenant, id))
    events.emit('otaChanged', { tenant: building.tenant, jobId: id })
    expect(await states(id)).toEqual({ [a]: 'sent', [b]: 'sent', [c]: 'cancelled', [d]: 'cancelled' })
    await tells(a, '2.0.0')
    await report(b, { Code: 4 })
    await ended(id)
    expect(await job(id)).toMatchObject({
      State: 'cancelled',
      Counts: { Succeeded: 1, Failed: 1, Cancelled: 2 },
    })
    await expect(db.transaction((tx) => ota.cancel(tx, building.tenant, id))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })
})

describe('a device', () => {
  it('without a response in two minutes has not responded (5), until a later report corrects that', async () => {
    const [a] = names as [string]
    const id = await start([a])
    await commanded(a)
    clock.advance(119_000)
    expect(await states(id)).toEqual({ [a]: 'sent' })
    clock.advance(3_000)
    await ended(id)
    expect(await states(id)).toEqual({ [a]: 'failed 5' })
    clock.advance(60_000)
    await tells(a, '2.0.0')
    // Not the next message: the end of the job may still be on its way to the screens.
    await until(async () => (await states(id))[a] === 'succeeded')
  })

  it('with an offline hub is sent the command when it reconnects', async () => {
    const [a] = names as [string]
    await db.query(sql`update things set online = false where thing_name = ${a}`)
    const id = await start([a])
    await until(async () => (await updates(id))[0]?.StartedAt !== null)
    expect(await states(id)).toEqual({ [a]: 'waiting' })
    await db.query(sql`update things set online = true where thing_name = ${a}`)
    clock.advance(2_000)
    await commanded(a)
  })

  it('that restarts with its old version has failed (3)', async () => {
    const [a] = names as [string]
    const id = await start([a])
    await commanded(a)
    await report(a, { Code: 0, Step: 'restarting', Progress: 100 })
    clock.advance(20_000)
    await tells(a, '1.0.0')
    clock.advance(300_000)
    await ended(id)
    expect(await states(id)).toEqual({ [a]: 'failed 3' })
  })

  it('that goes silent during an update has not responded after five minutes', async () => {
    const [a] = names as [string]
    const id = await start([a])
    await commanded(a)
    await report(a, { Code: 0, Step: 'downloading', Progress: 40 })
    clock.advance(200_000)
    await report(a, { Code: 0, Step: 'downloading', Progress: 60 })
    clock.advance(290_000)
    expect(await states(id)).toEqual({ [a]: 'downloading' })
    clock.advance(12_000)
    await ended(id)
    expect(await states(id)).toEqual({ [a]: 'failed 5' })
  })

  it('that lost the command in its restart but already reports the version has succeeded', async () => {
    const [a] = names as [string]
    const id = await start([a])
    await commanded(a)
    await report(a, { Code: 4, FirmwareVersion: '2.0.0' })
    expect(await states(id)).toEqual({ [a]: 'succeeded' })
  })

  it('gets the command again, with the same RequestID, if it does not respond or reconnects', async () => {
    const [a] = names as [string]
    await start([a])
    await commanded(a)
    clock.advance(30_000)
    await until(() => commands(a).length === 2)
    await report(a, { Code: 0, Step: 'installing', Progress: 10 })
    events.emit('hubOnline', { ...building, thingName: a, online: true, at: clock.now() })
    await vi.waitFor(async () => expect(await sentAt(a)).toBeNull(), PATIENT)
    clock.advance(2_000)
    await until(() => commands(a).length === 3)
    expect(new Set(commands(a).map(({ RequestID }) => RequestID)).size).toBe(1)
  })

  it('is reported by its own hub only, and only during its update', async () => {
    const [a, b] = names as [string, string]
    const id = await start([a])
    await commanded(a)
    const stolen = commands(a)[0]?.RequestID
    await report(b, { RequestID: stolen, Code: 3 })
    await report(a, { ThingName: b, Code: 3 })
    await report(a, { RequestID: 'unheard-of', Code: 3 })
    await report(a, { Code: 5 })
    await report(a, { Code: 0, Progress: 'half' })
    expect(await states(id)).toEqual({ [a]: 'sent' })
  })
})

it('does not time out after an unusable progress, step or version', async () => {
  const [a] = names as [string, string]
  const id = await start([a])
  await commanded(a)
  await report(a, { Code: 0, Step: 'installing', Progress: 10 })
  await report(a, { Code: '0', Step: 'unpacking', Progress: 101 })
  expect((await updates(id))[0]).toMatchObject({ State: 'installing', Progress: 10 })
  await report(a, { Code: 0, Step: 'installing', Progress: '60', FirmwareVersion: 2 })
  expect((await updates(id))[0]).toMatchObject({ State: 'installing', Progress: 60 })
})

describe('a gateway restart', () => {
  it('loses nothing: running updates get their time and command again, and waves continue', async () => {
    const [a, b, c, d] = names as [string, string, string, string]
    const id = await start()
    await commanded(a, b)
    await report(a, { Code: 0, Step: 'restarting', Progress: 100 })
    const requested = commands(b)[0]?.RequestID
    await ota.close()
    // Hours later; no listener was active when the restarted hub's version report was stored.
    clock.advance(2 * 3_600_000)
    await db.query(
      sql`insert into firmware_reports values (${building.tenant}, ${a}, '', '2.0.0', ${clock.now()})`,
    )
    open()
    await ota.recover()
    await commanded(b)
    expect(commands(b)[0]?.RequestID).toBe(requested)
    expect(await states(id)).toMatchObject({ [a]: 'succeeded', [b]: 'sent' })
    await tells(b, '2.0.0')
    await commanded(c, d)
  })
})

describe('two gateways of one database', () => {
  it('take over jobs of a dead one: its devices get the command again, and waves continue', async () => {
    const [a, b, c, d] = names as [string, string, string, string]
    const dying = { ota, broker, events }
    const living = open()
    await living.ota.recover()
    speakTo(dying)
    const id = await start()
    await commanded(a, b)
    const requested = commands(a)[0]?.RequestID
    await dying.ota.close()
    speakTo(living)
    clock.advance(30_000)
    await commanded(a, b)
    expect(commands(a)[0]?.RequestID).toBe(requested)
    await tells(a, '2.0.0')
    await tells(b, '2.0.0')
    await commanded(c, d)
    await tells(c, '2.0.0')
    await tells(d, '2.0.0')
    await ended(id)
    expect(await job(id)).toMatchObject({ State: 'finished', Counts: { Succeeded: 4 } })
  })

  it('send each command once if both process the job', async () => {
    const [a, b, c, d] = names as [string, string, string, string]
    const one = { ota, broker, events }
    const two = open()
    await two.ota.recover()
    speakTo(one)
    const id = await start()
    await commanded(a, b)
    // Both gateways poll now.
    clock.advance(ABANDONED_JOB_POLL_MS)
    speakTo(two)
    await tells(a, '2.0.0')
    await tells(b, '2.0.0')
    const sentTo = (name: string) =>
      [one, two].flatMap((gateway) => {
        speakTo(gateway)
        return commands(name)
      })
    await vi.waitFor(() => expect([...sentTo(c), ...sentTo(d)]).toHaveLength(2), PATIENT)
    clock.advance(ABANDONED_JOB_POLL_MS)
    speakTo(one)
    await tells(c, '2.0.0')
    await tells(d, '2.0.0')
    await vi.waitFor(async () => expect((await job(id))?.State).toBe('finished'), PATIENT)
    for (const name of names) expect(sentTo(name)).toHaveLength(1)
  })
})
