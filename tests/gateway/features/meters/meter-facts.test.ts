import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EnergySeries } from '../../../../contract/energy/meter-data-calls.ts'
import type { MeterFact } from '../../../../contract/meters/fact-calls.ts'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { parseDay, startOfDay } from '../../../../contract/time/periods.ts'
import { rollUpHomes } from '../../../../gateway/features/energy/rollup/roll-up-home.ts'
import { openDb } from '../../../../gateway/store/db.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { silentLog, testSocketDir } from '../../../support/postgres.ts'
import { addMeter, addSite, seeded, type Site, storeEnergy } from '../../../support/stored-energy.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'
import { store } from '../energy/rollup/meters.ts'

let world: World
let root: Caller
let site: Site
let rooms: { kitchen: number; hall: number }
let count = 0
/** Monday 5 January 2026, 09:00 in Taipei. */
const TODAY = '2026-01-05'
const at = (date: string) => startOfDay(parseDay(date), 'Asia/Taipei')

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())
/** Home with a main meter, an air conditioner below it in the kitchen, and an elevator; each has counted since November. */
beforeEach(async () => {
  site = await addSite(root, `Home ${(count += 1)}`)
  const room = async (RoomName: string): Promise<number> =>
    (await root.post('/CreateRoom', { HomeID: site.HomeID, RoomName })).results.RoomID
  rooms = { kitchen: await room('Kitchen'), hall: await room('Hall') }
  const random = seeded(count)
  for (const [name, options] of [
    ['main', {}],
    ['air', { RoomID: rooms.kitchen, parent: uid('main') }],
    ['lift', {}],
  ] as const) {
    const meter = await addMeter(world, root, site, uid(name), options)
    await storeEnergy(world, site, meter, [at('2025-11-01'), world.clock.now()], () => random())
  }
})

const uid = (name: string) => `${name}-${count}`
const set = (name: string, Fact: string, Value: unknown, From: string | null, more: object = {}) =>
  root.post('/SetMeterFact', { HomeID: site.HomeID, MeterID: uid(name), Fact, Value, From, ...more })
const forget = (name: string, Fact: string, From: string | null) =>
  root.post('/DeleteMeterFact', { HomeID: site.HomeID, MeterID: uid(name), Fact, From })
const move = (name: string, RoomID: number) =>
  root.post('/UpdatePeripheralInfo', { HomeID: site.HomeID, PeripheralUID: uid(name), RoomID })
const put = (name: string, parent: string | null) =>
  root.post('/UpdatePeripheralAdvanceInfo', {
    HomeID: site.HomeID,
    PeripheralUID: uid(name),
    ParentMeter: parent,
  })
async function energy(By: string, Resolution: string, from: string, to: string): Promise<EnergySeries[]> {
  const { status, results } = await root.post('/GetEnergySeries', {
    HomeID: site.HomeID,
    From: at(from),
    To: at(to),
    Resolution,
    By,
  })
  if (status.code !== 0) throw new Error(JSON.stringify(status))
  return results.Series
}
/** kWh of each line, rounded. */
async function sums(By: string, from: string, to: string): Promise<Record<string, number>> {
  const series = await energy(By, 'day', from, to)
  return Object.fromEntries(
    series.map(({ Key, Points }) => [
      Key,
      Math.round(Points.reduce((sum, { kWh }) => sum + (kWh ?? 0), 0) * 1e6) / 1e6,
    ]),
  )
}
/** All responses for a period, as one string for byte-by-byte comparison. */
async function answers(from: string, to: string, resolutions = ['month', 'day', 'hour']): Promise<string> {
  const all: unknown[] = []
  for (const By of ['home', 'meter', 'room', 'use', 'category', 'band'])
    for (const Resolution of resolutions) all.push(await energy(By, Resolution, from, to))
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}
const device = async (name: string) =>
  (await root.post('/GetPeripheralById', { HomeID: site.HomeID, PeripheralUID: uid(name) })).results
    .Peripheral
const facts = async (name: string): Promise<MeterFact[]> =>
  (await root.post('/ListMeterFact', { HomeID: site.HomeID, MeterID: uid(name) })).results

describe('a meter that is moved', () => {
  it('leaves every answer about last year the same, byte by byte, whoever moves it', async () => {
    const before = await answers('2025-11-01', '2026-01-01')
    await move('air', rooms.hall)
    await move('main', rooms.kitchen)
    await move('lift', rooms.kitchen)
    await put('lift', uid('main'))
    await put('air', null)
    expect(await answers('2025-11-01', '2026-01-01')).toBe(before)
    await rollUpHomes(world.db, silentLog, () => false)
    expect(await answers('2025-11-01', '2026-01-01')).toBe(before)
  })

  it('counts in its new room and below its new parent from today on', async () => {
    const was = await sums('room', TODAY, '2026-01-06')
    await move('air', rooms.hall)
    await put('lift', uid('main'))
    const is = await sums('room', TODAY, '2026-01-06')
    expect(is[rooms.hall]).toBe(was[rooms.kitchen])
    expect(is[rooms.kitchen]).toBeUndefined()
    const day = await sums('meter', TODAY, '2026-01-06')
    const [home] = Object.values(await sums('home', TODAY, '2026-01-06'))
    expect(home).toBeCloseTo((day[uid('air')] ?? 0) + (day[uid('lift')] ?? 0) + (day['untracked'] ?? 0), 5)
    const [main] = Object.values(
      Object.fromEntries(
        (
          await root.post('/GetEnergySeries', {
            HomeID: site.HomeID,
            From: at(TODAY),
            To: at('2026-01-06'),
            Resolution: 'day',
            PeripheralUIDs: [uid('main')],
          })
        ).results.Series.map(({ Key, Points }: EnergySeries) => [Key, Points[0]?.kWh]),
      ),
    )
    expect(home).toBeCloseTo(main as number, 5)
  })

  it('adds up the same by quarter, hour, day and month', async () => {
    await set('air', 'room', rooms.hall, '2025-11-20')
    await set('air', 'parent', null, '2025-12-10')
    await set('lift', 'parent', uid('main'), '2025-12-24')
    for (const By of ['home', 'room', 'meter']) {
      const of = async (Resolution: string) =>
        Object.fromEntries(
          (await energy(By, Resolution, '2025-11-01', '2026-01-01')).map(({ Key, Points }) => [
            Key,
            {
              kWh: Math.round(Points.reduce((sum, { kWh }) => sum + (kWh ?? 0), 0) * 1e6) / 1e6,
              known: Points.reduce((sum, { Coverage }) => sum + Coverage.Measured, 0),
              missing: Points.reduce((sum, { Coverage }) => sum + Coverage.Missing, 0),
            },
          ]),
        )
      const days = await of('day')
      expect(await of('hour')).toEqual(days)
      expect(await of('month')).toEqual(days)
    }
  })

  it('counts there in the past too, if a person says so', async () => {
    const was = await sums('room', '2025-11-01', TODAY)
    const { status, results } = await set('air', 'room', rooms.hall, null)
    expect(status).toEqual({ code: 0 })
    expect(results).toMatchObject([{ From: null, Value: rooms.hall, Fact: 'room' }])
    const is = await sums('room', '2025-11-01', TODAY)
    expect(is[rooms.hall]).toBe(was[rooms.kitchen])
    expect((await device('air')).RoomID).toBe(rooms.hall)
  })

  it('counts elsewhere from a day on, and in its former place when that is undone', async () => {
    const before = await answers('2025-11-01', TODAY)
    const kept = await answers('2025-11-01', '2025-12-05', ['day', 'hour'])
    await set('air', 'room', rooms.hall, '2025-12-05')
    await set('air', 'parent', null, '2025-12-05')
    expect(await answers('2025-11-01', '2025-12-05', ['day', 'hour'])).toBe(kept)
    expect(await answers('2025-11-01', TODAY)).not.toBe(before)
    expect(await device('air')).toMatchObject({ RoomID: rooms.hall, ParentMeter: null })
    await forget('air', 'room', '2025-12-05')
    await forget('air', 'parent', '2025-12-05')
    expect(await answers('2025-11-01', TODAY)).toBe(before)
    expect(await device('air')).toMatchObject({ RoomID: rooms.kitchen, ParentMeter: uid('main') })
  })

  it('counts in its former place if it is moved back the same day', async () => {
    await move('air', rooms.hall)
    await move('air', rooms.kitchen)
    expect((await facts('air')).map(({ From, Value }) => [From, Value])).toEqual([[null, rooms.kitchen]])
  })

  it('recomputes only the months in which that makes a difference', async () => {
    await energy('home', 'month', '2025-11-01', '2026-02-01')
    await rollUpHomes(world.db, silentLog, () => false)
    const stamps = () =>
      world.db.query<{ month: number; stamp: string }>(sql`select month, xmin::text as stamp from home_months
        where home_id = ${site.HomeID} order by 1`)
    const before = await stamps()
    await put('lift', uid('main'))
    await energy('home', 'month', '2025-11-01', '2026-02-01')
    const after = await stamps()
    expect(before.length).toBe(3)
    expect(after).toEqual(before.slice(0, 2))
  })

  it('has no history in a place where it never counted', async () => {
    await addMeter(world, root, site, uid('new'))
    await world.db.query(sql`delete from meters where peripheral_uid = ${uid('new')}`)
    await move('new', rooms.hall)
    expect(await facts('new')).toEqual([])
  })

  it('counts in its new place when it is removed and added again, and its past stays', async () => {
    const before = await answers('2025-11-01', '2026-01-01')
    await move('lift', rooms.kitchen)
    await root.post('/RemovePeripheral', { HomeID: site.HomeID, PeripheralUID: uid('lift') })
    const { status } = await root.post('/AddPeripherals', {
      HomeID: site.HomeID,
      RoomID: rooms.hall,
      Peripherals: [{ PeripheralUID: uid('lift'), PeripheralName: 'lift' }],
    })
    expect(status).toEqual({ code: 0 })
    expect(await answers('2025-11-01', '2026-01-01')).toBe(before)
    expect((await facts('lift')).at(-1)).toMatchObject({ From: TODAY, Value: rooms.hall })
  })

  it('gets back no sub-meters when it is removed and added again', async () => {
    const before = await answers('2025-11-01', '2026-01-01')
    await root.post('/RemovePeripheral', { HomeID: site.HomeID, PeripheralUID: uid('main') })
    await root.post('/AddPeripherals', {
      HomeID: site.HomeID,
      RoomID: 0,
      Peripherals: [{ PeripheralUID: uid('main'), PeripheralName: 'main' }],
    })
    expect(await answers('2025-11-01', '2026-01-01')).toBe(before)
    expect((await device('air')).ParentMeter).toBeNull()
    expect((await facts('air')).map(({ Fact, From, Value }) => [Fact, From, Value])).toEqual([
      ['parent', null, uid('main')],
      ['parent', TODAY, null],
    ])
    expect(Object.values(await sums('home', TODAY, '2026-01-06'))[0]).toBeGreaterThan(0)
  })

  it("shows today's role on its device, even when that is added again", async () => {
    await addMeter(world, root, site, uid('roof'))
    const role = async () => (await device('roof')).Role
    expect(await role()).toBeNull()
    await set('roof', 'role', 'generation', '2025-12-05')
    expect(await role()).toBe('generation')
    await root.post('/RemovePeripheral', { HomeID: site.HomeID, PeripheralUID: uid('roof') })
    await root.post('/AddPeripherals', {
      HomeID: site.HomeID,
      RoomID: rooms.hall,
      Peripherals: [{ PeripheralUID: uid('roof'), PeripheralName: 'roof' }],
    })
    expect(await role()).toBe('generation')
    await forget('roof', 'role', '2025-12-05')
    expect(await role()).toBeNull()
  })
})

describe('the use of a meter', () => {
  it('divides the energy of a home: as configured on each day, else by the name of the meter', async () => {
    const of = (By: string) => sums(By, '2025-11-01', '2025-12-01')
    const byMeter = await of('meter')
    expect(Object.keys(await of('use')).toSorted()).toEqual(['unknown', 'untracked'])
    await root.post('/UpdatePeripheralInfo', {
      HomeID: site.HomeID,
      PeripheralUID: uid('air'),
      PeripheralName: '三樓空調',
    })
    expect(await of('use')).toEqual({
      airConditioning: byMeter[uid('air')],
      unknown: byMeter[uid('lift')],
      untracked: byMeter['untracked'],
    })
    for (const Value of ['it', 'sockets', 'production', 'evCharging', 'lighting', 'other'])
      expect((await set('air', 'use', Value, null)).status).toEqual({ code: 0 })
    await set('lift', 'use', 'production', '2025-11-15')
    const is = await of('use')
    expect(is).toMatchObject({ other: byMeter[uid('air')], untracked: byMeter['untracked'] })
    expect((is['unknown'] ?? 0) + (is['production'] ?? 0)).toBeCloseTo(byMeter[uid('lift')] ?? 0, 5)
    expect(is['production']).toBe((await sums('meter', '2025-11-15', '2025-12-01'))[uid('lift')])
  })

  it('is one of a known set, and those of 1.1.0 are kept', async () => {
    for (const Value of ['airConditioning', 'lighting', 'other'])
      expect((await set('air', 'use', Value, null)).status).toEqual({ code: 0 })
    expect((await set('air', 'use', 'heating', null)).status).toMatchObject({ code: ERRORS.INVALID.code })
  })
})

describe('a room that is deleted', () => {
  it('keeps its energy and its name in the past', async () => {
    const was = await sums('room', '2025-11-01', TODAY)
    expect((await root.post('/DeleteRoom', { HomeID: site.HomeID, RoomID: rooms.kitchen })).status.code).toBe(
      0,
    )
    expect(await sums('room', '2025-11-01', TODAY)).toEqual(was)
    expect(await sums('room', TODAY, '2026-01-06')).not.toHaveProperty(String(rooms.kitchen))
    const { results } = await root.post('/ListEndedRoom', { HomeID: site.HomeID })
    expect(results).toEqual([{ RoomID: rooms.kitchen, RoomName: 'Kitchen', RemovedAt: world.clock.now() }])
    const back = await set('air', 'room', rooms.kitchen, TODAY)
    expect(back.status).toMatchObject({ code: ERRORS.NOT_FOUND.code, fields: { Value: 'notFound' } })
  })
})

describe('a meter fact', () => {
  it('is published to screens with the meter and the moved device', async () => {
    const told = world.events.length
    await set('air', 'room', rooms.hall, null)
    const names = world.events
      .slice(told)
      .flatMap(({ event }) => ('name' in event && 'record' in event ? [event.name] : []))
    expect(names).toEqual(expect.arrayContaining(['metering.update', 'peripheral.update']))
  })

  it('is rejected for a future day, an unknown room or parent, and a loop on any day', async () => {
    const refusals = [
      await set('air', 'room', rooms.hall, '2026-01-06'),
      await set('air', 'room', 99, null),
      await set('air', 'parent', 'nobody', null),
      await set('nobody', 'room', 0, null),
      await set('main', 'parent', uid('air'), null),
    ].map(({ status }) => status.fields)
    expect(refusals).toEqual([
      { From: 'future' },
      { Value: 'notFound' },
      { Value: 'notFound' },
      { MeterID: 'notFound' },
      { Value: 'loop' },
    ])
    // There is no parent today, but there was one in December.
    await put('air', null)
    expect((await set('main', 'parent', uid('air'), '2025-12-01')).status.fields).toEqual({ Value: 'loop' })
    expect((await set('main', 'parent', uid('air'), TODAY)).status).toEqual({ code: 0 })
    expect((await device('main')).ParentMeter).toBe(uid('air'))
  })

  it('is rejected if someone else has changed the history meanwhile', async () => {
    const Seen = [{ From: null, Value: rooms.kitchen }]
    await set('air', 'room', rooms.hall, '2025-12-05')
    const { status } = await set('air', 'room', 0, TODAY, { Seen })
    expect(status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { Seen: 'changed' } })
  })

  it('is listed by meter, and by kind of fact', async () => {
    await set('air', 'role', 'load', null)
    await set('main', 'limit', 900, null)
    const list = async (more: object) =>
      (await root.post('/ListMeterFact', { HomeID: site.HomeID, ...more })).results.map(
        ({ MeterID, Fact }: MeterFact) => `${MeterID} ${Fact}`,
      )
    expect(await list({})).toEqual([`${uid('air')} role`, `${uid('main')} limit`])
    expect(await list({ Fact: 'role' })).toEqual([`${uid('air')} role`])
    expect(await list({ MeterID: uid('main'), Fact: 'role' })).toEqual([])
  })

  it('is stored once, however often the same request comes', async () => {
    const RequestID = 'the-same'
    const first = await set('air', 'room', rooms.hall, '2025-12-05', { RequestID })
    expect(await set('air', 'room', rooms.hall, '2025-12-05', { RequestID })).toEqual(first)
    expect(await facts('air')).toHaveLength(2)
  })

  it('requires the right to change energy, and another one to undo it', async () => {
    const reader = await world.createUser(root, [rights('electricity', 'Read', 'Update')])
    const said = { HomeID: site.HomeID, MeterID: uid('air'), Fact: 'room', From: TODAY }
    expect((await reader.post('/SetMeterFact', { ...said, Value: rooms.hall })).status).toEqual({ code: 0 })
    expect((await reader.post('/DeleteMeterFact', said)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
  })

  it('is not visible to other companies', async () => {
    const stranger = await world.signUp()
    for (const [path, more] of [
      ['/ListMeterFact', {}],
      ['/SetMeterFact', { MeterID: uid('air'), Fact: 'room', Value: 0, From: null }],
      ['/DeleteMeterFact', { MeterID: uid('air'), Fact: 'room', From: null }],
      ['/ListEndedRoom', {}],
    ] as const)
      expect((await stranger.post(path, { HomeID: site.HomeID, ...more })).status.code, path).toBe(
        ERRORS.NOT_FOUND.code,
      )
  })

  it('of the original place can be replaced, but not deleted', async () => {
    await set('air', 'room', rooms.hall, '2025-12-05')
    expect((await forget('air', 'room', null)).status.fields).toEqual({ From: 'required' })
    expect((await forget('air', 'room', '2025-12-06')).status.fields).toEqual({ From: 'notFound' })
  })
})

describe('an edge-case day', () => {
  it('can be 29 February, which no other year has', async () => {
    const leap = await addMeter(world, root, site, uid('leap'), { RoomID: rooms.kitchen })
    await storeEnergy(world, site, leap, [at('2024-02-28'), at('2024-03-02')], () => 1)
    expect((await set('leap', 'room', rooms.hall, '2024-02-29')).status).toEqual({ code: 0 })
    expect(await sums('room', '2024-02-28', '2024-03-01')).toMatchObject({
      [rooms.kitchen]: 96,
      [rooms.hall]: 96,
    })
    expect((await set('leap', 'room', 0, '2025-02-29')).status.fields).toEqual({ From: 'invalid' })
  })

  it('before the first reading has all energy counted since', async () => {
    const was = await sums('room', '2025-11-01', TODAY)
    await set('air', 'room', rooms.hall, '2025-01-01')
    const is = await sums('room', '2025-11-01', TODAY)
    expect(is[rooms.hall]).toBe(was[rooms.kitchen])
    expect((await sums('room', '2024-12-30', '2025-01-03'))[rooms.hall]).toBe(0)
  })

  it('of a meter replacement with a new role has one role and both counters', async () => {
    const swapped = await addMeter(world, root, site, uid('swapped'))
    const noon = at('2025-12-10') + 12 * 3_600_000
    const readings = Array.from({ length: 73 }, (_, hour) => {
      const moment = at('2025-12-09') + hour * 3_600_000
      return { timestamp: moment, kwh: moment < noon ? 1_000 + hour : hour - 36 }
    })
    await store(world.db, swapped, readings)
    const replaced = await root.post('/CreateMeterCorrection', {
      HomeID: site.HomeID,
      PeripheralUID: uid('swapped'),
      Kind: 'replacement',
      From: noon,
      OldKwh: 1_036,
      NewKwh: 0,
      Note: 'new meter',
    })
    expect(replaced.status).toEqual({ code: 0 })
    await set('swapped', 'role', 'check', '2025-12-10')
    const own = async (date: string) => {
      const range = { From: at(date), To: at(date) + 86_400_000, Resolution: 'day' }
      const { results } = await root.post('/GetEnergySeries', {
        HomeID: site.HomeID,
        ...range,
        PeripheralUIDs: [uid('swapped')],
      })
      return results.Series[0].Points[0].kWh
    }
    expect([await own('2025-12-09'), await own('2025-12-10'), await own('2025-12-11')]).toEqual([24, 24, 24])
    const before = await sums('home', '2025-12-09', '2025-12-10')
    await set('swapped', 'role', 'check', null)
    const without = await sums('home', '2025-12-09', '2025-12-10')
    expect((Object.values(before)[0] ?? 0) - (Object.values(without)[0] ?? 0)).toBeCloseTo(24, 6)
  })
})

describe('two gateways on one database', () => {
  it('never create a loop of two meters, and lose no change', async () => {
    const db = openDb({
      socketDir: testSocketDir(),
      database: world.dbName,
      max: 4,
      statementTimeoutMs: 0,
      log: silentLog,
    })
    const second = await startWorld({
      database: { db, name: world.dbName, dropDatabase: () => db.close() },
      clock: world.clock,
    })
    try {
      const say = (caller: Caller, name: string, Fact: string, Value: unknown) =>
        caller.post('/SetMeterFact', { HomeID: site.HomeID, MeterID: uid(name), Fact, Value, From: TODAY })
      const other = second.as(root)
      const both = await Promise.all([
        say(root, 'main', 'parent', uid('lift')),
        say(other, 'lift', 'parent', uid('main')),
        say(root, 'air', 'room', rooms.hall),
        say(other, 'air', 'limit', 50),
      ])
      expect(both.map(({ status }) => status.fields ?? null).filter((one) => one !== null)).toEqual([
        { Value: 'loop' },
      ])
      const said = (await facts('air')).map(({ Fact }) => Fact)
      expect(said).toEqual(expect.arrayContaining(['limit', 'room']))
    } finally {
      await second.close()
    }
  })
})

describe('a virtual meter', () => {
  it('has other terms from a day on, and its former terms before', async () => {
    const { results } = await root.post('/CreateVirtualMeter', {
      HomeID: site.HomeID,
      VirtualMeterName: 'Rest',
      Terms: [{ PeripheralUID: uid('main'), Factor: 1 }],
    })
    const id: string = results.VirtualMeterID
    const of = async (PeripheralUID: string, date: string): Promise<number> => {
      const answer = await root.post('/GetEnergySeries', {
        HomeID: site.HomeID,
        From: at(date),
        To: at(date) + 86_400_000,
        Resolution: 'day',
        PeripheralUIDs: [PeripheralUID],
      })
      return answer.results.Series[0].Points[0].kWh
    }
    const terms = { HomeID: site.HomeID, MeterID: id, Fact: 'terms', From: '2025-12-01' }
    const Value = [
      { PeripheralUID: uid('main'), Factor: 1 },
      { PeripheralUID: uid('air'), Factor: -1 },
    ]
    expect((await root.post('/SetMeterFact', { ...terms, Value })).status).toEqual({ code: 0 })
    expect(await of(id, '2025-11-30')).toBe(await of(uid('main'), '2025-11-30'))
    expect(await of(id, '2025-12-01')).toBeCloseTo(
      (await of(uid('main'), '2025-12-01')) - (await of(uid('air'), '2025-12-01')),
      6,
    )
    const list = async () => (await root.post('/ListVirtualMeter', { HomeID: site.HomeID })).results[0].Terms
    expect(await list()).toEqual(Value)
    await root.post('/DeleteMeterFact', terms)
    expect(await of(id, '2025-12-01')).toBe(await of(uid('main'), '2025-12-01'))
    expect(await list()).toHaveLength(1)
    const nobody = [{ PeripheralUID: 'nobody', Factor: 1 }]
    expect((await root.post('/SetMeterFact', { ...terms, Value: nobody })).status.fields).toEqual({
      Value: 'notFound',
    })
    expect(
      (await root.post('/SetMeterFact', { ...terms, Fact: 'role', Value: 'load' })).status.fields,
    ).toEqual({ [`Terms.${uid('main')}.2025-12-01/`]: 'countedTwice' })
  })
})

describe('the answers of a home without facts', () => {
  it('are those of its devices', async () => {
    expect(await facts('air')).toEqual([])
    expect((await sums('room', TODAY, '2026-01-06'))[rooms.kitchen]).toBeGreaterThan(0)
  })
})
