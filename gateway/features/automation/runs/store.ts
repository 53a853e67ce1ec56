import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { CommandFailure } from '../../../../contract/devices/command-calls.ts'
import type { RunCause, RunState, SkipReason } from '../../../../contract/automation/run-states.ts'
import type { Action, ORDERS } from '../../../../contract/automation/action.ts'
import { type Db, named, type Sql, sql } from '../../../kernel/db.ts'
import type { RunPlan } from './port.ts'
import { type CommandsOfRun, endState, requestId, type RunStep } from './step.ts'

/** Lease of a run, ms; a gateway has to renew it. */
export const LEASE_MS = 30_000

export interface StoredRun {
  tenant: string
  runId: string
  homeId: string
  automationId: string | null
  sceneId: string | null
  name: string | null
  cause: RunCause
  by: string | null
  ownerId: string | null
  state: RunState
  reason: SkipReason | null
  beganAt: number
  endedAt: number | null
  order: (typeof ORDERS)[number]
  stopOnFailure: boolean
  planned: Action[]
  restores: string | null
  catchUpUntil: number | null
  steps: RunStep[]
}

const COLUMNS = sql`tenant, run_id as "runId", home_id as "homeId", automation_id as "automationId", scene_id as "sceneId",
  name, cause, by_name as by, owner_id as "ownerId", state, reason, began_at as "beganAt", ended_at as "endedAt",
  action_order as order, stop_on_failure as "stopOnFailure", planned, restores, catch_up_until as "catchUpUntil", actions as steps`

const one = (tenant: string, runId: string): Sql => sql`tenant = ${tenant} and run_id = ${runId}`

/** A run to be stored, with the steps that are known already. */
export type NewRun = RunPlan & { steps?: readonly RunStep[] }

const INSERT = `
insert into automation_runs (tenant, run_id, home_id, automation_id, automation_type, scene_id, name, cause, by_name, owner_id,
  edge_no, planned_at, depth, state, reason, began_at, ended_at, action_order, stop_on_failure, planned, restores, catch_up_until, conditions,
  actions, taken_until)
select r.tenant, r.run_id, r.home_id, r.automation_id,
  (select a.automation_type from automations a where a.tenant = r.tenant and a.automation_id = r.automation_id),
  r.scene_id, r.name, r.cause, r.by_name, r.owner_id, r.edge_no, r.planned_at, r.depth, r.state, r.reason, $2::bigint,
  case when r.ended then $2::bigint end, r.action_order, r.stop_on_failure, r.planned, r.restores, r.catch_up_until, r.conditions,
  r.actions,
  $3::bigint
from jsonb_to_recordset($1::jsonb) as r (tenant uuid, run_id text, home_id text, automation_id text, scene_id text, name text,
  cause text, by_name text, owner_id uuid, edge_no bigint, planned_at bigint, depth int, state text, reason text, ended boolean,
  action_order text, stop_on_failure boolean, planned jsonb, restores text, catch_up_until bigint, conditions jsonb, actions jsonb)
on conflict do nothing returning tenant, run_id as "runId"`

/**
 * Stores runs, leased by their planner.
 *
 * returns  false for a run whose id, edge or time is stored already
 */
export async function insertRuns(tx: Db, runs: readonly NewRun[], now: number): Promise<boolean[]> {
  if (runs.length === 0) return []
  const rows = runs.map(({ notRun, ...run }) => ({
    tenant: run.tenant,
    run_id: run.runId,
    home_id: run.homeId,
    automation_id: run.automationId,
    scene_id: run.sceneId,
    name: run.name,
    cause: run.cause,
    by_name: run.by,
    owner_id: run.ownerId,
    edge_no: run.edgeNo,
    planned_at: run.plannedAt,
    depth: run.depth,
    state: notRun?.state ?? 'planned',
    reason: notRun?.reason ?? null,
    ended: notRun !== undefined,
    action_order: run.order,
    stop_on_failure: run.stopOnFailure ?? false,
    planned: run.actions,
    restores: run.restores,
    catch_up_until: notRun ? null : run.catchUpUntil,
    conditions: run.conditions,
    actions: run.steps ?? [],
  }))
  const stored = await tx.query<{ tenant: string; runId: string }>({
    name: 'runs-insert',
    text: INSERT,
    values: [JSON.stringify(rows), now, now + LEASE_MS],
  })
  const keys = new Set(stored.map(({ tenant, runId }) => `${tenant}/${runId}`))
  return runs.map(({ tenant, runId }) => keys.has(`${tenant}/${runId}`))
}

/** State of a run that begins, or ended before it began. */
export interface InitialRun {
  tenant: string
  runId: string
  /** Lease of the claimer; absent in the transaction that stored the run. */
  held?: number | undefined
  state: RunState
  reason: SkipReason | null
  steps: readonly RunStep[]
  isOver: boolean
}

const BEGIN = `
with begun as (
  update automation_runs a set state = r.state, reason = r.reason, actions = r.actions,
    ended_at = case when r.ended then $2::bigint end,
    catch_up_until = case when r.ended then null else a.catch_up_until end,
    taken_until = case when r.ended then null else $3::bigint end
  from jsonb_to_recordset($1::jsonb) as r (tenant uuid, run_id text, state text, reason text, actions jsonb, ended boolean,
    held bigint)
  where a.tenant = r.tenant and a.run_id = r.run_id and (r.held is null or a.taken_until = r.held)
  returning a.tenant, a.run_id, a.began_at, a.actions, r.ended, a.taken_until
), devices as (
insert into run_devices (tenant, run_id, peripheral_uid, began_at)
select distinct b.tenant, b.run_id, d ->> 'uid', b.began_at from begun b, jsonb_array_elements(b.actions) d where not b.ended
  on conflict do nothing
)
select tenant, run_id as "runId", taken_until as "until" from begun`

/**
 * Begins runs, or ends those that are over already, and records which devices they set.
 *
 * returns  leases by `tenant/runId`; a run that was taken over or superseded has none
 */
export async function beginRuns(
  tx: Db,
  runs: readonly InitialRun[],
  now: number,
): Promise<Map<string, RunLease>> {
  // One more than the value stored with them, so that no two gateways have the same lease value.
  const until = Math.max(now + LEASE_MS, ...runs.map(({ held = 0 }) => held)) + 1
  const rows = runs.map(({ tenant, runId, held, state, reason, steps, isOver }) => ({
    tenant,
    run_id: runId,
    held: held ?? null,
    state,
    reason,
    actions: steps,
    ended: isOver,
  }))
  const leases = await tx.query<RunLease>({
    name: 'runs-begin',
    text: BEGIN,
    values: [JSON.stringify(rows), now, until],
  })
  return new Map(leases.map((lease) => [`${lease.tenant}/${lease.runId}`, lease]))
}

/** Reads a run; undefined if it does not exist. */
export async function findRun(db: Db, tenant: string, runId: string): Promise<StoredRun | undefined> {
  const [run] = await db.query<StoredRun>(
    sql`select ${COLUMNS} from automation_runs where ${one(tenant, runId)}`,
  )
  return run
}

/** Runs without a lease that have not ended, or have actions whose wait has expired or whose hub has reconnected. */
export const abandonedRuns = (db: Db, now: number) =>
  db.query<{ tenant: string; runId: string }>(sql`
    select tenant, run_id as "runId" from automation_runs
      where ended_at is null and coalesce(taken_until, 0) <= ${now}::bigint
    union all
    select r.tenant, r.run_id from automation_runs r where r.catch_up_until is not null and r.ended_at is not null
      and coalesce(r.taken_until, 0) <= ${now}::bigint and (r.catch_up_until <= ${now}::bigint or exists (
        select from run_devices d join peripherals p using (tenant, peripheral_uid) join things t using (thing_name)
        where d.tenant = r.tenant and d.run_id = r.run_id and t.online
          and r.actions @> jsonb_build_array(jsonb_build_object('uid', d.peripheral_uid, 'waits', true))))
    limit 200`)

/** Runs of a home that have actions waiting for a hub; newest first. */
export const waitingRuns = (db: Db, tenant: string, homeId: string) =>
  db.query<{ tenant: string; runId: string }>(sql`select tenant, run_id as "runId" from automation_runs
    where tenant = ${tenant} and home_id = ${homeId} and catch_up_until is not null order by began_at desc`)

/**
 * Claims a run for a lease, unless another gateway has it.
 *
 * planned  whether this gateway has just planned the run and so may begin it
 * returns  the run and its lease; undefined if it is another's, over or deleted
 */
export async function claimRun(
  db: Db,
  { tenant, runId }: { tenant: string; runId: string },
  now: number,
  planned: boolean,
): Promise<{ run: StoredRun; lease: RunLease } | undefined> {
  // One more than the planner's value, so that no two gateways have the same lease value.
  const until = now + LEASE_MS + 1
  const [run] = await db.query<StoredRun>(sql`
    update automation_runs set taken_until = greatest(${until}::bigint, taken_until + 1),
      state = case when state = 'planned' then 'running' else state end
    where ${one(tenant, runId)} and (ended_at is null or catch_up_until is not null)
      and (coalesce(taken_until, 0) <= ${now}::bigint or (${planned}::boolean and state = 'planned'))
    returning ${COLUMNS}, taken_until as "until"`)
  return run && { run, lease: { tenant, runId, until: (run as StoredRun & RunLease).until } }
}

export interface RunLease {
  tenant: string
  runId: string
  until: number
}

/** Change of a run that this gateway leases; without steps it only renews the lease. */
export interface RunChange {
  lease: RunLease
  now: number
  state?: RunState
  reason?: SkipReason
  steps?: readonly RunStep[]
  endedAt?: number | null
  waits?: boolean
}

const SAVE = `
with r as (
  select * from jsonb_to_recordset($1::jsonb) as r (tenant uuid, run_id text, held bigint, until bigint, state text, reason text,
    actions jsonb, ends boolean, ended_at bigint, waits boolean)
), held as materialized (
  select a.tenant, a.run_id from automation_runs a join r using (tenant, run_id) where a.taken_until = r.held
  order by a.run_id for update of a
)
update automation_runs a set state = coalesce(r.state, a.state), reason = case when r.actions is null then a.reason else r.reason end,
  actions = coalesce(r.actions, a.actions),
  ended_at = case when r.ends then r.ended_at else a.ended_at end,
  catch_up_until = case when r.ends and not r.waits then null else a.catch_up_until end,
  taken_until = case when r.ends then null else r.until end
from r join held using (tenant, run_id)
where a.tenant = r.tenant and a.run_id = r.run_id and a.taken_until = r.held
returning a.tenant, a.run_id as "runId"`

/**
 * Changes runs that this gateway leases, and renews the lease of those that have not ended.
 *
 * returns  the new leases; undefined for a run that was taken over or superseded
 */
export async function saveRuns(db: Db, changes: readonly RunChange[]): Promise<(RunLease | undefined)[]> {
  const rows = changes.map(({ lease, now, ...change }) => ({
    tenant: lease.tenant,
    run_id: lease.runId,
    held: lease.until,
    until: Math.max(lease.until + 1, now + LEASE_MS),
    state: change.state ?? null,
    reason: change.reason ?? null,
    actions: change.steps ?? null,
    ends: change.endedAt !== undefined,
    ended_at: change.endedAt ?? null,
    waits: change.waits ?? false,
  }))
  const saved = await db.query<{ tenant: string; runId: string }>({
    name: 'runs-save',
    text: SAVE,
    values: [JSON.stringify(rows)],
  })
  const keys = new Set(saved.map(({ tenant, runId }) => `${tenant}/${runId}`))
  return changes.map(({ lease }, i) =>
    keys.has(`${lease.tenant}/${lease.runId}`)
      ? { ...lease, until: rows[i]?.until ?? lease.until }
      : undefined,
  )
}

/** Releases a run, so that another gateway can claim it at once. */
export const releaseRun = (db: Db, { tenant, runId, until }: RunLease) =>
  db.query(sql`update automation_runs set taken_until = 0
    where ${one(tenant, runId)} and taken_until = ${until}::bigint`)

/** Maximum difference between the clocks of two gateways that work on one run, ms. */
const MAX_CLOCK_SKEW_MS = 86_400_000

/** States of the commands of a company's runs, by RunID and then RequestID. */
export async function readCommandsOfRuns(
  db: Db,
  tenant: string,
  runIds: readonly string[],
): Promise<Map<string, Map<string, NonNullable<ReturnType<CommandsOfRun['get']>>>>> {
  const rows = await db.query<
    { id: string; runId: string } & NonNullable<ReturnType<CommandsOfRun['get']>>
  >(sql`
    select request_id as id, run_id as "runId", state as "State", reason as "Reason", requested_at as "RequestedAt",
      settled_at as "SettledAt" from commands where tenant = ${tenant} and run_id = any(${[...runIds]})
      and requested_at >= (select min(began_at) - ${MAX_CLOCK_SKEW_MS}::bigint from automation_runs
        where tenant = ${tenant} and run_id = any(${[...runIds]}))`)
  const all = new Map(runIds.map((runId) => [runId, new Map()]))
  for (const { id, runId, ...command } of rows) all.get(runId)?.set(id, command)
  return all
}

/** Order in which runs `r` of automations `u` were decided; at the same time, the rule that was created later comes last. */
const DECIDED = sql`r.began_at, coalesce(r.planned_at, r.began_at), coalesce(u.created_at, 0), r.run_id`

/**
 * Commands of others to a device since a time, epoch ms, except those of runs that were decided before this one; such runs may send
 * their commands later, after their hub reconnects.
 */
export const commandsSince = (
  db: Db,
  { tenant, uid, since, runId }: { tenant: string; uid: string; since: number; runId: string },
) =>
  db.query<{ values: CommandValues }>(sql`select c.values from commands c
    left join automation_runs r on r.tenant = c.tenant and r.run_id = c.run_id
    left join automations u on u.tenant = r.tenant and u.automation_id = r.automation_id
    where c.tenant = ${tenant} and c.peripheral_uid = ${uid} and c.run_id is distinct from ${runId}
      and coalesce(c.reason, '') not in ('permissionDenied', 'tooLate')
      and c.requested_at >= ${since - MAX_CLOCK_SKEW_MS}::bigint
      and case when r.run_id is null then c.requested_at > ${since}::bigint else (${DECIDED}) > (select ${DECIDED}
        from automation_runs r left join automations u on u.tenant = r.tenant and u.automation_id = r.automation_id
        where r.tenant = ${tenant} and r.run_id = ${runId}) end`)

/**
 * Ends older runs of some automations of a company, which newer ones supersede; their unsent commands are cancelled.
 *
 * returns  the ended runs
 */
export async function supersedeOlder(
  tx: Db,
  tenant: string,
  newer: readonly Pick<StoredRun, 'runId' | 'automationId' | 'beganAt'>[],
  now: number,
): Promise<StoredRun[]> {
  if (newer.length === 0) return []
  const last = Math.max(...newer.map(({ beganAt }) => beganAt))
  const older = sql`automation_id = any(${newer.map(({ automationId }) => automationId)}::text[])
    and run_id <> all(${newer.map(({ runId }) => runId)}::text[]) and began_at <= ${last}::bigint
    and cause not in ('shed', 'giveBack')`
  return endRuns(
    tx,
    await tx.query<StoredRun>(named('runs-supersede', openRuns(tenant, older))),
    SUPERSEDED,
    now,
  )
}

/**
 * Ends open runs of a company; their unsent commands are cancelled.
 *
 * returns  the ended runs
 */
export const supersede = async (tx: Db, tenant: string, which: Sql, now: number): Promise<StoredRun[]> =>
  endRuns(tx, await tx.query<StoredRun>(openRuns(tenant, which)), SUPERSEDED, now)

/**
 * Ends runs with unsent commands of automations of a company whose owner may no longer act; the commands are cancelled.
 *
 * returns  the ended runs
 */
export async function markRunsRejected(
  tx: Db,
  tenant: string,
  automationIds: readonly string[],
  now: number,
): Promise<StoredRun[]> {
  if (automationIds.length === 0) return []
  const open = openRuns(tenant, sql`automation_id = any(${[...automationIds]}::text[])`)
  return endRuns(tx, await tx.query<StoredRun>(open), REFUSED, now)
}

/** Way of ending runs early: their state, and the reason for which unsent commands are cancelled. */
interface Ending {
  state: RunState
  reason: SkipReason | null
  dropped: CommandFailure
  /** Whether to end only runs with unsent commands; commands of the others are followed to their end. */
  onlyWithRest: boolean
}
const SUPERSEDED: Ending = { state: 'superseded', reason: null, dropped: 'superseded', onlyWithRest: false }
const REFUSED: Ending = {
  state: 'refused',
  reason: 'noRight',
  dropped: 'permissionDenied',
  onlyWithRest: true,
}

const openRuns = (tenant: string, which: Sql): Sql => sql`select ${COLUMNS} from automation_runs
  where tenant = ${tenant} and (ended_at is null or catch_up_until is not null) and ${which}
  order by run_id for update`

async function endRuns(tx: Db, runs: StoredRun[], ending: Ending, now: number): Promise<StoredRun[]> {
  if (runs.length === 0) return runs
  const sent = await readCommandsOfRuns(
    tx,
    runs[0]?.tenant ?? '',
    runs.map(({ runId }) => runId),
  )
  const ended: StoredRun[] = []
  for (const run of runs) {
    const isLeft = (step: RunStep) =>
      !step.end && (step.waits || !sent.get(run.runId)?.has(requestId(run.runId, step, 1)))
    // The steps of a run that has not begun are unknown.
    if (ending.onlyWithRest && run.steps.length > 0 && !run.steps.some(isLeft)) continue
    run.steps = run.steps.map((step) =>
      isLeft(step)
        ? { ...step, waits: false, end: { state: 'dropped', reason: ending.dropped, at: now } }
        : step,
    )
    if (run.endedAt === null) Object.assign(run, { state: ending.state, reason: ending.reason })
    else run.state = endState(run.steps)
    run.endedAt ??= now
    await tx.query(sql`update automation_runs set state = ${run.state}, reason = ${run.reason},
      ended_at = ${run.endedAt}::bigint, catch_up_until = null, taken_until = null,
      actions = ${JSON.stringify(run.steps)}::jsonb
      where ${one(run.tenant, run.runId)}`)
    ended.push(run)
  }
  return ended
}
