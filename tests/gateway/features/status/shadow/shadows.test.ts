import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channels } from '../../../../../contract/index.ts'
import type { ShadowName } from '../../../../../contract/devices/shadow-names.ts'
import type { HubClient } from '../../../../../gateway/kernel/broker.ts'
import { GatewayError } from '../../../../../gateway/kernel/errors.ts'
import { createEvents, type GatewayEvents } from '../../../../../gateway/kernel/events.ts'
import { createShadows, type Shadows } from '../../../../../gateway/features/status/shadow/shadows.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { holdClock, type HeldClock } from '../../../../support/clock.ts'
import { createLogBook, type LogBook } from '../../../../support/log-book.ts'
import { createTestDb, type TestDb } from '../../../../support/postgres.ts'

const TENANT = '11111111-1111-4111-8111-111111111111'
const hub: HubClient = { party: 'hub', tenant: TENANT, homeId: 'home-1', thingName: 'hub-1' }

let test: TestDb
let db: Db
let clock: HeldClock
let log: LogBook
let registry: Registry
let shadows: Shadows
let published: { topic: string; payload: any }[] // oxlint-disable-line typescript/no-explicit-any -- read by the tests
let hubOnline: GatewayEvents['hubOnline'][]
let changes: GatewayEvents['dataChange'][]
let faulty: GatewayEvents['reportFaulty']['faults'][number][]
let well: (readonly string[])[]

beforeAll(async () => {
  test = await createTestDb()
  db = test.db
  const at = 0
  await db.query(sql`insert into companies values (${TENANT}, 'c', '', null, ${at})`)
  await db.query(sql`insert into homes (tenant, home_id, home_name, time_zone, created_at)
    values (${TENANT}, 'home-1', 'h', 'Asia/Taipei', 0)`)
  await db.query(sql`insert into rooms values (${TENANT}, 'home-1', 0, 'r')`)
})
afterAll(() => test.dropDatabase())

beforeEach(async () => {
  await db.query(sql`delete from things`)
  for (const name of ['hub-1', 'hub-2'])
    await db.query(sql`insert into things (tenant, thing_name, device_name, home_id, secret_hash, created_at)
      values (${TENANT}, ${name}, ${name}, 'home-1', '\\x00', 0)`)
  clock = holdClock()
  log = createLogBook()
  published = []
  hubOnline = []
  changes = []
  registry = new Registry()
  const events = createEvents(() => {})
  events.on('hubOnline', (event) => void hubOnline.push(event))
  events.on('dataChange', (event) => void changes.push(event))
  faulty = []
  well = []
  events.on('reportFaulty', ({ faults }) => void faulty.push(...faults))
  events.on('reportWell', ({ fields }) => void well.push(fields))
  shadows = open(db, events)
})

/** A hub connects, or its last connection ends. */
const connection = (thingName: string, online: boolean): Promise<void> =>
  db
    .transaction((tx) => shadows.presence(tx, [{ thingName, at: clock.now() }], online))
    .then((then) => then())

function open(through: Db, events = createEvents(() => {})) {
  registry.clear()
  return createShadows({
    db: through,
    clock,
    log,
    metrics: registry,
    events,
    broker: {
      publish: async (topic, payload) =>
        void published.push({ topic, payload: JSON.parse(JSON.stringify(payload)) }),
    },
  })
}

const send = (name: 'shadowGet' | 'shadowUpdate', shadowName: ShadowName, payload: unknown) => {
  const bytes =
    payload instanceof Uint8Array
      ? payload
      : Buffer.from(payload === undefined ? '' : JSON.stringify(payload))
  return shadows.receive({ name, values: { thingName: 'hub-1', shadowName } }, bytes, hub)
}
const update = (shadowName: ShadowName, payload: unknown) => send('shadowUpdate', shadowName, payload)
const get = (shadowName: ShadowName, payload?: unknown) => send('shadowGet', shadowName, payload)
const topic = (verb: 'get' | 'update', end: string, shadowName: ShadowName = 'info') =>
  `$aws/things/hub-1/shadow/name/${shadowName}/${verb}/${end}`
const answers = () => published.map((message) => message.topic.split('/').slice(-2).join('/'))
const thing = async () =>
  (
    await db.query<{ online: boolean; seen: number | null }>(
      sql`select online, seen_at as seen from things where thing_name = 'hub-1'`,
    )
  )[0]

describe('a named shadow', () => {
  it('answers a get with 404 before the first update, and with the document after it', async () => {
    await get('info', { clientToken: 'a' })
    expect(published[0]).toMatchObject({
      topic: topic('get', 'rejected'),
      payload: { code: 404, clientToken: 'a' },
    })
    await update('info', { state: { reported: { FirmwareVersion: '1.0' } }, clientToken: 'b' })
    await get('info')
    const at = Math.floor(clock.now() / 1000)
    expect(published.at(-1)).toEqual({
      topic: topic('get', 'accepted'),
      payload: {
        state: { reported: { FirmwareVersion: '1.0' } },
        metadata: { reported: { FirmwareVersion: { timestamp: at } } },
        version: 1,
        timestamp: at,
      },
    })
  })

  it.each([
    ['nested a hundred thousand times', `{"state":{"reported":{"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}}}`],
    ['with half a character', '{"state":{"reported":{"x":"\\ud800"}}}'],
    ['with half a character in a name', '{"state":{"reported":{"\\udc00":1}}}'],
    ['with a zero byte', '{"state":{"reported":{"x":"\\u0000"}}}'],
  ])('rejects an update that is %s', async (_what, payload) => {
    await update('info', Buffer.from(payload))
    expect(published).toMatchObject([{ topic: topic('update', 'rejected'), payload: { code: 400 } }])
  })

  it('keeps a text that only looks like an escape', async () => {
    const reported = { x: '\\u0000 \\ud800' }
    await update('info', { state: { reported } })
    expect(published[0]).toMatchObject({
      topic: topic('update', 'accepted'),
      payload: { state: { reported } },
    })
  })

  it('answers an update with its changes, and every answer matches the contract', async () => {
    await update('info', { state: { desired: { mode: 2 }, reported: { mode: 1 } }, clientToken: 'tok' })
    await get('info')
    const at = Math.floor(clock.now() / 1000)
    expect(published[0]?.payload).toEqual({
      state: { desired: { mode: 2 }, reported: { mode: 1 } },
      metadata: { desired: { mode: { timestamp: at } }, reported: { mode: { timestamp: at } } },
      version: 1,
      timestamp: at,
      clientToken: 'tok',
    })
    expect(published[1]).toMatchObject({
      topic: topic('update', 'delta'),
      payload: { state: { mode: 2 }, version: 1, clientToken: 'tok' },
    })
    expect(published[2]?.payload.state).toEqual({
      desired: { mode: 2 },
      reported: { mode: 1 },
      delta: { mode: 2 },
    })
    for (const [name, message] of [
      ['shadowUpdateAccepted', published[0]],
      ['shadowUpdateDelta', published[1]],
      ['shadowGetAccepted', published[2]],
    ] as const)
      expect(channels[name].payload.safeParse(message?.payload).success).toBe(true)
  })

  it('increments its version, and rejects another with 409 without changes', async () => {
    await update('info', { state: { reported: { a: 1 } } })
    await update('info', { state: { reported: { a: 2 } }, version: 1 })
    await update('info', { state: { reported: { a: 3, online: true } }, version: 1, clientToken: 'late' })
    expect(published.at(-1)).toMatchObject({
      topic: topic('update', 'rejected'),
      payload: { code: 409, clientToken: 'late' },
    })
    await get('info')
    expect(published.at(-1)?.payload).toMatchObject({ state: { reported: { a: 2 } }, version: 2 })
    expect(await thing()).toMatchObject({ online: false })
  })

  it('gives each of many concurrent updates its own version', async () => {
    const other = open(db)
    const sends = Array.from({ length: 20 }, (_, i) => {
      const bytes = Buffer.from(JSON.stringify({ state: { reported: { [`k${i}`]: i } } }))
      const match = { name: 'shadowUpdate', values: { thingName: 'hub-1', shadowName: 'info' } } as const
      return (i % 2 ? other : shadows).receive(match, bytes, hub)
    })
    await Promise.all(sends)
    const versions = published.map(({ payload }) => payload.version as number).sort((a, b) => a - b)
    expect(versions).toEqual(sends.map((_, i) => i + 1))
  })

  it.each([
    ['no JSON', Buffer.from('{"state":'), 400],
    ['no text', Buffer.from([0xff, 0xfe]), 400],
    ['a list', [], 400],
    ['no state', {}, 400],
    ['a state that is null', { state: null }, 400],
    ['another node', { state: { wished: {} } }, 400],
    ['a section that is a text', { state: { reported: 'x' } }, 400],
    ['a long token', { state: {}, clientToken: 'x'.repeat(65) }, 400],
    ['seven levels', { state: { reported: { a: { b: { c: { d: { e: { f: {} } } } } } } } }, 400],
    ['a zero byte', { state: { reported: { a: 'x\0' } } }, 400],
    ['an online that is no boolean', { state: { reported: { online: 'yes' } } }, 400],
    ['a version that is no number', { state: {}, version: '1' }, 400],
    ['more than 8 KB', { state: { reported: { a: 'x'.repeat(8200) } } }, 413],
  ] as [string, unknown, number][])('rejects %s', async (_what, payload, code) => {
    await update('info', payload)
    expect(published).toEqual([
      { topic: topic('update', 'rejected'), payload: expect.objectContaining({ code }) as unknown },
    ])
    expect(await db.query(sql`select from shadows`)).toEqual([])
  })

  it('leaves the message to the broker while the database is unavailable', async () => {
    const away = { ...db, transaction: () => Promise.reject(new GatewayError('UNAVAILABLE', 'away')) } as Db
    shadows = open(away)
    await expect(update('info', { state: { reported: { a: 1 } } })).rejects.toThrow('away')
    expect(published).toEqual([])
  })

  it('is not accessible to another company', async () => {
    const foreign = { ...hub, tenant: '22222222-2222-4222-8222-222222222222' }
    const match = { name: 'shadowUpdate', values: { thingName: 'hub-1', shadowName: 'info' } } as const
    await shadows.receive(match, Buffer.from('{"state":{}}'), foreign)
    expect(published[0]?.payload).toMatchObject({ code: 404 })
  })
})

describe('the info shadow', () => {
  it('publishes once that a hub is online, requests its status, and publishes when it disconnects', async () => {
    await update('info', { state: { reported: { online: true } } })
    await update('info', { state: { reported: { online: true } } })
    expect(hubOnline).toEqual([
      { tenant: TENANT, homeId: 'home-1', thingName: 'hub-1', online: true, at: clock.now() },
    ])
    expect(await thing()).toEqual({ online: true, seen: clock.now() })
    expect(answers()).toEqual(['update/accepted', 'status/request', 'update/accepted'])
    await update('info', { state: { reported: { online: false } } })
    expect(hubOnline.at(-1)).toMatchObject({ online: false })
    expect(await thing()).toMatchObject({ online: false })
  })

  it('follows the connection too, and shows it in the document', async () => {
    await connection('hub-1', true)
    expect(await thing()).toMatchObject({ online: true })
    await get('info')
    expect(published.at(-1)?.payload.state).toEqual({ reported: { online: true } })
    await connection('hub-1', false)
    expect(hubOnline.map(({ online }) => online)).toEqual([true, false])
  })

  it('marks every hub offline at startup', async () => {
    await connection('hub-1', true)
    clock.advance(60_000)
    await shadows.markAllOffline()
    expect(await thing()).toMatchObject({ online: false })
    expect(hubOnline.at(-1)).toMatchObject({ thingName: 'hub-1', online: false, at: clock.now() })
    await get('info')
    expect(published.at(-1)?.payload).toMatchObject({
      state: { reported: { online: false } },
      metadata: { reported: { online: { timestamp: Math.floor(clock.now() / 1000) } } },
      version: 2,
    })
  })

  const absences = () =>
    db.query(sql`select since, until from hub_absences where thing_name = 'hub-1' order by since`)

  it('stores when a hub was offline', async () => {
    const start = clock.now()
    await connection('hub-1', true)
    expect(await absences()).toEqual([])
    clock.advance(60_000)
    await connection('hub-1', false)
    await update('info', { state: { reported: { online: false } } })
    expect(await absences()).toEqual([{ since: start + 60_000, until: null }])
    clock.advance(60_000)
    await update('info', { state: { reported: { FirmwareVersion: '2' } } })
    await connection('hub-1', true)
    expect(await absences()).toEqual([{ since: start + 60_000, until: start + 120_000 }])
  })

  it('treats a hub left online by a crash as offline since the last write', async () => {
    const start = clock.now()
    await connection('hub-1', true)
    await db.query(sql`insert into peripherals
        (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
      values (${TENANT}, 'other', '754', 'other', 'home-1', 'hub-2', 0)`)
    await db.query(sql`insert into device_status
        (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
      values (${TENANT}, 'other', 'home-1', '754', 0, '{}', ${start + 30_000})`)
    clock.advance(3_600_000)
    await shadows.markAllOffline()
    expect(await absences()).toEqual([{ since: start + 30_000, until: null }])
    await shadows.markAllOffline()
    expect(await absences()).toHaveLength(1)
  })

  it('marks ten thousand hubs and their devices offline in five statements', async () => {
    await db.query(sql`insert into things (tenant, thing_name, device_name, home_id, secret_hash, online, created_at)
      select ${TENANT}, 'many-' || n, 'many', 'home-1', '\\x00', true, 0 from generate_series(1, 10000) n`)
    const events = createEvents(() => {})
    events.on('hubOnline', (event) => void hubOnline.push(event))
    let statements = 0
    const count = (on: Db): Db => ({
      ...on,
      query: (query) => {
        statements++
        return on.query(query)
      },
      transaction: (work) => on.transaction((tx) => work(count(tx))),
    })
    const counting = count(db)
    await open(counting, events).markAllOffline()
    expect(statements).toBe(5)
    expect(hubOnline).toHaveLength(10_000)
    expect(await db.query(sql`select count(*) as n from things where online`)).toEqual([{ n: 0 }])
  })

  it("requests a hub's status when it subscribes", async () => {
    shadows.subscribed(hub, `${TENANT}/home-1/control/command/hub-1`)
    expect(published).toEqual([])
    shadows.subscribed(hub, `${TENANT}/home-1/status/request`)
    expect(published).toEqual([
      { topic: `${TENANT}/home-1/status/request`, payload: { Timestamp: clock.now() } },
    ])
  })

  it('requests again from reconnected hubs of a home once after a second, not for each of them', async () => {
    const topic = `${TENANT}/home-1/status/request`
    const asked = () => published.filter((one) => one.topic === topic).length
    for (let i = 0; i < 100; i++) shadows.subscribed({ ...hub, thingName: `hub-${i}` }, topic)
    await new Promise(setImmediate)
    expect(asked()).toBe(1)
    clock.advance(1_000)
    expect(asked()).toBe(2)
    await new Promise(setImmediate)
    clock.advance(60_000)
    expect(asked()).toBe(2)
  })

  it('publishes nothing for a deleted hub', async () => {
    await connection('hub-x', true)
    expect(published).toEqual([])
    expect(log.lines).toEqual([])
  })
})

describe('the registration shadow', () => {
  const announce = (...Peripherals: unknown[]) =>
    update('registration', { state: { reported: { Peripherals } } })
  const lamp = { PeripheralUID: 'lamp-1', PeripheralType: '516', PeripheralName: 'Lamp' }

  it('keeps at most two thousand undecided devices of a hub, the newest', async () => {
    await db.query(sql`
      insert into discoveries (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, discovered_at)
      select ${TENANT}::uuid, 'old-' || n, '516', 'old', 'home-1', 'hub-1', n from generate_series(1, 2000) n`)
    await announce(lamp)
    const [kept] = await db.query<{ count: number; oldest: number; lamp: boolean }>(sql`
      select count(*) as count, min(discovered_at) as oldest, bool_or(peripheral_uid = 'lamp-1') as lamp from discoveries`)
    expect(kept).toEqual({ count: 2000, oldest: 2, lamp: true })
  })

  it('stores announced devices as discovered and publishes them once', async () => {
    await announce(lamp, { PeripheralUID: 'm-1', PeripheralType: '513' }, lamp)
    await announce(lamp)
    expect(
      changes.map(({ name, record }) => [name, (record as { PeripheralUID: string }).PeripheralUID]),
    ).toEqual([
      ['discovery.add', 'lamp-1'],
      ['discovery.add', 'm-1'],
    ])
    expect(changes[1]).toMatchObject({
      tenant: TENANT,
      by: null,
      record: { PeripheralName: 'm-1', HomeID: 'home-1', ThingName: 'hub-1', DiscoveredAt: clock.now() },
    })
  })

  it('does not change added devices, and counts contradictions', async () => {
    for (const [uid, type, owner] of [
      ['lamp-1', '516', 'hub-1'],
      ['lamp-2', '516', 'hub-1'],
      ['lamp-3', '516', 'hub-2'],
    ])
      await db.query(sql`insert into peripherals (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
        values (${TENANT}, ${uid}, ${type}, 'p', 'home-1', ${owner}, 0)`)
    await announce(
      lamp,
      { PeripheralUID: 'lamp-2', PeripheralType: '513' },
      { PeripheralUID: 'lamp-3', PeripheralType: '516' },
    )
    expect(changes).toEqual([])
    expect(await db.query(sql`select from discoveries`)).toEqual([])
    const types = await db.query(sql`select peripheral_type from peripherals where peripheral_uid = 'lamp-2'`)
    expect(types).toEqual([{ peripheral_type: '516' }])
    const { values } = (await registry.getSingleMetric('shadow_mismatches_total')?.get()) ?? { values: [] }
    expect(values.map(({ labels, value }) => [labels.reason, value]).sort()).toEqual([
      ['hub', 1],
      ['type', 1],
    ])
  })

  it('keeps a discovered device with the hub that announced it first, and counts the other', async () => {
    await announce(lamp)
    const thief: HubClient = { ...hub, thingName: 'hub-2' }
    const match = {
      name: 'shadowUpdate',
      values: { thingName: 'hub-2', shadowName: 'registration' },
    } as const
    const payload = Buffer.from(
      JSON.stringify({ state: { reported: { Peripherals: [{ ...lamp, PeripheralName: 'Mine' }] } } }),
    )
    await shadows.receive(match, payload, thief)
    const waiting = () =>
      db.query(
        sql`select thing_name as hub, peripheral_name as name from discoveries where peripheral_uid = 'lamp-1'`,
      )
    expect(await waiting()).toEqual([{ hub: 'hub-1', name: 'Lamp' }])
    expect(changes).toHaveLength(1)
    const { values } = (await registry.getSingleMetric('shadow_mismatches_total')?.get()) ?? { values: [] }
    expect(values).toMatchObject([{ labels: { reason: 'hub' }, value: 1 }])
    await db.query(sql`delete from things where thing_name = 'hub-1'`)
    await shadows.receive(match, payload, thief)
    expect(await waiting()).toEqual([{ hub: 'hub-2', name: 'Mine' }])
  })

  it('rejects an update without a device with a valid id and type, naming it', async () => {
    await announce({ PeripheralUID: 'a b', PeripheralType: '516' })
    expect(published[0]).toMatchObject({
      topic: topic('update', 'rejected', 'registration'),
      payload: { code: 400, message: 'Invalid state.reported.Peripherals.0.PeripheralUID' },
    })
    expect(changes).toEqual([])
  })

  it('accepts valid devices next to one with a bad id, name, type or version', async () => {
    await announce(
      lamp,
      { PeripheralUID: 'a b', PeripheralType: '516' },
      { PeripheralUID: 'no-type' },
      { PeripheralUID: 'nul', PeripheralType: 516, PeripheralName: 'x\0' },
      { PeripheralUID: 'long', PeripheralType: '516', PeripheralName: 'x'.repeat(65), FirmwareVersion: 1 },
      { PeripheralUID: 'plain', PeripheralType: '516', PeripheralName: '', FirmwareVersion: null },
      'lamp',
    )
    expect(published[0]).toMatchObject({
      topic: topic('update', 'accepted', 'registration'),
      payload: {
        state: {
          reported: {
            Peripherals: [
              lamp,
              { PeripheralUID: 'nul', PeripheralType: '516' },
              { PeripheralUID: 'long', PeripheralType: '516' },
              { PeripheralUID: 'plain', PeripheralType: '516' },
            ],
          },
        },
      },
    })
    const found = await db.query<{ uid: string; name: string }>(sql`
      select peripheral_uid as uid, peripheral_name as name from discoveries order by 1`)
    expect(found.map(({ uid, name }) => [uid, name])).toEqual([
      ['lamp-1', lamp.PeripheralName],
      ['long', 'long'],
      ['nul', 'nul'],
      ['plain', 'plain'],
    ])
    expect(faulty.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      'Peripherals.1.PeripheralUID value',
      'Peripherals.no-type.PeripheralType missing',
      'Peripherals.nul.PeripheralName value',
      'Peripherals.long.PeripheralName value',
      'Peripherals.long.FirmwareVersion value',
      'Peripherals.6 value',
    ])
  })

  it('records rejections and bad devices, and clears them once valid', async () => {
    await announce({ ...lamp, PeripheralName: 7 }, { ...lamp, PeripheralUID: 'lamp-2', PeripheralName: 7 })
    faulty = []
    await announce(lamp)
    expect(faulty).toEqual([])
    expect(well).toEqual([['Peripherals.lamp-1.PeripheralName']])
    await update('registration', { state: { reported: { a: 'x'.repeat(8200) } } })
    expect(faulty).toMatchObject([{ field: '', reason: 'malformed', value: expect.stringContaining('size') }])
  })

  it('of info ignores an invalid version or time, but never a connection change', async () => {
    const FirmwareVersion = 'x'.repeat(65)
    await update(
      'info',
      Buffer.from(
        `{"state":{"reported":{"online":true,"Timestamp":NaN,"FirmwareVersion":"${FirmwareVersion}"}}}`,
      ),
    )
    expect(await thing()).toMatchObject({ online: true })
    expect(faulty.map(({ field }) => field)).toEqual(['Timestamp', 'FirmwareVersion'])
    await update('info', { state: { reported: { online: false, Timestamp: 'later' } } })
    expect(await thing()).toMatchObject({ online: false })
  })

  it('of info reports the clock offset of a hub, and that it is correct again', async () => {
    const tell = (off: number) =>
      update('info', { state: { reported: { online: true, Timestamp: clock.now() + off } } })
    await tell(3_600_000)
    await tell(-3_600_000)
    await tell(-60_000)
    expect(faulty.map(({ field, reason, value }) => [field, reason, value])).toEqual([
      ['Timestamp', 'clockAhead', 3_600_000],
      ['Timestamp', 'clockBehind', 3_600_000],
    ])
    expect(well).toEqual([['Timestamp']])
  })
})
