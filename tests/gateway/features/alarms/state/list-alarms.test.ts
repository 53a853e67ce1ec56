import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Alarm } from '../../../../../contract/alarms/calls.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { type AlarmsWorld, startAlarms } from '../alarms-world.ts'

let all: AlarmsWorld
const NOW = 1_767_574_800_000
const MANY = 10_000
beforeAll(async () => {
  all = await startAlarms()
  // Ten percent of each are open; of these a third each are acknowledged and shelved.
  await all.world.db.query(sql`
    insert into alarms (alarm_id, tenant, home_id, kind, source, subject_name, peripheral_uid, automation_id, automation_name, severity,
      values, raised_at, reported_at, acknowledged_by, acknowledged_at, shelved_by, shelved_at, shelved_until, shelved_reason, cleared_at)
    select gen_random_uuid(), ${all.root.tenant}::uuid, ${all.HomeID}, kind, kind || ':' || n, 'Boiler ' || n, 'd' || n,
      case when kind = 'rule' then 'r' || n end, case when kind = 'rule' then 'Too hot ' || n end,
      case when n % 4 = 0 then 'critical' else 'warning' end, '{}', ${NOW}::bigint - n * 1000, ${NOW}::bigint,
      case when n % 30 = 10 then 'x' end, case when n % 30 = 10 then 1 end,
      case when n % 30 = 20 then 'x' end, case when n % 30 = 20 then 1 end, case when n % 30 = 20 then ${NOW * 2}::bigint end,
      case when n % 30 = 20 then 'x' end, case when n % 10 > 0 then ${NOW}::bigint end
    from (select n, (array['state', 'breach', 'rule', 'silent'])[n % 4 + 1] as kind from generate_series(1, ${MANY}::int) n) g`)
  await all.world.db.query(sql`analyze alarms`)
})
afterAll(() => all.world.close())

const page = async (input: object) => (await all.root.post('/ListAlarm', input)).results
const rows = async (input: object): Promise<Alarm[]> => (await page({ Limit: 500, ...input })).Rows

it('lists unacknowledged alarms first, then acknowledged and shelved, critical first in each, then cleared ones by time', async () => {
  const found: Alarm[] = []
  let Cursor: string | undefined
  do {
    const { Rows, NextCursor, Total } = await page({ HomeID: all.HomeID, Limit: 500, Cursor })
    expect(Total).toBe(MANY)
    found.push(...Rows)
    Cursor = NextCursor ?? undefined
  } while (Cursor)
  const rank = ({ Cleared, Shelved, Acknowledged, Severity }: Alarm) =>
    Cleared ? 9 : (Shelved ? 4 : Acknowledged ? 2 : 0) + (Severity === 'critical' ? 0 : 1)
  expect(new Set(found.map(rank)).size).toBeGreaterThan(4)
  expect(new Set(found.map(({ AlarmID }) => AlarmID)).size).toBe(MANY)
  expect(found).toEqual(found.toSorted((a, b) => rank(a) - rank(b) || b.RaisedAt - a.RaisedAt))
})

it.each<[string, object, (alarm: Alarm) => boolean]>([
  ['that are open', { State: 'open' }, ({ Cleared }) => !Cleared],
  [
    'that nobody has seen',
    { State: 'unacknowledged' },
    (one) => !one.Cleared && !one.Shelved && !one.Acknowledged,
  ],
  [
    'that somebody knows of',
    { State: 'acknowledged' },
    (one) => !one.Cleared && !one.Shelved && !!one.Acknowledged,
  ],
  ['that are shelved', { State: 'shelved' }, (one) => !one.Cleared && !!one.Shelved],
  ['that are over', { State: 'cleared' }, ({ Cleared }) => !!Cleared],
  ['of a severity', { Severity: 'critical', State: 'open' }, (one) => one.Severity === 'critical'],
  ['of a kind', { Kind: 'rule' }, ({ Kind }) => Kind === 'rule'],
  ['of an automation', { AutomationID: 'r2' }, ({ AutomationID }) => AutomationID === 'r2'],
  ['of a device', { PeripheralUID: 'd7' }, ({ PeripheralUID }) => PeripheralUID === 'd7'],
  ['by words of a name', { Search: 'BOILER 77' }, ({ SubjectName }) => /boiler.*77/i.test(SubjectName ?? '')],
  [
    "by words of a rule's name",
    { Search: 'hot 99' },
    ({ AutomationName }) => /hot.*99/i.test(AutomationName ?? ''),
  ],
  ['since a moment', { Since: NOW - 60_000, State: 'open' }, ({ RaisedAt }) => RaisedAt >= NOW - 60_000],
])('finds those %s', async (_, filter, matches) => {
  const found = await rows(filter)
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter((one) => !matches(one))).toEqual([])
})

it('treats wildcards in a search as text, and finds an alarm by its id', async () => {
  expect(await rows({ Search: '%' })).toEqual([])
  const [one] = await rows({ Search: 'boiler 77' })
  expect(await rows({ AlarmID: one?.AlarmID })).toEqual([one])
  expect((await all.root.post('/ListAlarm', { AlarmID: 'nonsense' })).status.code).toBe(1)
})

it('counts all open alarms regardless of filters', async () => {
  const { Counts, Total } = await page({ Kind: 'rule', State: 'cleared' })
  const open = await Promise.all(
    ['critical', 'warning'].map(async (Severity) => (await page({ State: 'open', Severity })).Total),
  )
  expect([Counts.critical, Counts.warning]).toEqual(open)
  expect(Counts.unacknowledged).toBe((await page({ State: 'unacknowledged' })).Total)
  expect(Counts.shelved).toBe((await page({ State: 'shelved' })).Total)
  expect(Total).toBeLessThan(MANY)
})

it('reads a page by an index, without sorting all alarms', async () => {
  const plan = async (where: string) =>
    JSON.stringify(
      (
        await all.world.db.query<{ 'QUERY PLAN': unknown }>({
          name: `plan ${where}`,
          text: `explain (format json) select * from alarms a where a.tenant = '${all.root.tenant}' ${where}
            order by a.place desc, a.alarm_id::text desc limit 51`,
          values: [],
        })
      )[0],
    )
  expect(await plan(`and a.home_id = '${all.HomeID}'`)).toMatch(/alarms_of_(home|tenant)/)
  expect(await plan('')).toContain('alarms_of_tenant')
})
