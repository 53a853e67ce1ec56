import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { Finding } from '../../../../contract/findings/calls.ts'
import { dayOf, formatDay, parseDay, startOfDay } from '../../../../contract/time/periods.ts'
import { measureDone } from '../../../../gateway/features/insight/findings/measure-done.ts'
import { numberArray } from '../../../../gateway/store/sql.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../support/clock.ts'
import { findingPorts } from '../../../support/finding-ports.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { OFFICE_METERS, officeDay } from '../../../support/made-office.ts'
import { addMeter, addSite, type Site, storeEnergy } from '../../../support/stored-energy.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

const zone = 'Asia/Taipei'
const BEGAN = parseDay('2025-11-01')
const DONE = parseDay('2026-05-31')
const NOW = Date.parse('2026-09-01T02:00:00Z')
/** Power of a kitchen pump, day and night until it is repaired, kW. */
const PUMP = 2
/** Cost in NT$ per month at the time of the finding, by kWh per month. */
const [FOUND, COST] = [PUMP * 24 * 30, 5_000]

let world: World
let root: Caller
let site: Site
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
  root = await world.signUp()
  site = await addSite(root, 'repaired')
  const days = new Map<number, ReturnType<typeof officeDay>>()
  for (const meter of OFFICE_METERS) {
    const id = await addMeter(world, root, site, meter, meter === 'main' ? {} : { parent: 'main' })
    await storeEnergy(world, site, id, [startOfDay(BEGAN, zone), NOW], (time) => {
      const day = dayOf(time, zone)
      const of = days.get(day) ?? officeDay(2, day)
      days.set(day, of)
      const own = of[meter][(time - startOfDay(day, zone)) / 900_000] as number
      return own + (day <= DONE && (meter === 'kitchen' || meter === 'main') ? PUMP / 4 : 0)
    })
  }
})
afterAll(() => world.close())

/** Completed finding about a meter, present on this many of the 28 days before. */
async function done(meter: string, kind = 'baseNight', on = DONE, days = 28): Promise<string> {
  const [row] = await world.db.query<{ id: string }>(sql`
    insert into findings (tenant, home_id, kind, meter_id, from_day, through_day, kwh, amount, confidence, why, evidence, state, done_on,
      first_seen, last_seen)
    values (${root.tenant}, ${site.HomeID}, ${kind}, ${meter}, ${on - 27}, ${on}, ${FOUND}, ${COST}, 'high',
      '{"Key": "baseNight", "Values": {}}', '{}', 'done', ${on}, ${on - Math.min(10, days - 1)}, ${on}) returning finding_id as id`)
  await world.db.query(sql`insert into finding_claims (finding_id, meter_id, from_day, kwh)
    values (${row?.id}::uuid, ${meter}, ${on - 27}, ${numberArray(Array.from({ length: 28 }, (_, i) => (i < 28 - days ? 0 : PUMP * 24)))}::float8[])`)
  return row?.id ?? ''
}
const measureBy = (day: number) =>
  measureDone({ db: world.db, ports: findingPorts(world.db, world.clock) }, root.tenant, site, day)
const read = async (FindingID: string): Promise<Finding> =>
  (await root.post('/ListFinding', { HomeID: site.HomeID, FindingID })).results.Rows[0]

describe('a completed finding', () => {
  it('is verified by what its meter used afterwards, with a range that contains the truth', async () => {
    const id = await done('kitchen')
    expect(await measureBy(DONE + 28)).toBe(0)
    expect(await read(id)).toMatchObject({ State: 'done', Verified: null })
    expect(await measureBy(DONE + 29)).toBe(1)
    const { State, Verified } = await read(id)
    expect(State).toBe('verified')
    expect(Verified).toMatchObject({
      Verdict: 'verified',
      From: formatDay(DONE + 1),
      Through: formatDay(DONE + 28),
    })
    expect(Verified?.LowKwh).toBeGreaterThan(0)
    expect(Verified?.LowKwh).toBeLessThan(FOUND)
    expect(Verified?.HighKwh).toBeGreaterThan(FOUND)
    // A kWh costs what it cost when the finding was made.
    expect(Verified?.Amount).toBeCloseTo(((Verified?.kWh ?? 0) * COST) / FOUND, 1)
    const { Verified: all } = (await root.post('/GetSaving', { HomeID: site.HomeID })).results
    expect(all).toEqual({ Amount: Verified?.Amount, Count: 1 })
    expect(await measureBy(DONE + 90)).toBe(0)
  })

  it('recorded by a person is verified the same way, at the price when it was recorded', async () => {
    await root.post('/UpdateHomeTariff', {
      HomeID: site.HomeID,
      Tariffs: [homeTariff({ PlanID: 'lv_standard', Capacities: { regular: 60 } })],
    })
    const input = {
      HomeID: site.HomeID,
      MeterID: 'kitchen',
      MeasureName: '更換水泵',
      DoneOn: formatDay(DONE),
    }
    const { status, results } = await root.post('/RecordMeasure', input)
    expect(status).toEqual({ code: 0 })
    expect(results).toMatchObject({
      Kind: 'measure',
      State: 'done',
      Place: { RoomID: null, MeterID: 'kitchen' },
      Why: { Key: 'measure', Values: { Name: '更換水泵' } },
      kWh: null,
      Amount: null,
      ToDo: [],
      DoneOn: formatDay(DONE),
    })
    // While it is measured, another measure on that meter could not be distinguished from it.
    expect((await root.post('/RecordMeasure', { ...input, MeasureName: '換燈具' })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { MeterID: 'taken' },
    })
    expect(
      (await root.post('/RecordMeasure', { ...input, DoneOn: '2026-09-02', MeterID: 'lights' })).status
        .fields,
    ).toEqual({ DoneOn: 'tooBig' })
    expect((await root.post('/RecordMeasure', { ...input, MeterID: 'nobody' })).status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
    })
    expect(await measureBy(DONE + 29)).toBe(1)
    const { State, Verified } = await read(results.FindingID)
    expect(State).toBe('verified')
    expect(Verified?.LowKwh).toBeLessThan(FOUND)
    expect(Verified?.HighKwh).toBeGreaterThan(FOUND)
    // Low voltage at one price, in summer.
    expect(Verified?.Amount).toBeCloseTo((Verified?.kWh ?? 0) * 4.08, 1)
    await world.db.query(sql`delete from findings where finding_id = ${results.FindingID}::uuid`)
  })

  it('saved nothing if nothing changed or it is unknown; then it is measured again', async () => {
    const id = await done('workshop', 'leftOn')
    expect(await measureBy(DONE + 29)).toBe(1)
    const first = await read(id)
    expect(['notSeen', 'tooUncertain']).toContain(first.State)
    const again = await measureBy(DONE + 57)
    expect(again).toBe(first.State === 'tooUncertain' ? 1 : 0)
  })

  it('is not measured if it changes only the price', async () => {
    const id = await done('main', 'powerFactor')
    await measureBy(DONE + 90)
    expect(await read(id)).toMatchObject({ State: 'done', Verified: null })
  })

  it('has no verdict with less than a week before: there is no baseline', async () => {
    const id = await done('workshop', 'baseNight', DONE, 6)
    await measureBy(DONE + 29)
    expect(await read(id)).toMatchObject({ State: 'done', Verified: null })
  })

  it('waits for a verdict while too little is known before it', async () => {
    const id = await done('lights', 'leftOn', BEGAN + 30)
    await measureBy(DONE)
    expect(await read(id)).toMatchObject({ State: 'done', Verified: null })
  })
})
