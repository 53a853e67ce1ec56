import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../../../gateway/kernel/db.ts'
import type { Caller, World } from '../../../../support/world.ts'
import { schedule, smartLink, startBuilding } from '../records/support.ts'

const HOUR = 3_600_000

let world: World
let root: Caller
let HomeID: string

beforeAll(async () => {
  const building = await startBuilding()
  ;({ world, root, HomeID } = building)
})
afterAll(() => world.close())

const runsOf = async (AutomationID: string) =>
  (await root.post('/ListAutomationRun', { HomeID, AutomationID, Limit: 50 })).results.Rows as object[]

it('runs a smart link created by a call when its device is switched on, but not after it is deleted', async () => {
  const switched = async (Switch: number) => {
    world.clock.advance(10_000)
    await world.db.query(sql`
      insert into device_status as s (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
      values (${root.tenant}, 'r1', ${HomeID}, '516', ${world.clock.now()}, ${JSON.stringify({ Switch })}::jsonb, 0)
      on conflict (tenant, peripheral_uid) do update set values = excluded.values, timestamp = excluded.timestamp`)
    world.gateway.events.emit('statusChanged', {
      tenant: root.tenant,
      homeId: HomeID,
      statuses: [],
      uids: [],
      changedUIDs: ['r1'],
    })
  }
  await world.db.query(sql`update things set online = true`)
  await switched(0)
  const made = await root.post('/CreateAutomation', smartLink(HomeID))
  expect(made.status).toMatchObject({ code: 0 })
  const { AutomationID } = made.results
  await expect
    .poll(async () => (await world.db.query(sql`select from automation_states where version = 1`)).length)
    .toBe(1)
  await switched(1)
  await expect
    .poll(() => runsOf(AutomationID))
    .toMatchObject([{ Cause: 'condition', Conditions: [{ Value: 1 }] }])
  await root.post('/DeleteAutomation', { AutomationType: 3, AutomationID })
  await switched(0)
  await switched(1)
  const [row] = await world.db.query<{ runs: number }>(
    sql`select count(*) as runs from automation_runs where automation_id = ${AutomationID}`,
  )
  expect(row?.runs).toBe(1)
})

it('runs a schedule created by a call at its time, and returns the next time', async () => {
  // Monday, shortly after 9:00.
  const made = await root.post(
    '/CreateAutomation',
    schedule(HomeID, { Schedule: { Weekdays: [1, 2], At: 550 } }),
  )
  const { AutomationID, NextRunAt } = made.results
  expect(NextRunAt).toBe(Date.UTC(2026, 0, 5, 1, 10))
  for (let i = 0; i < 40; i++) {
    world.clock.advance(15_000)
    await world.db.query(sql`select`)
  }
  await expect
    .poll(async () => {
      world.clock.advance(1_000)
      return runsOf(AutomationID)
    })
    .toMatchObject([{ Cause: 'schedule', PlannedAt: NextRunAt }])
  const [after] = (await root.post('/ListAutomation', { AutomationType: 1, HomeID })).results
  expect(after).toMatchObject({ AutomationID, NextRunAt: NextRunAt + 24 * HOUR, RunsToday: 1 })
})

it('applies calendar changes to schedules by working days and off-peak days immediately', async () => {
  // Tuesday is a working day.
  const at = (day: number) => Date.UTC(2026, 0, day, 2, 0)
  const make = async (Days: string) => {
    const Schedule = { Weekdays: [0, 1, 2, 3, 4, 5, 6], At: 600, Days, From: '2026-01-06' }
    return (await root.post('/CreateAutomation', schedule(HomeID, { Schedule }))).results
  }
  const working = await make('workdays')
  const free = await make('offPeakDays')
  expect(working.NextRunAt).toBe(at(6))
  const nextRuns = async () => {
    const rows: { AutomationID: string; NextRunAt: number }[] = (
      await root.post('/ListAutomation', { AutomationType: 1, HomeID })
    ).results
    return [working, free].map(
      ({ AutomationID }) => rows.find((row) => row.AutomationID === AutomationID)?.NextRunAt,
    )
  }
  const update = (Days: object[]) => root.post('/UpdateOffPeakDay', { Year: 2026, Days })
  world.events.length = 0
  expect((await update([{ Date: '2026-01-06', IsOffPeak: true }])).status).toMatchObject({ code: 0 })
  await expect.poll(nextRuns).toEqual([at(7), at(6)])
  const told = world.events.flatMap(({ event }) => {
    const { name, record } = event as { name?: string; record: { AutomationID: string } }
    return name === 'automation.update' ? [record.AutomationID] : []
  })
  expect(told.toSorted()).toEqual([working.AutomationID, free.AutomationID].toSorted())
  await update([])
  await expect.poll(nextRuns).toEqual([at(6), free.NextRunAt])
})
