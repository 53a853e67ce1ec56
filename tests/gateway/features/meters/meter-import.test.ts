import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { existsSync, readFileSync } from 'node:fs'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import {
  DRAFT_LIFETIME_HOURS,
  MAX_DRAFTS,
  type MeterImportCheck,
} from '../../../../contract/meters/import-calls.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { lockMeters } from '../../../../gateway/features/energy/rollup/dirty-spans.ts'
import { deleteOldDrafts } from '../../../../gateway/features/meters/feature.ts'
import { rollUp } from '../../../../gateway/features/energy/rollup/roll-up.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

/** Hourly kWh of 17 real homes; tests that need it are skipped if it is absent. */
const REAL = '../shared/data/citylearn2022_17homes_hourly_kwh.csv'
const HOUR = 4 * QUARTER_MS
const DAY = 24 * HOUR

let world: World
let root: Caller
let HomeID: string
/** Midnight of the home's local time, ten days before now. */
let from: number
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  from = Math.floor((world.clock.now() + 8 * HOUR) / DAY) * DAY - 8 * HOUR - 10 * DAY
})
afterAll(() => world.close())
beforeEach(async () => {
  HomeID = (await root.post('/CreateHome', { HomeName: `H${Math.random()}`, TimeZone: 'Asia/Taipei' }))
    .results.HomeID
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: [`a${HomeID.slice(0, 8)}`] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '516', uids: [`s${HomeID.slice(0, 8)}`] })
})
const meter = () => `a${HomeID.slice(0, 8)}`

const rowsOf = (
  rows: readonly (readonly [timestamp: number, value: number, quarters?: number])[],
  first = 0,
) => ({
  Row: rows.map((_, index) => first + index),
  Meter: rows.map(() => 0),
  Timestamp: rows.map(([timestamp]) => timestamp),
  Quarters: rows.map(([, , quarters]) => quarters ?? 1),
  Value: rows.map(([, value]) => value),
})

async function draft(Kind: 'counter' | 'interval', rows: Parameters<typeof rowsOf>[0]) {
  const made = await root.post('/CreateMeterImport', { HomeID, FileName: 'past.csv', Kind })
  const key = { HomeID, MeterImportID: made.results.MeterImportID as string }
  const added = await root.post('/AddMeterImportRows', { ...key, Meters: [meter()], Rows: rowsOf(rows) })
  expect(added.status).toEqual({ code: 0 })
  const check = async () => (await root.post('/CheckMeterImport', key)).results as MeterImportCheck
  return { key, check }
}
const stored = async () =>
  world.db.query<{ timestamp: number; kwh: number }>(sql`select r.timestamp, r.accumulate_power as kwh
    from readings r join meters m using (meter_id) where m.home_id = ${HomeID} order by 1`)
const energy = async () => {
  const { results } = await root.post('/GetEnergySeries', {
    HomeID,
    From: from,
    To: from + 5 * DAY,
    Resolution: 'day',
  })
  const [series] = results.Series as { Points: { kWh: number | null }[] }[]
  return (series?.Points ?? []).map(({ kWh }) => kWh)
}

describe('An import of counter readings', () => {
  const counters = () =>
    [0, 6, 12, 18, 24].map((hour, index) => [from + hour * HOUR, 100 + index * 3] as const)
  const at = (index: number) => [from + index * 6 * HOUR, 100 + index * 3] as const

  it('is previewed without changing anything', async () => {
    const { check } = await draft('counter', [
      ...counters(),
      at(0),
      [from, 7],
      [from + 400 * DAY, 500],
      [from, -1],
    ])
    const found = await check()
    expect(found).toMatchObject({ New: 5, Same: 1, Conflicting: 0, Faulty: 3 })
    expect(found.Faults).toEqual([
      { Row: 6, Fault: 'duplicate' },
      { Row: 7, Fault: 'future' },
      { Row: 8, Fault: 'negative' },
    ])
    expect(found.Months.at(-1)?.Before).toBeNull()
    expect(found.Months.reduce((sum, { After }) => sum + (After ?? 0), 0)).toBeCloseTo(12, 6)
    expect(await stored()).toEqual([])
    expect((await root.post('/ListMeterImport', { HomeID })).results).toEqual([])
  })

  it('requires confirmation if a month grows more than is plausible', async () => {
    const day = (number: number, kwh: number) => [from + number * DAY, kwh] as const
    const first = await draft('counter', [day(0, 100), day(1, 112), day(2, 124), day(3, 136)])
    expect((await first.check()).Implausible).toEqual([])
    expect((await root.post('/CommitMeterImport', first.key)).status).toEqual({ code: 0 })
    const before = await stored()
    // The next day's consumption was entered a thousand times too high.
    const wrong = await draft('counter', [day(4, 12_136)])
    expect((await wrong.check()).Implausible).toEqual([
      {
        PeripheralUID: meter(),
        Timestamp: expect.any(Number),
        kWh: expect.closeTo(12_036, 6),
        Limit: expect.closeTo(5 * 48, 6),
      },
    ])
    const refused = await root.post('/CommitMeterImport', wrong.key)
    expect(refused.status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { Sure: 'implausible' },
    })
    expect(await stored()).toEqual(before)
    const sure = await root.post('/CommitMeterImport', { ...wrong.key, Sure: true })
    expect(sure.results).toMatchObject({ State: 'done', Added: 1 })
  })

  it('adds new readings, keeps stored ones, and restores the former state when undone', async () => {
    const first = await draft('counter', [at(1)])
    await root.post('/CommitMeterImport', first.key)
    const before = await stored()

    const second = await draft('counter', [...counters(), [from + 6 * HOUR, 4711]])
    const again = await draft('counter', [[from + 6 * HOUR, 4711]])
    expect((await again.check()).Conflicts).toEqual([
      { Row: 0, PeripheralUID: meter(), Timestamp: from + 6 * HOUR, Value: 4711, Stored: 103 },
    ])
    const done = (await root.post('/CommitMeterImport', second.key)).results
    expect(done).toMatchObject({ State: 'done', Added: 4, Meters: 1, FirstTimestamp: from })
    expect((await stored()).map(({ kwh }) => kwh)).toEqual([100, 103, 106, 109, 112])
    expect((await energy())[0]).toBeCloseTo(12, 6)

    const undone = await root.post('/UndoMeterImport', second.key)
    expect(undone.results).toMatchObject({ State: 'undone', UndoneBy: expect.any(String) })
    const told = world.events.flatMap(({ event }) =>
      'record' in event && event.name === 'metering.update' ? [event.record.HomeID] : [],
    )
    expect(told.filter((one) => one === HomeID)).toHaveLength(3)
    expect(await stored()).toEqual(before)
    expect((await root.post('/UndoMeterImport', second.key)).status.code).toBe(ERRORS.CONFLICT.code)
    expect((await root.post('/ListMeterImport', { HomeID })).results).toHaveLength(2)
  })

  it('keeps readings that a hub sends in the meantime, even when it is undone', async () => {
    const { key } = await draft('counter', counters())
    const hub = await world.db.pool.connect()
    let committing: ReturnType<typeof root.post>
    try {
      await hub.query('begin')
      await hub.query(
        'insert into readings (meter_id, timestamp, accumulate_power) select meter_id, $1, 4711 from meters where home_id = $2',
        [from + 6 * HOUR, HomeID],
      )
      committing = root.post('/CommitMeterImport', key)
      await vi.waitFor(async () => {
        const waiting = await world.db.query(sql`select 1 as one from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into readings%'`)
        expect(waiting).toHaveLength(1)
      }, PATIENT)
      await hub.query('commit')
    } finally {
      hub.release()
    }
    expect((await committing).results).toMatchObject({ State: 'done', Added: 4 })
    expect((await stored()).map(({ kwh }) => kwh)).toEqual([100, 4711, 106, 109, 112])
    await root.post('/UndoMeterImport', key)
    expect((await stored()).map(({ kwh }) => kwh)).toEqual([4711])
  })

  it('is deleted with its home, and so is a draft', async () => {
    const { key } = await draft('counter', counters())
    await root.post('/CommitMeterImport', key)
    await draft('counter', [[from + HOUR, 101]])
    const kept = () =>
      world.db.query(sql`select 1 as one from meter_import_rows
      where meter_import_id not in (select meter_import_id from meter_imports)`)
    const rows = () =>
      world.db.query(sql`select 1 as one from meter_import_rows r
      join meter_imports i using (meter_import_id) where i.home_id = ${HomeID}`)
    expect(await rows()).toHaveLength(6)
    expect((await root.post('/DeleteHome', { HomeID })).status).toEqual({ code: 0 })
    expect(await rows()).toEqual([])
    expect(await kept()).toEqual([])
  })

  it('rejects times that are older than the retention', async () => {
    await world.db.query(sql`insert into energy_floors (sort, floor) values ('readings', ${from + 7 * HOUR})`)
    try {
      const { check } = await draft('counter', counters())
      const found = await check()
      expect(found).toMatchObject({ New: 3, Faulty: 2 })
      expect(found.Faults).toEqual([
        { Row: 0, Fault: 'forgotten' },
        { Row: 1, Fault: 'forgotten' },
      ])
    } finally {
      await world.db.query(sql`delete from energy_floors`)
    }
  })

  it('stores a chunk once that is sent twice', async () => {
    const { key, check } = await draft('counter', counters())
    await root.post('/AddMeterImportRows', { ...key, Meters: [meter()], Rows: rowsOf(counters()) })
    expect(await check()).toMatchObject({ New: 5, Same: 0, Faulty: 0 })
  })
})

describe('An import of energy by intervals', () => {
  const hours = () => Array.from({ length: 24 }, (_, hour) => [from + hour * HOUR, 0.5, 4] as const)

  it('counts, until it is undone', async () => {
    const { key, check } = await draft('interval', hours())
    expect(await check()).toMatchObject({ New: 24, Faulty: 0 })
    await root.post('/CommitMeterImport', key)
    expect((await energy())[0]).toBeCloseTo(12, 6)
    const twice = await draft('interval', hours())
    expect(await twice.check()).toMatchObject({ New: 0, Same: 24 })
    await root.post('/UndoMeterImport', key)
    expect((await energy())[0]).toBeNull()
  })

  it('reports overlaps, times that are not whole quarters, and impossible values', async () => {
    const { check } = await draft('interval', [
      [from, 1, 4],
      [from + QUARTER_MS, 1, 4],
      [from + HOUR + 1, 1, 4],
      [from + 2 * HOUR, 1e9, 4],
    ])
    expect((await check()).Faults).toEqual([
      { Row: 1, Fault: 'overlap' },
      { Row: 2, Fault: 'notQuarter' },
      { Row: 3, Fault: 'tooBig' },
    ])
  })

  it('counts nothing for a time that someone else has corrected meanwhile', async () => {
    const { key } = await draft('interval', hours())
    const [meterOf] = await world.db.query<{ id: number }>(
      sql`select meter_id as id from meters where home_id = ${HomeID}`,
    )
    let committing: ReturnType<typeof root.post> | undefined
    await world.db.transaction(async (tx) => {
      // Locks the meters as a correction that is being stored does.
      await lockMeters(tx, [meterOf?.id as number])
      committing = root.post('/CommitMeterImport', key)
      await vi.waitFor(async () => {
        const waiting = await world.db.query(sql`select 1 as one from pg_stat_activity
          where datname = current_database() and wait_event = 'advisory'`)
        expect(waiting).toHaveLength(1)
      }, PATIENT)
      await tx.query(sql`insert into meter_corrections (correction_id, tenant, home_id, meter_id, kind, from_timestamp,
          to_timestamp, kwh, sharing, created_by, author_name, created_at)
        values ('other', ${root.tenant}, ${HomeID}, ${meterOf?.id}, 'interval', ${from}, ${from + 2 * HOUR}, 7, 'even',
          ${root.cognitoId}, 'x', 0)`)
    })
    expect((await committing)?.results).toMatchObject({ Added: 22 })
  })

  it('does not change measured times', async () => {
    const counter = await draft('counter', [
      [from, 10],
      [from + HOUR, 11],
    ])
    await root.post('/CommitMeterImport', counter.key)
    const { check } = await draft('interval', hours())
    expect(await check()).toMatchObject({ New: 23, Conflicting: 1 })
  })
})

describe('A preview while readings come in', () => {
  const spansOfDays = () => Array.from({ length: 24 }, (_, hour) => [from + hour * HOUR, 0.5, 4] as const)
  const numberOf = async () => {
    const [found] = await world.db.query<{ id: number }>(
      sql`select meter_id as id from meters where home_id = ${HomeID}`,
    )
    return found?.id as number
  }
  /** Reading from a hub, far from the imported times. */
  const arrives = (db: Pick<typeof world.db, 'query'>, meterId: number, minutes: number, kwh: number) =>
    db.query(sql`with stored as (
        insert into readings (meter_id, timestamp, accumulate_power)
        values (${meterId}, ${world.clock.now() - HOUR + minutes * 60_000}, ${kwh}) returning meter_id, timestamp)
      insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
      select meter_id, timestamp, timestamp from stored`)

  it.each([
    ['is not told as its work', false],
    ['is not told as its work where their energy is computed meanwhile', true],
  ])('shows what they change %s', async (_what, isRolledUp) => {
    const { check } = await draft('interval', spansOfDays())
    const meterId = await numberOf()
    await arrives(world.db, meterId, 0, 100)
    await arrives(world.db, meterId, 15, 101)
    await rollUp(world.db)
    let checking: Promise<MeterImportCheck> | undefined
    await world.db.transaction(async (tx) => {
      await lockMeters(tx, [meterId])
      checking = check()
      await vi.waitFor(async () => {
        const waiting = await world.db.query(sql`select 1 as one from pg_stat_activity
          where datname = current_database() and wait_event = 'advisory'`)
        expect(waiting).toHaveLength(1)
      }, PATIENT)
      await arrives(isRolledUp ? tx : world.db, meterId, 30, 105)
      if (isRolledUp) await rollUp(tx)
    })
    expect((await checking)?.Months).toEqual([
      { Timestamp: expect.any(Number), Before: null, After: expect.closeTo(12, 6) },
    ])
    const left = await world.db.query(sql`select 1 as one from meter_dirty where meter_id = ${meterId}`)
    expect(left).toHaveLength(isRolledUp ? 0 : 1)
  })
})

describe('The file of an import', () => {
  const FileHash = 'ab'.repeat(32)
  const Trace = [
    {
      Fact: 'unit',
      Column: '用電量 (度)',
      Value: 'kWh',
      Source: 'stated',
      Evidence: 'heading',
      Text: '用電量 (度)',
    },
    { Fact: 'zone', Column: null, Value: 'Asia/Taipei', Source: 'assumed', Evidence: 'site', Text: '' },
  ]
  const read = (MeterImportID: string) => root.post('/GetMeterImport', { HomeID, MeterImportID })

  it('is kept by its hash and the facts by which it was read, also when it is undone', async () => {
    const input = { HomeID, FileName: 'past.csv', FileHash, Kind: 'counter', Trace }
    const { results: made } = await root.post('/CreateMeterImport', input)
    expect(made).toMatchObject({ FileHash })
    expect(made).not.toHaveProperty('Trace')
    const key = { HomeID, MeterImportID: made.MeterImportID }
    await root.post('/AddMeterImportRows', { ...key, Meters: [meter()], Rows: rowsOf([[from, 1]]) })
    expect((await root.post('/CommitMeterImport', key)).results).toMatchObject({ FileHash })
    const [listed] = (await root.post('/ListMeterImport', { HomeID })).results
    expect(listed).toMatchObject({ FileHash })
    expect(listed).not.toHaveProperty('Trace')
    expect((await read(made.MeterImportID)).results).toEqual({ ...listed, Trace })
    expect((await root.post('/UndoMeterImport', key)).results).toMatchObject({ State: 'undone', FileHash })
    expect((await read(made.MeterImportID)).results).toMatchObject({ State: 'undone', Trace })
  })

  it('is unknown for imports that were stored without it', async () => {
    const MeterImportID = crypto.randomUUID()
    await world.db.query(sql`insert into meter_imports
        (meter_import_id, tenant, home_id, file_name, kind, state, created_at, created_by, by)
      values (${MeterImportID}, ${root.tenant}, ${HomeID}, 'old.csv', 'counter', 'done', 1, ${root.cognitoId}, 'x')`)
    expect((await root.post('/ListMeterImport', { HomeID })).results).toMatchObject([{ FileHash: null }])
    expect((await read(MeterImportID)).results).toMatchObject({ FileHash: null, Trace: [] })
  })

  it('is not found by another company', async () => {
    const { key } = await draft('counter', [])
    const stranger = await world.signUp()
    expect((await stranger.post('/GetMeterImport', key)).status.code).toBe(ERRORS.NOT_FOUND.code)
  })
})

describe('Unfinished drafts', () => {
  const begin = async (who: Caller, home: string) => {
    const input = { HomeID: home, FileName: 'past.csv', Kind: 'counter' }
    const { results } = await who.post('/CreateMeterImport', input)
    return { HomeID: home, MeterImportID: results.MeterImportID as string }
  }
  const isKept = async (who: Caller, key: object) =>
    (await who.post('/CheckMeterImport', key)).status.code !== ERRORS.NOT_FOUND.code
  const rowsOfAll = () => world.db.query(sql`select 1 as one from meter_import_rows`)

  it('are limited per company: the oldest is deleted, and those of others are kept', async () => {
    const company = await world.signUp()
    const { HomeID: home } = (await company.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' }))
      .results
    const theirs = await begin(root, HomeID)
    const keys = []
    for (let made = 0; made <= MAX_DRAFTS; made++) {
      world.clock.advance(1)
      keys.push(await begin(company, home))
    }
    expect(await Promise.all(keys.map((key) => isKept(company, key)))).toEqual([
      false,
      ...Array(MAX_DRAFTS).fill(true),
    ])
    expect(await isKept(root, theirs)).toBe(true)
  })

  it('expire after a day with their rows, but imports that count are kept', async () => {
    const done = await draft('counter', [[from, 1]])
    await root.post('/CommitMeterImport', done.key)
    const left = await draft('counter', [[from + HOUR, 2]])
    const began = world.clock.now()
    await deleteOldDrafts(world.db, began + DRAFT_LIFETIME_HOURS * HOUR - 1)
    expect(await isKept(root, left.key)).toBe(true)
    await deleteOldDrafts(world.db, began + DRAFT_LIFETIME_HOURS * HOUR)
    expect(await isKept(root, left.key)).toBe(false)
    expect(await rowsOfAll()).toEqual(
      await world.db
        .query(sql`select 1 as one from meter_import_rows join meter_imports using (meter_import_id)
        where state = 'done'`),
    )
    expect((await root.post('/UndoMeterImport', done.key)).results).toMatchObject({ State: 'undone' })
  })
})

describe('Without the right, a user', () => {
  it('sees no import of another company, and none of its meters', async () => {
    const stranger = await world.signUp()
    const { key } = await draft('counter', [[from, 1]])
    for (const path of ['/CheckMeterImport', '/CommitMeterImport', '/UndoMeterImport'])
      expect((await stranger.post(path, key)).status.code).toBe(ERRORS.NOT_FOUND.code)
    const theirs = (await stranger.post('/CreateHome', { HomeName: 'B', TimeZone: 'Asia/Taipei' })).results
    const own = await stranger.post('/CreateMeterImport', {
      HomeID: theirs.HomeID,
      FileName: 'x',
      Kind: 'counter',
    })
    const answer = await stranger.post('/AddMeterImportRows', {
      HomeID: theirs.HomeID,
      MeterImportID: own.results.MeterImportID,
      Meters: [meter()],
      Rows: rowsOf([[from, 1]]),
    })
    expect(answer.status).toMatchObject({ code: ERRORS.NOT_FOUND.code, fields: { 'Meters.0': 'notFound' } })
  })

  it('cannot import into something that is not a meter', async () => {
    const { key } = await draft('counter', [])
    const Meters = [`s${HomeID.slice(0, 8)}`]
    const answer = await root.post('/AddMeterImportRows', { ...key, Meters, Rows: rowsOf([[from, 1]]) })
    expect(answer.status.code).toBe(ERRORS.NOT_FOUND.code)
  })

  it('can only read with the right to read', async () => {
    const reader = await world.createUser(root, [rights('electricity', 'Read')])
    expect((await reader.post('/ListMeterImport', { HomeID })).status.code).toBe(0)
    const input = { HomeID, FileName: 'x', Kind: 'counter' }
    expect((await reader.post('/CreateMeterImport', input)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
  })
})

it('audits an import by its count, never row by row', async () => {
  await draft('counter', [[from, 1]])
  const [entry] = await world.db.query<{ input: object }>(sql`select input from audit_log
    where path = '/AddMeterImportRows' order by at desc, audit_id desc limit 1`)
  expect(entry?.input).toMatchObject({ Meters: [meter()], Rows: 1 })
})

describe.skipIf(!existsSync(REAL))(`With real data (skipped where ${REAL} is not present)`, () => {
  it('counts a year of a home to the last digit', async () => {
    const lines = readFileSync(REAL, 'utf8').trim().split('\n').slice(1)
    const rows = lines.map((line) => {
      const [time = '', kwh = ''] = line.split(',')
      return [Date.parse(`${time}+08:00`), Number(kwh), 4] as const
    })
    const made = await root.post('/CreateMeterImport', { HomeID, FileName: 'real.csv', Kind: 'interval' })
    const key = { HomeID, MeterImportID: made.results.MeterImportID as string }
    for (let at = 0; at < rows.length; at += 5_000)
      await root.post('/AddMeterImportRows', {
        ...key,
        Meters: [meter()],
        Rows: rowsOf(rows.slice(at, at + 5_000), at),
      })
    const check = (await root.post('/CheckMeterImport', key)).results as MeterImportCheck
    expect(check).toMatchObject({ New: rows.length, Faulty: 0 })
    const months = check.Months.reduce((sum, { After }) => sum + (After ?? 0), 0)
    expect(months).toBeCloseTo(
      rows.reduce((sum, [, value]) => sum + value, 0),
      6,
    )
  })
})
