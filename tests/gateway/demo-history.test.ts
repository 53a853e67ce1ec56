import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { automation, AUTOMATION_TYPES } from '../../contract/automation/automation.ts'
import { scene } from '../../contract/automation/scene.ts'
import { home } from '../../contract/homes/home.ts'
import { utilityBill } from '../../contract/tariffs/utility-bill.ts'
import { bills } from '../../contract/tariffs/bill-calls.ts'
import { storeLateStates } from '../../gateway/features/status/ingest/store-late-states.ts'
import type { Device } from '../../gateway/features/status/ingest/report.ts'
import { sql } from '../../gateway/kernel/db.ts'
import type { Call } from '../../scripts/api.ts'
import { seedAutomation } from '../../scripts/demo-automation.ts'
import {
  clearHistory,
  createMonths,
  joinEvents,
  readMeterIds,
  rollUpAllHomes,
  rollUpMeters,
  storeHistory,
} from '../../scripts/demo-backfill.ts'
import { seedDemoCompany } from '../../scripts/demo-company.ts'
import { seedUtilityBills } from '../../scripts/demo-extras.ts'
import { type History, simulateHistory } from '../../scripts/demo-history.ts'
import { seedOffice } from '../../scripts/demo-office.ts'
import { clearRecords, storeRecords } from '../../scripts/demo-records.ts'
import type { FleetHub } from '../../simulator/building/building.ts'
import { pastStatusesOf } from '../../simulator/building/past-statuses.ts'
import { storyOf } from '../../simulator/demo/story.ts'
import { holdClock } from '../support/clock.ts'
import { announceDevices, demoApiOf } from '../support/demo-api.ts'
import { startWorld, type World } from '../support/world.ts'

const DAY = 86_400_000
/** Wednesday. */
const UNTIL = Date.parse('2026-07-15T10:05:00+08:00')
/** Hub whose past is stored. */
const HUB = 'NHRF-01'

let world: World
let tenant: string
let call: Call
let hub: FleetHub
let history: History

const count = async (table: string): Promise<number> => {
  const [row] = await world.db.query<{ count: number }>({
    name: `count-${table}`,
    text: `select count(*) as count from ${table}`,
    values: [],
  })
  return row?.count ?? 0
}

const store = async () => {
  await storeHistory(world.db, { tenant, HomeID: hub.HomeID }, history)
  await joinEvents(world.db, tenant, UNTIL)
}

beforeAll(async () => {
  world = await startWorld({ clock: holdClock(UNTIL + 60_000) })
  const { api, owner } = demoApiOf(world)
  const company = await seedDemoCompany(api, {}, { now: UNTIL, story: storyOf(UNTIL) })
  call = company.owner
  tenant = owner().tenant
  await announceDevices(world, tenant, company.hubs)
  await company.addDevices()
  await seedOffice(call, UNTIL)
  await seedAutomation(call)
  hub = company.hubs.find(({ devices }) => devices[0]?.PeripheralUID === HUB) as FleetHub
  history = simulateHistory({ devices: hub.devices, until: UNTIL, seed: 1, incidents: {} })
  await createMonths(world.db, UNTIL - 400 * DAY, UNTIL)
  await store()
})
afterAll(() => world.close())

describe('the past that is stored in bulk', () => {
  it('gives every whole month of the last 13 all of its energy', async () => {
    const meterIds = await readMeterIds(world.db, tenant)
    await rollUpMeters(world.db, meterIds)
    await rollUpAllHomes(world.db)
    expect(await count('meter_dirty')).toBe(0)
    const months = await world.db.query<{ month: number; kwh: number; missing: number; meters: number }>(sql`
      select month, sum(kwh) as kwh, sum(missing) as missing, count(*) as meters from meter_months
      where month < ${2026 * 12 + 6}::int group by 1 order by 1`)
    expect(months.map(({ month }) => month)).toEqual(Array.from({ length: 13 }, (_, i) => 2025 * 12 + 5 + i))
    for (const { kwh, missing, meters } of months) {
      expect(missing).toBe(0)
      expect(meters).toBe(history.meters.length)
      expect(kwh).toBeGreaterThan(100)
    }
    const homes = await world.db.query<{ months: number }>(sql`
      select count(*) as months from home_months where home_id = ${hub.HomeID} and part = 0 and kwh > 0`)
    expect(homes[0]?.months).toBe(14)
  })

  it('has the counter of each meter as the sum of its months', async () => {
    const rows = await world.db.query<{ uid: string; counted: number; kwh: number }>(sql`
      select m.peripheral_uid as uid, (select max(accumulate_power) - min(accumulate_power) from readings r
        where r.meter_id = m.meter_id) as counted, (select sum(kwh) from meter_months s where s.meter_id = m.meter_id) as kwh
      from meters m where tenant = ${tenant}`)
    expect(rows).toHaveLength(history.meters.length)
    for (const { counted, kwh } of rows) expect(kwh).toBeCloseTo(counted, 3)
  })

  it('changes states as reports that arrive late do', async () => {
    const lights = hub.devices.filter(({ PeripheralUID }) =>
      history.events.some((one) => one.PeripheralUID === PeripheralUID && one.events.length > 20),
    )
    expect(lights.length).toBeGreaterThan(2)
    const eventsOf = (uids: readonly string[]) =>
      world.db.query(sql`select peripheral_uid, timestamp, field, before, value from device_events
        where tenant = ${tenant} and peripheral_uid = any(${[...uids]}::text[]) and timestamp < ${UNTIL}::bigint
        order by peripheral_uid, field, timestamp, before nulls first`)
    const uids = lights.map(({ PeripheralUID }) => PeripheralUID)
    const stored = await eventsOf(uids)
    await world.db.query(
      sql`delete from device_events where tenant = ${tenant} and peripheral_uid = any(${uids}::text[])`,
    )
    for (const { PeripheralUID, PeripheralType } of lights)
      await world.db.query(sql`
        insert into device_status (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
        select ${tenant}, ${PeripheralUID}, ${hub.HomeID}, ${PeripheralType}, ${UNTIL}::bigint,
          jsonb_object_agg(field, value), ${UNTIL}::bigint
        from unnest(${history.events.filter((one) => one.PeripheralUID === PeripheralUID).map(({ field }) => field)}::text[],
          ${history.events
            .filter((one) => one.PeripheralUID === PeripheralUID)
            .map(({ events }) => events.at(-1)?.value ?? 0)}::float8[]) as v (field, value)
        on conflict do nothing`)
    const reports = [...pastStatusesOf(hub.devices, UNTIL, 1)]
      .flat()
      .filter(({ PeripheralUID }) => uids.includes(PeripheralUID))
      .map(({ PeripheralUID, Timestamp: timestamp, ...values }) => ({
        device: {
          key: `${tenant}/${PeripheralUID}`,
          tenant,
          peripheralUID: PeripheralUID,
          type: lights.find((one) => one.PeripheralUID === PeripheralUID)?.PeripheralType as string,
          homeId: hub.HomeID,
          thingName: hub.ThingName,
          meterId: undefined,
        } satisfies Device,
        timestamp,
        values,
      }))
    await storeLateStates(world.db, reports, async () => {})
    expect(stored).toEqual(await eventsOf(uids))
  })

  it('joins the last past state to the first live one', async () => {
    const [one] = history.events.filter(({ events }) => events.length > 20)
    const last = one?.events.at(-1)
    await world.db.query(
      sql`delete from device_events where tenant = ${tenant} and timestamp >= ${UNTIL}::bigint`,
    )
    await world.db
      .query(sql`update device_status set values = values || ${JSON.stringify({ [one?.field ?? '']: 1 - (last?.value ?? 0) })}::jsonb
      where tenant = ${tenant} and peripheral_uid = ${one?.PeripheralUID}`)
    await joinEvents(world.db, tenant, UNTIL)
    const rows = await world.db.query(sql`select field, before, value from device_events
      where tenant = ${tenant} and timestamp = ${UNTIL}::bigint and peripheral_uid = ${one?.PeripheralUID}`)
    expect(rows).toContainEqual({ field: one?.field, before: last?.value, value: 1 - (last?.value ?? 0) })
  })

  it('can be stored again after it was interrupted', async () => {
    await clearHistory(world.db, tenant, UNTIL)
    expect(await count('readings')).toBe(0)
    expect(await count('device_samples')).toBe(0)
    await store()
    expect(await count('readings')).toBe(
      history.meters.reduce((sum, { readings }) => sum + readings.length, 0),
    )
  })
})

describe('what people and rules did before', () => {
  const tables = ['automation_runs', 'reservations', 'alarms', 'audit_log'] as const
  const counts = () => Promise.all(tables.map(count))
  let before: number[]
  beforeAll(async () => {
    before = await counts()
    await storeRecords({ db: world.db, call, tenant, until: UNTIL, language: 'zh' }, true)
  })

  it('lets every schedule and every scene have a last run', async () => {
    const withoutRun: string[] = []
    for (const { HomeID } of await call(home.operations.list, {})) {
      for (const AutomationType of AUTOMATION_TYPES)
        for (const rule of await call(automation.operations.list, { AutomationType, HomeID }))
          if ((rule.Schedule || rule.Booking) && rule.LastRunAt === null) withoutRun.push(rule.AutomationName)
      for (const { SceneID } of await call(scene.operations.list, { HomeID })) {
        const [row] = await world.db.query<{ runs: number }>(
          sql`select count(*) as runs from automation_runs where scene_id = ${SceneID}`,
        )
        expect(row?.runs).toBeGreaterThan(3)
      }
    }
    expect(withoutRun).toEqual([])
  })

  it('lets a rule run only when its conditions were met', async () => {
    // The states of one hub are stored here, and no rule has conditions on its devices.
    const rows = await world.db.query<{ name: string }>(sql`
      select distinct a.automation_name as name from automation_runs r join automations a using (tenant, automation_id)
      where a.rule -> 'Conditions' <> 'null'::jsonb`)
    expect(rows).toEqual([])
  })

  it('ends all alarms, and nothing of it is in the future', async () => {
    const [row] = await world.db.query(sql`select
      (select count(*) from alarms where cleared_at is null) as open,
      (select count(*) from alarms where cleared_at >= ${UNTIL}::bigint) as late,
      (select count(*) from alarms where acknowledged_at is not null) > 20 as acknowledged,
      (select count(*) from automation_runs where began_at >= ${UNTIL}::bigint or ended_at is null) as running,
      (select count(*) from audit_log where path = '/AddReservation' and at < ${UNTIL}::bigint) > 100 as booked`)
    expect(row).toEqual({ open: 0, late: 0, acknowledged: true, running: 0, booked: true })
  })

  it('can be stored again after it was interrupted', async () => {
    const stored = await counts()
    expect(stored.every((rows, i) => rows > (before[i] as number))).toBe(true)
    await clearRecords(world.db, tenant, UNTIL)
    expect(await counts()).toEqual(before)
    await storeRecords({ db: world.db, call, tenant, until: UNTIL, language: 'zh' }, true)
    expect(await counts()).toEqual(stored)
  })
})

it('enters twelve bills of the power company, one of them 4 % too high', async () => {
  await seedUtilityBills(call, UNTIL)
  await seedUtilityBills(call, UNTIL)
  const HomeID =
    (await call(home.operations.list, {})).find(({ HomeName }) => HomeName === '內湖總部')?.HomeID ?? ''
  const entered = await call(utilityBill.operations.list, { HomeID })
  expect(entered).toHaveLength(12)
  const ratios = await Promise.all(
    entered.map(async ({ From, Total }) => Total / (await call(bills.getBill, { HomeID, Date: From })).Total),
  )
  expect(ratios.map((ratio) => ratio.toFixed(2)).toSorted()).toEqual([
    ...Array<string>(11).fill('1.00'),
    '1.04',
  ])
})
