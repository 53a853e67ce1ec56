import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { rollUp } from '../../../../gateway/features/energy/rollup/roll-up.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'
import { store } from '../energy/rollup/meters.ts'

const HOUR = 3_600_000
let world: World
let root: Caller
let HomeID: string
let meterId: number
let PeripheralUID: string
let start: number
let count = 0
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  // Midnight in Taipei, two days ago.
  start = Date.UTC(2026, 0, 2, 16)
})
afterAll(() => world.close())
beforeEach(async () => {
  PeripheralUID = `meter-${(count += 1)}`
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: PeripheralUID })).results
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: [PeripheralUID] })
  const [row] = await world.db.query<{ id: number }>(sql`insert into meters (tenant, home_id, peripheral_uid)
    values (${root.tenant}, ${HomeID}, ${PeripheralUID}) returning meter_id as id`)
  meterId = row?.id ?? 0
})

/** Readings at the ends of quarters, from midnight of the first day on. */
const counted = (...kwh: number[]) =>
  store(
    world.db,
    meterId,
    kwh.map((one, i) => ({ timestamp: start + i * QUARTER_MS, kwh: one })),
  )
async function days() {
  await rollUp(world.db)
  return world.db.query<{ kwh: number; quality: string; resets: number }>(
    sql`select kwh, quality, resets from meter_days where meter_id = ${meterId} order by day`,
  )
}
const create = (body: object) => root.post('/CreateMeterCorrection', { HomeID, PeripheralUID, ...body })
const interval = (from: number, to: number, kWh: number, more: object = {}) =>
  create({ Kind: 'interval', From: start + from * QUARTER_MS, To: start + to * QUARTER_MS, kWh, ...more })

/** Meter changes published to screens of this home. */
const told = () =>
  world.events.flatMap(({ event }) =>
    'record' in event && 'HomeID' in event.record && event.record.HomeID === HomeID ? [event.name] : [],
  )

describe('a correction', () => {
  it('gives whole quarters the entered energy, by the shape of the readings, until it is undone', async () => {
    await counted(0, 1, 2, 5, 6)
    const made = await interval(1, 3, 8, { Note: 'bill of May' })
    expect(made.status.code).toBe(0)
    expect(await days()).toMatchObject([{ kwh: 10, quality: 'mccm' }])
    const [month] = await world.db.query<object>(
      sql`select kwh, corrected from meter_months where meter_id = ${meterId}`,
    )
    expect(month).toEqual({ kwh: 10, corrected: 2 })
    const [row] = await world.db.query<{ cumulative: number[] }>(
      sql`select cumulative from meter_days where meter_id = ${meterId}`,
    )
    expect(row?.cumulative).toEqual([1, 3, 9, 10])

    const { results } = await root.post('/UndoMeterCorrection', {
      HomeID,
      CorrectionID: made.results.CorrectionID,
    })
    expect(results).toMatchObject({ UndoneAt: world.clock.now(), UndoneBy: expect.any(String) })
    expect(await days()).toMatchObject([{ kwh: 6, quality: 'mmmm' }])
    const again = await root.post('/UndoMeterCorrection', { HomeID, CorrectionID: made.results.CorrectionID })
    expect(again.status.code).toBe(ERRORS.CONFLICT.code)
    expect((await root.post('/ListMeterCorrection', { HomeID, PeripheralUID })).results).toEqual([results])
  })

  it('covers several days without readings, and keeps its energy when readings come late', async () => {
    await interval(-96, 96, 192, { Sharing: 'even' })
    expect((await days()).map(({ kwh }) => kwh)).toEqual([96, 96])
    await counted(0, 5, 6)
    expect((await days()).map(({ kwh }) => kwh)).toEqual([96, 96])
    await store(world.db, meterId, [{ timestamp: start + 97 * QUARTER_MS, kwh: 95 * 1 + 7 }])
    expect((await days()).map(({ kwh }) => Math.round(kwh))).toEqual([96, 96, 1])
  })

  it('leaves the next one of the same day unchanged when readings come late before both', async () => {
    // 1 kWh in each quarter of three days, corrected to two from the first noon on and to three from the second.
    const readings = Array.from({ length: 288 }, (_, i) => ({
      timestamp: start + (i - 96) * QUARTER_MS,
      kwh: i,
    }))
    await store(world.db, meterId, readings)
    await interval(-48, 48, 192)
    await interval(48, 144, 288)
    const expected = [144, 240, 191]
    const rounded = async () => (await days()).map(({ kwh }) => Math.round(kwh * 1e6) / 1e6)
    expect(await rounded()).toEqual(expected)
    await store(world.db, meterId, [{ timestamp: start - 85.5 * QUARTER_MS, kwh: 10.5 }])
    expect(await rounded()).toEqual(expected)
    expect((await days()).map(({ quality }) => quality.split('c').length - 1)).toEqual([48, 96, 48])
  })

  it('counts a meter replaced at the time of its last reading, even as readings come', async () => {
    await counted(100, 101, 102, 6, 7)
    await create({ Kind: 'replacement', From: start + 2 * QUARTER_MS, OldKwh: 102, NewKwh: 5 })
    expect(await days()).toMatchObject([{ kwh: 4, resets: 0, quality: 'mmmm' }])
    for (const next of [5, 6, 7]) {
      await store(world.db, meterId, [{ timestamp: start + next * QUARTER_MS, kwh: next + 3 }])
      expect(await days()).toMatchObject([{ kwh: next, resets: 0 }])
    }
    await counted(100, 101, 102, 6, 7, 8)
    await store(world.db, meterId, [{ timestamp: start + 3.5 * QUARTER_MS, kwh: 6.5 }])
    expect(await days()).toMatchObject([{ kwh: 7, resets: 0 }])
  })

  it('counts a replaced meter up to its last value and from the first of its successor', async () => {
    await counted(100, 101, 7)
    expect(await days()).toMatchObject([{ kwh: 1, resets: 1 }])
    const made = await create({
      Kind: 'replacement',
      From: start + QUARTER_MS * 1.5,
      OldKwh: 103,
      NewKwh: 5,
    })
    expect(await days()).toMatchObject([{ kwh: 5, resets: 0, quality: 'mm' }])
    await root.post('/UndoMeterCorrection', { HomeID, CorrectionID: made.results.CorrectionID })
    expect(await days()).toMatchObject([{ kwh: 1, resets: 1 }])
  })

  it('replaces a meter whose successor counts far above it', async () => {
    await counted(100, 101, 900_000, 900_001)
    expect(await days()).toMatchObject([{ kwh: 1 }])
    await create({ Kind: 'replacement', From: start + QUARTER_MS * 1.5, OldKwh: 101.5, NewKwh: 900_000 })
    expect(await days()).toMatchObject([{ kwh: 2.5 }])
    expect((await root.post('/ListQuarantinedReading', { HomeID, PeripheralUID })).results).toEqual({
      Rows: [],
      Total: 0,
      NextCursor: null,
      Proposals: [],
    })
  })

  it.each([
    ['part of a quarter', { Kind: 'interval', From: 1, To: QUARTER_MS, kWh: 1 }, { From: 'quarter' }],
    [
      'an end before its start',
      { Kind: 'interval', From: QUARTER_MS, To: 0, kWh: 1 },
      { To: 'endBeforeStart' },
    ],
    ['no energy', { Kind: 'interval', From: 0, To: QUARTER_MS }, { kWh: 'required' }],
    ['the wrong values', { Kind: 'replacement', From: 0, OldKwh: 1, NewKwh: 1, kWh: 1 }, { kWh: 'unknown' }],
    ['the future', { Kind: 'interval', From: 0, To: 86_400_000 * 20, kWh: 1 }, { To: 'future' }],
  ])('is rejected for %s', async (_what, body, fields) => {
    const at = { From: start + body.From, ...('To' in body && { To: start + (body.To ?? 0) }) }
    expect((await create({ ...body, ...at })).status).toMatchObject({ code: ERRORS.INVALID.code, fields })
  })

  it('is rejected if another covers the time, and for meters that are not in the home', async () => {
    const { results } = await interval(0, 4, 1)
    const { status } = await interval(3, 5, 1)
    expect(status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { From: 'overlap' } })
    expect(status.error).toContain(results.CorrectionID)
    expect((await interval(4, 5, 1)).status.code).toBe(0)
    const unknown = { Kind: 'interval', From: start, To: start + HOUR, kWh: 1, PeripheralUID: 'nobody' }
    expect((await create(unknown)).status.code).toBe(ERRORS.NOT_FOUND.code)
    const stranger = await world.signUp()
    const CorrectionID = results.CorrectionID
    expect((await stranger.post('/UndoMeterCorrection', { HomeID, CorrectionID })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
    expect((await stranger.post('/ListMeterCorrection', { HomeID })).status.code).toBe(ERRORS.NOT_FOUND.code)
  })

  it('requires the right to change electricity data, and is audited', async () => {
    const reader = await world.createUser(root, [rights('electricity', 'Read')])
    const body = { HomeID, PeripheralUID, Kind: 'interval', From: start, To: start + HOUR, kWh: 1 }
    expect((await reader.post('/CreateMeterCorrection', body)).status.code).toBe(
      ERRORS.PERMISSION_DENIED.code,
    )
    expect((await reader.post('/ListMeterCorrection', { HomeID })).status.code).toBe(0)
    const { results } = await root.post('/CreateMeterCorrection', body)
    const [row] = await world.db.query<{ after: unknown }>(
      sql`select after from audit_log where path = '/CreateMeterCorrection' and tenant = ${root.tenant} order by audit_id desc limit 1`,
    )
    expect(row?.after).toEqual(results)
  })

  it('and its undoing are published to the screens of the home', async () => {
    await counted(0, 1, 2)
    world.events.length = 0
    const { results } = await interval(0, 1, 5)
    await root.post('/UndoMeterCorrection', { HomeID, CorrectionID: results.CorrectionID })
    expect(told()).toEqual(['metering.update', 'metering.update'])
  })
})

describe('an impossible reading', () => {
  const list = async () => (await root.post('/ListQuarantinedReading', { HomeID, PeripheralUID })).results
  const decide = (Decision: string, quarter: number, known: { Decided?: string; Value?: number } = {}) =>
    root.post('/DecideQuarantinedReading', {
      HomeID,
      Decision,
      Readings: [{ PeripheralUID, Timestamp: start + quarter * QUARTER_MS, ...known }],
    })

  it('is quarantined with all that follow it, and counts with them when one is accepted', async () => {
    await counted(1, 2, 2_000_000, 2_000_001)
    expect(await days()).toMatchObject([{ kwh: 1 }])
    const { Rows, Total } = await list()
    expect(Total).toBe(2)
    expect(Rows[1]).toEqual({
      PeripheralUID,
      PeripheralName: expect.any(String),
      Timestamp: start + 2 * QUARTER_MS,
      Value: 2_000_000,
      Reason: 'jump',
      Stored: null,
      Before: { Timestamp: start + QUARTER_MS, kWh: 2 },
    })
    expect((await decide('accepted', 2)).results).toEqual({ Decided: 1 })
    expect(await days()).toMatchObject([{ kwh: 2_000_000 }])
    expect((await list()).Total).toBe(0)
    expect((await decide('dropped', 2, { Decided: 'accepted' })).results).toEqual({ Decided: 1 })
    expect(await days()).toMatchObject([{ kwh: 1 }])
  })

  it('is deleted for good when it is discarded', async () => {
    await counted(1, 2, 2_000_000, 4)
    expect(await days()).toMatchObject([{ kwh: 3, quality: 'mqm' }])
    world.events.length = 0
    expect((await decide('dropped', 2)).status.code).toBe(0)
    expect(told()).toEqual(['metering.update'])
    expect((await list()).Rows).toEqual([])
    await store(world.db, meterId, [{ timestamp: start + 4 * QUARTER_MS, kwh: 5 }])
    expect(await days()).toMatchObject([{ kwh: 4 }])
    expect((await decide('dropped', 1)).status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
      fields: { 'Readings.0': 'notFound' },
    })
  })

  it('changes places with the counted one that it contradicts', async () => {
    await counted(1, 2, 3)
    await world.db.query(sql`insert into quarantined_readings (meter_id, timestamp, value, reason)
      values (${meterId}, ${start + 2 * QUARTER_MS}, 4, 'conflict')`)
    expect((await list()).Rows).toMatchObject([{ Reason: 'conflict', Value: 4, Stored: 3 }])
    await decide('accepted', 2)
    expect(await days()).toMatchObject([{ kwh: 3 }])
    await decide('dropped', 2, { Decided: 'accepted' })
    expect(await days()).toMatchObject([{ kwh: 2 }])
  })

  it('keeps the first of two decisions; a different second one is rejected, the same is not', async () => {
    await counted(1, 2, 2_000_000, 4)
    await list()
    const [first, second] = await Promise.all([decide('accepted', 2), decide('dropped', 2)])
    const [won, lost] = first.status.code === 0 ? [first, second] : [second, first]
    expect(won.results).toEqual({ Decided: 1 })
    expect(lost.status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { 'Readings.0': 'changed' } })
    const said = first === won ? 'accepted' : 'dropped'
    expect(lost.status.error).toContain(said)
    expect((await decide(said, 2)).results).toEqual({ Decided: 0 })
    const [stored] = await world.db.query<{ decision: string }>(
      sql`select decision from quarantined_readings where meter_id = ${meterId}`,
    )
    expect(stored).toEqual({ decision: said })
  })

  it('is not decided if another named one was decided otherwise, or its value has changed', async () => {
    await counted(1, 2, 2_000_000, 2_000_001)
    const [later, earlier] = (await list()).Rows as { Timestamp: number; Value: number }[]
    expect((await decide('dropped', 3, { Value: later?.Value ?? 0 })).status.code).toBe(0)
    const both = await root.post('/DecideQuarantinedReading', {
      HomeID,
      Decision: 'accepted',
      Readings: [earlier, later].map((one) => ({
        PeripheralUID,
        Timestamp: one?.Timestamp,
        Value: one?.Value,
      })),
    })
    expect(both.status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { 'Readings.1': 'changed' } })
    expect((await list()).Rows).toMatchObject([{ Timestamp: earlier?.Timestamp }])
    expect((await decide('accepted', 2, { Value: 7 })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { 'Readings.0': 'changed' },
    })
  })
})
