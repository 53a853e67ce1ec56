import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../gateway/kernel/db.ts'
import { hasNats } from '../../tests/gateway/bus/nats-server.ts'
import { makeDevices, makeHome, portions, signUpOwner } from '../support/company.ts'
import { connectInstantHub } from '../support/instant-hub.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { percentile } from '../support/statistics.ts'
import { once, saveCopies } from './rules.ts'
import { type Site, startOne, startSeveral } from './site.ts'

const COMPANIES = 2
/** Number of homes of a company. */
const HOMES = 10
/** Maximum number of schedules of a home. */
const PER_HOME = 500
const LIGHTS = 100
const A_DAY = 86_400_000
const MINUTE = 60_000
/** Time in ms from setting the schedules to the first of them: the clock checks every fifteen seconds. */
const LEAD = 30_000
/** Maximum wait in ms after the last of the schedules. A home receives at most sixty commands a second. */
const TIMEOUT_MS = 90_000

/** Arrival times of commands at the hubs, epoch ms, by RunID. */
type Arrivals = Map<string, number[]>

interface Seen {
  total: number
  /** Delays in ms from the planned time to the command's arrival, and to the start of the run. */
  late: number[]
  begunLate: number[]
  lostCount: number
  duplicateCount: number
}

const perHomeOf = ({ quick }: Options): number => (quick ? PER_HOME / 5 : PER_HOME)

/** Many schedules due in the same minute with one gateway: none may be lost, run twice or be late. */
export async function dueAtOnce(options: Options): Promise<Figure[]> {
  const site = await startOne()
  const arrivals: Arrivals = new Map()
  const total = await addSchedules(site, perHomeOf(options), arrivals)
  const distributed = await simulateArrivals(site, total, MINUTE, arrivals)
  const simultaneous = await simulateArrivals(site, total, 0, arrivals)
  await site.stop()
  return [
    ...figuresOf(distributed, 'one gateway'),
    {
      what: `${total} schedules due in one second, one gateway: the 99th percentile begins late by`,
      value: percentile(simultaneous.begunLate, 0.99),
      unit: 'ms',
      note: `at the hubs ${Math.round(percentile(simultaneous.late, 0.99))} ms, ${simultaneous.lostCount} lost, ${simultaneous.duplicateCount} doubled`,
    },
  ]
}

/** The same with three gateways on one database. */
export async function dueOnThree(options: Options): Promise<Figure[]> {
  if (!hasNats()) throw new Error('Three gateways need nats-server')
  const site = await startSeveral(3)
  const arrivals: Arrivals = new Map()
  const total = await addSchedules(site, perHomeOf(options), arrivals)
  const seen = await simulateArrivals(site, total, MINUTE, arrivals)
  await site.stop()
  return figuresOf(seen, 'three gateways')
}

/** Creates homes of two companies with the maximum number of schedules, and hubs that execute commands immediately. */
async function addSchedules(site: Site, perHome: number, arrivals: Arrivals): Promise<number> {
  for (let company = 0; company < COMPANIES; company++) {
    const owner = await signUpOwner(site.url, `owner-${company}@bench.example`)
    for (let i = 0; i < HOMES; i++) {
      const lights = makeDevices(`light-${company}-${i}`, LIGHTS, ['516'])
      const hubsOf = portions(lights, 50)
      const { HomeID, hubs } = await makeHome(site, owner, `home ${i}`, hubsOf)
      for (const hub of hubs)
        await connectInstantHub(site, hub, (_, requestId) => {
          const runId = requestId.replace(/-\d+(-r)?$/, '')
          arrivals.set(runId, [...(arrivals.get(runId) ?? []), Date.now()])
        })
      const [first = '', ...others] = lights.map(({ PeripheralUID }) => PeripheralUID)
      const instead = Array.from({ length: perHome - 1 }, (_, n) => others[n % others.length]!)
      const rule = once(HomeID, 'schedule', Date.now() + A_DAY, first)
      await saveCopies(owner, site.db, rule, { of: first, instead })
    }
  }
  return COMPANIES * HOMES * perHome
}

/** Makes all schedules due within `withinMs` ms, as if saved long ago, and waits until they have run. */
async function simulateArrivals(
  { db }: Site,
  total: number,
  withinMs: number,
  arrivals: Arrivals,
): Promise<Seen> {
  arrivals.clear()
  const from = Math.ceil(Date.now() / 1000) * 1000 + LEAD
  await db.query(sql`
    update automations a set next_run_at = t.at, enabled = true, rule = jsonb_set(a.rule, '{Schedule,At}', to_jsonb(t.at))
    from (select automation_id, ${from}::bigint + 1000 * floor((row_number() over (order by automation_id) - 1)
      * ${withinMs / 1000}::float8 / ${total}::float8)::bigint as at from automations where rule ? 'Schedule') t
    where a.automation_id = t.automation_id`)
  await pause(from + withinMs - Date.now())
  const isAll = async () => {
    const [row] = await db.query<{ open: number; count: number }>(sql`
      select count(*)::int as count, count(*) filter (where ended_at is null)::int as open from automation_runs
      where planned_at >= ${from}::bigint`)
    return row?.open === 0 && row.count >= total && arrivals.size >= total
  }
  while (Date.now() < from + withinMs + TIMEOUT_MS && !(await isAll())) await pause(1_000)
  // A second run of the same schedule would happen now.
  await pause(5_000)
  const runs = await db.query<{ runId: string; rule: string; plannedAt: number; beganAt: number }>(sql`
    select run_id as "runId", automation_id as rule, planned_at as "plannedAt", began_at as "beganAt" from automation_runs
    where planned_at >= ${from}::bigint`)
  const rules = new Set(runs.map(({ rule }) => rule))
  const arrived = runs.flatMap(({ runId, plannedAt }) =>
    (arrivals.get(runId) ?? []).slice(0, 1).map((at) => at - plannedAt),
  )
  const sentTwice = [...arrivals.values()].filter(({ length }) => length > 1).length
  return {
    total,
    late: arrived,
    begunLate: runs.map(({ beganAt, plannedAt }) => beganAt - plannedAt),
    lostCount: Math.max(total - rules.size, total - arrived.length),
    duplicateCount: runs.length - rules.size + sentTwice,
  }
}

const figuresOf = (
  { total, late, begunLate, lostCount, duplicateCount }: Seen,
  gateways: string,
): Figure[] => [
  {
    what: `${total} schedules due in one minute, ${gateways}: at the hub the 99th percentile is late by`,
    value: percentile(late, 0.99),
    unit: 'ms',
    bar: { of: 'value', max: 10_000 },
    note: `median ${Math.round(percentile(late, 0.5))} ms; the runs begin ${Math.round(percentile(begunLate, 0.99))} ms late`,
  },
  { what: `of these lost, ${gateways}`, value: lostCount, unit: '', bar: { of: 'value', max: 0 } },
  { what: `of these doubled, ${gateways}`, value: duplicateCount, unit: '', bar: { of: 'value', max: 0 } },
]
