import { isDue, latestMissed, nextRun, runsBetween, type ScheduleClock } from '../logic/schedule-clock.ts'
import type { Place } from '../../../../contract/automation/home-calendar.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { notifyMissed } from '../runs/notices.ts'
import { type RuleRow, RULE_COLUMNS } from '../rules/rule-rows.ts'
import type { EngineHomeKey } from '../rules/ports.ts'
import { setsConfirmedValues } from '../../../../contract/automation/default-catch-up.ts'
import type { Action } from '../../../../contract/automation/action.ts'
import { expandActions, loadTargets } from '../targets/targets.ts'
import { isActiveRule } from './compile.ts'
import type { Engine } from './engine.ts'
import { type RunPlanner, createRunPlanner, planRuns } from './plan-run.ts'
import { missedRun, pausedHomes, scheduleSkipReason } from './why-not-run.ts'
import { homeKeyOf, readPlaces } from './places.ts'
import { replaceTimers } from './timers.ts'

/** Maximum delay of a run that counts as on time, ms: it may have to wait for a poll and other due work. */
export const ON_TIME_TOLERANCE_MS = 60_000
/** Number of schedules per transaction. */
const BATCH = 200
/** Maximum number of missed runs of one schedule that are recorded. */
const MAX_MISSED_RUNS = 31
const HOUR = 3_600_000

interface DueRow extends RuleRow {
  nextRunAt: number
  /** Epoch ms. */
  madeAt: number
}

/** A due run of a schedule. */
interface Due {
  row: DueRow
  schedule: ScheduleClock
  at: number
}

/**
 * Runs the schedules that are due, each run once across all gateways.
 *
 * now      epoch ms
 * returns  whether more schedules may be due
 */
export async function runSchedules(engine: Engine, now: number): Promise<boolean> {
  // First, because missed runs precede those that are due now.
  const homes = await homesWithMissedRuns(engine.db, now)
  for (const home of homes) await createRunPlanner(engine, (planner) => runMissed(engine, planner, home, now))
  const count = await createRunPlanner(engine, async (planner) => {
    const rows = await claimOnTime(planner.tx, now)
    await runOnTime(engine, planner, rows, now)
    return rows.length
  })
  return count === BATCH
}

const claimOnTime = (tx: Db, now: number): Promise<DueRow[]> =>
  tx.query<DueRow>(sql`select ${RULE_COLUMNS}, a.next_run_at as "nextRunAt", a.created_at as "madeAt" from automations a
    join homes h on h.tenant = a.tenant and h.home_id = a.home_id
    where a.next_run_at <= ${now}::bigint and a.next_run_at > ${now - ON_TIME_TOLERANCE_MS}::bigint
      and not exists (select from automations m where m.next_run_at <= ${now - ON_TIME_TOLERANCE_MS}::bigint
        and m.tenant = a.tenant and m.home_id = a.home_id)
    order by a.next_run_at, a.created_at, a.automation_id limit ${BATCH}::int
    for key share of h skip locked for no key update of a skip locked`)

async function runOnTime(
  engine: Engine,
  planner: RunPlanner,
  rows: readonly DueRow[],
  now: number,
): Promise<void> {
  if (rows.length === 0) return
  const places = await readPlaces(planner.tx, rows, engine.sunOf)
  const paused = await pausedHomes(planner.tx, rows, now)
  const due = rows.flatMap((row): Due[] => {
    const { Schedule: schedule } = row.rule
    const place = places.get(homeKeyOf(row))
    if (!schedule || !place || !isActiveRule(row) || !isDue(schedule, row.nextRunAt, place)) return []
    return [{ row, schedule, at: row.nextRunAt }]
  })
  const stale = rows.filter((row) => !due.some((one) => one.row === row))
  await planRuns(
    engine,
    planner,
    stale.map((row) => missedRun(row, row.nextRunAt)),
    now,
  )
  await runAll(engine, planner, due, { paused, now })
  await saveNextRuns(planner, rows, places, now)
}

/** Stores runs, and timers to switch off what they switch on. */
async function runAll(
  engine: Engine,
  planner: RunPlanner,
  due: readonly Due[],
  { paused, now }: { paused: ReadonlySet<string>; now: number },
): Promise<void> {
  if (due.length === 0) return
  for (const { at } of due) engine.metrics.lag.observe((now - at) / 1000)
  const skipReason = due.map(({ row }) => scheduleSkipReason(row, paused.has(homeKeyOf(row))))
  const runIds = await planRuns(
    engine,
    planner,
    due.map(({ row, at }, i) => {
      const notRun = skipReason[i]
      return { row, run: { cause: 'schedule', plannedAt: at, ...(notRun && { notRun }) } }
    }),
    now,
  )
  const offs = due.flatMap(({ row, schedule: { OffAfter }, at }, i) => {
    const runId = runIds[i]
    if (runId === undefined || skipReason[i] || OffAfter === 0) return []
    const { tenant, automationId } = row
    return [{ tenant, automationId, kind: 'off' as const, key: runId, dueAt: at + OffAfter * HOUR }]
  })
  await replaceTimers(planner.tx, offs)
}

/** Stores the next run of schedules; disables those that run only once. */
async function saveNextRuns(
  { tx, changed }: RunPlanner,
  rows: readonly DueRow[],
  places: ReadonlyMap<string, Place>,
  after: number,
): Promise<void> {
  const next = rows.map((row) => {
    const { Schedule: schedule } = row.rule
    const place = places.get(homeKeyOf(row))
    const at =
      schedule && place && isActiveRule(row)
        ? nextRun(schedule, Math.max(after, row.nextRunAt), place)
        : undefined
    const isFinished = at === undefined && schedule !== undefined && !('Weekdays' in schedule)
    if (isFinished) changed.push(row)
    return { tenant: row.tenant, id: row.automationId, at: at ?? null, over: isFinished }
  })
  await tx.query(sql`
    update automations a set next_run_at = n.at, enabled = a.enabled and not n.over,
      version = a.version + case when n.over and a.enabled then 1 else 0 end
    from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as n (tenant uuid, id text, at bigint, over boolean)
    where a.tenant = n.tenant and a.automation_id = n.id`)
}

const homesWithMissedRuns = (db: Db, now: number): Promise<EngineHomeKey[]> =>
  db.query<EngineHomeKey>(sql`select distinct tenant, home_id as "homeId" from automations
    where next_run_at <= ${now - ON_TIME_TOLERANCE_MS}::bigint`)

/**
 * Catches up on the schedules of a home that were missed during downtime: of those that set the same fields only the last one runs, and
 * none that exceeds its grace period. Locked per home, because finding the last one requires all of them.
 */
async function runMissed(
  engine: Engine,
  planner: RunPlanner,
  home: EngineHomeKey,
  now: number,
): Promise<void> {
  const { tx } = planner
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`automations/${homeKeyOf(home)}`}, 0))`)
  // Lock order: home before rules, as everywhere.
  await tx.query(
    sql`select from homes where tenant = ${home.tenant} and home_id = ${home.homeId} for key share`,
  )
  const rows =
    await tx.query<DueRow>(sql`select ${RULE_COLUMNS}, a.next_run_at as "nextRunAt", a.created_at as "madeAt" from automations a
    where a.tenant = ${home.tenant} and a.home_id = ${home.homeId} and a.next_run_at <= ${now}::bigint
    order by a.automation_id for no key update of a`)
  const places = await readPlaces(tx, [home], engine.sunOf)
  const place = places.get(homeKeyOf(home))
  if (rows.length === 0 || !place) return
  const paused = await pausedHomes(tx, [home], now)
  const sets = await readSetFields(
    tx,
    home,
    rows.map(({ rule }) => rule.Actions),
  )
  const { late, tooLate, blocked, stale } = sortMissed(rows, sets, place, now)
  const remaining = lastOfEachField(late)
  const missedRuns = tooLate.concat(late.filter((one) => !remaining.includes(one)))
  await planRuns(
    engine,
    planner,
    [
      ...stale.map((row) => missedRun(row, row.nextRunAt)),
      ...missedRuns.map(({ row, at }) => missedRun(row, at)),
    ],
    now,
  )
  await runAll(engine, planner, blocked.concat(remaining), { paused, now })
  await notifyMissed(
    engine.ports.notify,
    tx,
    missedRuns.map(({ row }) => row),
    now,
  )
  await saveNextRuns(planner, rows, places, now)
}

interface Missed extends Due {
  sets: SetFields
}

/** Missed schedules, in order of time. */
interface Sorted {
  /** Last missed run of each schedule, if it may still run. */
  late: Missed[]
  tooLate: Due[]
  /** Last missed run of each schedule that is blocked. */
  blocked: Due[]
  /** Schedules whose stored time is no longer valid. */
  stale: DueRow[]
}

/** Classifies missed schedules. Actions that need a confirmation because they may hurt someone run on time or not at all. */
function sortMissed(rows: readonly DueRow[], sets: readonly SetFields[], place: Place, now: number): Sorted {
  const sorted: Sorted = { late: [], tooLate: [], blocked: [], stale: [] }
  for (const [i, row] of rows.entries()) {
    const { Schedule: schedule, Grace: grace, Catching } = row.rule
    const from = row.nextRunAt - 1
    const last = schedule && isActiveRule(row) && latestMissed(schedule, { from, now, grace }, place)
    if (!schedule || !last) {
      sorted.stale.push(row)
      continue
    }
    const set = sets[i] ?? { fields: new Set(), needsConfirmation: false }
    const isOnTime = last.at > now - ON_TIME_TOLERANCE_MS
    const due = { row, schedule, at: last.at, sets: set }
    if (row.heldBy !== null) sorted.blocked.push(due)
    else if (isOnTime || (last.isInGrace && Catching === 'latest' && !set.needsConfirmation))
      sorted.late.push(due)
    else sorted.tooLate.push(due)
    for (const at of runsBetween(schedule, from, last.at - 1, place).slice(-MAX_MISSED_RUNS))
      sorted.tooLate.push({ row, schedule, at })
  }
  // Ties are ordered by creation, as for runs on time.
  sorted.late.sort(
    (a, b) =>
      a.at - b.at || a.row.madeAt - b.row.madeAt || (a.row.automationId < b.row.automationId ? -1 : 1),
  )
  return sorted
}

/** Runs that set at least one field that no later run sets. */
function lastOfEachField(late: readonly Missed[]): Missed[] {
  const set = new Set<string>()
  const remaining: Missed[] = []
  for (const due of late.toReversed()) {
    const { fields } = due.sets
    if (fields.size > 0 && [...fields].every((field) => set.has(field))) continue
    for (const field of fields) set.add(field)
    remaining.unshift(due)
  }
  return remaining
}

/** Fields that the actions of a rule set at present. */
interface SetFields {
  /** Device fields, as strings that are equal for equal fields. */
  fields: ReadonlySet<string>
  /** Whether any action needs a confirmation when done by hand, for example opening a gate. */
  needsConfirmation: boolean
}

/** Fields that some lists of actions of a home set. Scenes, groups and rooms are expanded to their present contents. */
export async function readSetFields(
  db: Db,
  home: EngineHomeKey,
  lists: readonly (readonly Action[])[],
): Promise<SetFields[]> {
  const targets = await loadTargets(db, home, lists.flat())
  return lists.map((actions) => {
    const steps = expandActions(actions, targets)
    return {
      fields: new Set(
        steps.flatMap(({ uid, values }) => Object.keys(values).map((field) => `${uid}/${field}`)),
      ),
      needsConfirmation: setsConfirmedValues(
        steps.map(({ uid, values }) => ({ type: targets.devices.get(uid)?.type, values })),
      ),
    }
  })
}
