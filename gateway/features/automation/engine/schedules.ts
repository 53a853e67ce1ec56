import {
  latestMissed,
  nextRun,
  runsBetween,
  type Schedule,
} from '../../../../contract/rules/automation/schedule-clock.ts'
import type { Place } from '../../../../contract/rules/automation/place.ts'
import { type Db, sql } from '../../../store/db.ts'
import { tellMissed } from '../rule-notices.ts'
import type { RuleRow } from './compile.ts'
import type { Engine } from './engine.ts'
import { fieldsSet } from './fields-set.ts'
import { pausedHomes } from './pauses.ts'
import { homeKeyOf, readPlaces } from './places.ts'
import { type Planning, planning, planRuns } from './plan-run.ts'
import type { HomeKey } from './ports.ts'
import { RULE_COLUMNS } from './rule-rows.ts'
import { setAllWaits } from './waits.ts'

/** A run that begins within this many ms of its time is on time: a tick and what else is due are waited for. */
export const ON_TIME = 60_000
/** Schedules of one transaction. */
const BATCH = 200
/** Missed runs of one schedule that are told. */
const MOST_TOLD = 31
const HOUR = 3_600_000

interface DueRow extends RuleRow {
  nextRunAt: number
}

/** A run of a schedule whose time has come. */
interface Due {
  row: DueRow
  schedule: Schedule
  at: number
}

/**
 * Runs the schedules that are due, each run once whichever gateways ask.
 *
 * now      epoch ms
 * returns  whether there may be more of them
 */
export async function runSchedules(engine: Engine, now: number): Promise<boolean> {
  // First: what was missed came before what is due.
  const homes = await homesThatMissed(engine.db, now)
  for (const home of homes) await planning(engine, (part) => runMissed(engine, part, home, now))
  const taken = await planning(engine, async (part) => {
    const rows = await takeOnTime(part.tx, now)
    await runOnTime(engine, part, rows, now)
    return rows.length
  })
  return taken === BATCH
}

const takeOnTime = (tx: Db, now: number): Promise<DueRow[]> =>
  tx.query<DueRow>(sql`select ${RULE_COLUMNS}, a.next_run_at as "nextRunAt" from automations a
    join homes h on h.tenant = a.tenant and h.home_id = a.home_id
    where a.next_run_at <= ${now}::bigint and a.next_run_at > ${now - ON_TIME}::bigint
      and not exists (select from automations m where m.next_run_at <= ${now - ON_TIME}::bigint
        and m.tenant = a.tenant and m.home_id = a.home_id)
    order by a.next_run_at, a.automation_id limit ${BATCH}::int
    for key share of h skip locked for no key update of a skip locked`)

async function runOnTime(
  engine: Engine,
  part: Planning,
  rows: readonly DueRow[],
  now: number,
): Promise<void> {
  if (rows.length === 0) return
  const places = await readPlaces(part.tx, rows, engine.sunOf)
  const paused = await pausedHomes(part.tx, rows, now)
  const due = rows.flatMap((row): Due[] => {
    const { Schedule: schedule } = row.rule
    const place = places.get(homeKeyOf(row))
    if (!schedule || !place || !row.isReady || !isDue(schedule, row.nextRunAt, place)) return []
    return [{ row, schedule, at: row.nextRunAt }]
  })
  await runAll(engine, part, due, { paused, now })
  await moveOn(part, rows, places, now)
}

/** A home's zone, place or holidays may have changed since the time was stored: then it is none any more. */
const isDue = (schedule: Schedule, at: number, place: Place): boolean =>
  nextRun(schedule, at - 1, place) === at

/** Stores runs, and when what they switched on is to be switched off. */
async function runAll(
  engine: Engine,
  part: Planning,
  due: readonly Due[],
  { paused, now }: { paused: ReadonlySet<string>; now: number },
): Promise<void> {
  if (due.length === 0) return
  for (const { at } of due) engine.metrics.lag.observe((now - at) / 1000)
  const runIds = await planRuns(
    engine,
    part,
    due.map(({ row, at }) => ({
      row,
      run: {
        cause: 'schedule',
        plannedAt: at,
        ...(paused.has(homeKeyOf(row)) && { notRun: { state: 'skipped', reason: 'paused' } }),
      },
    })),
    now,
  )
  const offs = due.flatMap(({ row, schedule: { OffAfter }, at }, i) => {
    const runId = runIds[i]
    if (runId === undefined || paused.has(homeKeyOf(row)) || OffAfter === 0) return []
    const { tenant, automationId } = row
    return [{ tenant, automationId, kind: 'off' as const, key: runId, dueAt: at + OffAfter * HOUR }]
  })
  await setAllWaits(part.tx, offs)
}

/** Stores when schedules run next; one that ran once is switched off. */
async function moveOn(
  { tx, changed }: Planning,
  rows: readonly DueRow[],
  places: ReadonlyMap<string, Place>,
  after: number,
): Promise<void> {
  const next = rows.map((row) => {
    const { Schedule: schedule } = row.rule
    const place = places.get(homeKeyOf(row))
    const at =
      schedule && place && row.isReady ? nextRun(schedule, Math.max(after, row.nextRunAt), place) : undefined
    const isOver = at === undefined && schedule !== undefined && !('Weekdays' in schedule)
    if (isOver) changed.push(row)
    return { tenant: row.tenant, id: row.automationId, at: at ?? null, over: isOver }
  })
  await tx.query(sql`
    update automations a set next_run_at = n.at, enabled = a.enabled and not n.over,
      version = a.version + case when n.over and a.enabled then 1 else 0 end
    from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as n (tenant uuid, id text, at bigint, over boolean)
    where a.tenant = n.tenant and a.automation_id = n.id`)
}

const homesThatMissed = (db: Db, now: number): Promise<HomeKey[]> =>
  db.query<HomeKey>(sql`select distinct tenant, home_id as "homeId" from automations
    where next_run_at <= ${now - ON_TIME}::bigint`)

/**
 * What a home's schedules missed while nothing ran: of those that set the same fields only the last runs, and none that is older
 * than it may be. One gateway does it for a home, because only who sees all of them knows the last.
 */
async function runMissed(engine: Engine, part: Planning, home: HomeKey, now: number): Promise<void> {
  const { tx } = part
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`automations/${homeKeyOf(home)}`}, 0))`)
  // Home, then rules, as everywhere.
  await tx.query(
    sql`select from homes where tenant = ${home.tenant} and home_id = ${home.homeId} for key share`,
  )
  const rows =
    await tx.query<DueRow>(sql`select ${RULE_COLUMNS}, a.next_run_at as "nextRunAt" from automations a
    where a.tenant = ${home.tenant} and a.home_id = ${home.homeId} and a.next_run_at <= ${now}::bigint
    order by a.automation_id for no key update of a`)
  const places = await readPlaces(tx, [home], engine.sunOf)
  const place = places.get(homeKeyOf(home))
  if (rows.length === 0 || !place) return
  const paused = await pausedHomes(tx, [home], now)
  const { late, tooLate } = sortMissed(rows, place, now)
  const kept = await lastOfEachField(tx, home, late)
  const missed = tooLate.concat(late.filter((one) => !kept.includes(one)))
  await planRuns(
    engine,
    part,
    missed.map(({ row, at }) => ({
      row,
      run: { cause: 'schedule', plannedAt: at, notRun: { state: 'missed', reason: null } },
    })),
    now,
  )
  await runAll(engine, part, kept, { paused, now })
  await tellMissed(
    engine.ports.tell,
    tx,
    missed.map(({ row }) => row),
    now,
  )
  await moveOn(part, rows, places, now)
}

/** Each schedule's last missed run, if it may still run, in the order of time; and all the others. */
function sortMissed(rows: readonly DueRow[], place: Place, now: number): { late: Due[]; tooLate: Due[] } {
  const late: Due[] = []
  const tooLate: Due[] = []
  for (const row of rows) {
    const { Schedule: schedule, Grace: grace, Catching } = row.rule
    if (!schedule || !row.isReady) continue
    const from = row.nextRunAt - 1
    const last = latestMissed(schedule, { from, now, grace }, place)
    if (!last) continue
    const isOnTime = last.at > now - ON_TIME
    const list = isOnTime || (last.isInGrace && Catching === 'latest') ? late : tooLate
    list.push({ row, schedule, at: last.at })
    for (const at of runsBetween(schedule, from, last.at - 1, place).slice(-MOST_TOLD))
      tooLate.push({ row, schedule, at })
  }
  return { late: late.toSorted((a, b) => a.at - b.at), tooLate }
}

/** Those of which at least one field is set by none after them. */
async function lastOfEachField(tx: Db, home: HomeKey, late: readonly Due[]): Promise<Due[]> {
  const fields = await fieldsSet(
    tx,
    home,
    late.map(({ row }) => row.rule.Actions),
  )
  const set = new Set<string>()
  const kept: Due[] = []
  for (const [i, due] of [...late.entries()].toReversed()) {
    const own = [...(fields[i] ?? [])]
    if (own.length > 0 && own.every((field) => set.has(field))) continue
    for (const field of own) set.add(field)
    kept.unshift(due)
  }
  return kept
}
