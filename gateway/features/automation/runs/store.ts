import type { CommandValues } from '../../../../contract/device-kinds/capability.ts'
import type { RunCause, RunState, SkipReason } from '../../../../contract/procedures/runs.ts'
import type { Action, ORDERS } from '../../../../contract/rules/automation/action.ts'
import { type Db, type Sql, sql } from '../../../store/db.ts'
import type { PlannedRun } from './port.ts'
import { type CommandsOfRun, endState, requestId, type Step } from './step.ts'

/** How long a gateway has a run to itself without saying so again, ms. */
export const LEASE = 30_000

/** A run as it is stored. */
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
  planned: Action[]
  restores: string | null
  catchUpUntil: number | null
  steps: Step[]
}

const COLUMNS = sql`tenant, run_id as "runId", home_id as "homeId", automation_id as "automationId", scene_id as "sceneId",
  name, cause, by_name as by, owner_id as "ownerId", state, reason, began_at as "beganAt", ended_at as "endedAt",
  action_order as order, planned, restores, catch_up_until as "catchUpUntil", actions as steps`

const one = (tenant: string, runId: string): Sql => sql`tenant = ${tenant} and run_id = ${runId}`

/** Stores a run; false when there is one of its id, turn or time. Begun by nobody for a lease, its planner has it to itself. */
export async function insertRun(
  tx: Db,
  run: PlannedRun,
  steps: readonly Step[],
  now: number,
): Promise<boolean> {
  const { notRun } = run
  const rows = await tx.query(sql`
    insert into automation_runs (tenant, run_id, home_id, automation_id, automation_type, scene_id, name, cause, by_name,
      owner_id, edge_no, planned_at, depth, state, reason, began_at, ended_at, action_order, planned, restores,
      catch_up_until, conditions, actions, taken_until)
    values (${run.tenant}, ${run.runId}, ${run.homeId}, ${run.automationId},
      (select automation_type from automations where tenant = ${run.tenant} and automation_id = ${run.automationId}),
      ${run.sceneId}, ${run.name}, ${run.cause}, ${run.by}, ${run.ownerId}, ${run.edgeNo}::bigint,
      ${run.plannedAt}::bigint, ${run.depth}::int, ${notRun?.state ?? 'planned'}, ${notRun?.reason ?? null},
      ${now}::bigint, ${notRun ? now : null}::bigint, ${run.order}, ${JSON.stringify(run.actions)}::jsonb,
      ${run.restores}, ${notRun ? null : run.catchUpUntil}::bigint, ${JSON.stringify(run.conditions)}::jsonb,
      ${JSON.stringify(steps)}::jsonb, ${now + LEASE}::bigint)
    on conflict do nothing returning 1 as one`)
  return rows.length > 0
}

/** A run; undefined when there is none. */
export async function findRun(db: Db, tenant: string, runId: string): Promise<StoredRun | undefined> {
  const [run] = await db.query<StoredRun>(
    sql`select ${COLUMNS} from automation_runs where ${one(tenant, runId)}`,
  )
  return run
}

/** Runs that nobody works on, though they are not over, or their actions waited long enough or have their hubs back. */
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

/** Runs of a home with actions that wait for a hub; newest first. */
export const waitingRuns = (db: Db, tenant: string, homeId: string) =>
  db.query<{ tenant: string; runId: string }>(sql`select tenant, run_id as "runId" from automation_runs
    where tenant = ${tenant} and home_id = ${homeId} and catch_up_until is not null order by began_at desc`)

/**
 * Takes a run for a lease, unless another gateway has it.
 *
 * planned  whether it was just planned here, and is therefore this gateway's to begin
 * returns  the run and this gateway's hold of it; undefined when it is another's, over or gone
 */
export async function takeRun(
  db: Db,
  { tenant, runId }: { tenant: string; runId: string },
  now: number,
  planned: boolean,
): Promise<{ run: StoredRun; hold: Hold } | undefined> {
  // One more than what its planner wrote, so that no two gateways hold it by the same number.
  const until = now + LEASE + 1
  const [run] = await db.query<StoredRun>(sql`
    update automation_runs set taken_until = greatest(${until}::bigint, taken_until + 1),
      state = case when state = 'planned' then 'running' else state end
    where ${one(tenant, runId)} and (ended_at is null or catch_up_until is not null)
      and (coalesce(taken_until, 0) <= ${now}::bigint or (${planned}::boolean and state = 'planned'))
    returning ${COLUMNS}, taken_until as "until"`)
  return run && { run, hold: { tenant, runId, until: (run as StoredRun & Hold).until } }
}

/** A gateway's hold of a run. */
export interface Hold {
  tenant: string
  runId: string
  until: number
}

/**
 * Changes a run that this gateway holds, and holds it for another lease.
 *
 * returns  the new hold; undefined when the run was taken over or superseded
 */
export async function saveRun(
  db: Db,
  hold: Hold,
  now: number,
  change: {
    state?: RunState
    reason?: SkipReason
    steps: readonly Step[]
    endedAt?: number | null
    waits?: boolean
  },
): Promise<Hold | undefined> {
  const until = Math.max(hold.until + 1, now + LEASE)
  const ends = change.endedAt !== undefined
  const rows = await db.query(sql`
    update automation_runs set state = coalesce(${change.state ?? null}, state), reason = ${change.reason ?? null},
      actions = ${JSON.stringify(change.steps)}::jsonb,
      ended_at = case when ${ends}::boolean then ${change.endedAt ?? null}::bigint else ended_at end,
      catch_up_until = case when ${ends && !change.waits}::boolean then null else catch_up_until end,
      taken_until = case when ${ends}::boolean then null else ${until}::bigint end
    where ${one(hold.tenant, hold.runId)} and taken_until = ${hold.until}::bigint returning 1 as one`)
  return rows.length > 0 ? { ...hold, until } : undefined
}

/** Holds a run for another lease; undefined when it is no longer this gateway's. */
export async function renewRun(db: Db, hold: Hold, now: number): Promise<Hold | undefined> {
  const until = Math.max(hold.until + 1, now + LEASE)
  const rows = await db.query(sql`update automation_runs set taken_until = ${until}::bigint
    where ${one(hold.tenant, hold.runId)} and taken_until = ${hold.until}::bigint returning 1 as one`)
  return rows.length > 0 ? { ...hold, until } : undefined
}

/** Lets another gateway take a run up at once. */
export const releaseRun = (db: Db, { tenant, runId, until }: Hold) =>
  db.query(sql`update automation_runs set taken_until = 0
    where ${one(tenant, runId)} and taken_until = ${until}::bigint`)

/** Notes which devices a run sets. */
export const writeRunDevices = (db: Db, { tenant, runId }: Hold, uids: readonly string[], beganAt: number) =>
  db.query(sql`insert into run_devices (tenant, run_id, peripheral_uid, began_at)
    select distinct ${tenant}::uuid, ${runId}, uid, ${beganAt}::bigint from unnest(${[...uids]}::text[]) as d (uid)
    on conflict do nothing`)

/** Where the commands of runs stand, by RequestID. */
export async function commandsOf(db: Db, tenant: string, runIds: readonly string[]): Promise<CommandsOfRun> {
  const rows = await db.query<{ id: string } & NonNullable<ReturnType<CommandsOfRun['get']>>>(sql`
    select request_id as id, state as "State", reason as "Reason", requested_at as "RequestedAt",
      settled_at as "SettledAt" from commands where tenant = ${tenant} and run_id = any(${[...runIds]})`)
  return new Map(rows.map(({ id, ...command }) => [id, command]))
}

/** What others have asked of a device since a time, epoch ms. */
export const commandsSince = (
  db: Db,
  { tenant, uid, since, runId }: { tenant: string; uid: string; since: number; runId: string },
) =>
  db.query<{ values: CommandValues }>(sql`select values from commands
    where tenant = ${tenant} and peripheral_uid = ${uid} and requested_at > ${since}::bigint
      and run_id is distinct from ${runId} and coalesce(reason, '') not in ('permissionDenied', 'tooLate')`)

/** The older runs of an automation, which a newer one supersedes. */
export const olderRuns = ({ runId, automationId, beganAt }: StoredRun): Sql =>
  sql`automation_id = ${automationId} and run_id <> ${runId} and began_at <= ${beganAt}::bigint
    and cause not in ('shed', 'giveBack')`

/**
 * Ends runs of a company that are not over: what they have not sent they do not send.
 *
 * returns  those that ended
 */
export async function supersede(tx: Db, tenant: string, which: Sql, now: number): Promise<StoredRun[]> {
  const runs = await tx.query<StoredRun>(sql`select ${COLUMNS} from automation_runs
    where tenant = ${tenant} and (ended_at is null or catch_up_until is not null) and ${which}
    order by run_id for update`)
  for (const run of runs) {
    const commands = await commandsOf(tx, tenant, [run.runId])
    run.steps = run.steps.map((step) =>
      !step.end && (step.waits || !commands.has(requestId(run.runId, step, 1)))
        ? { ...step, waits: false, end: { state: 'dropped', reason: 'superseded', at: now } }
        : step,
    )
    run.state = run.endedAt === null ? 'superseded' : endState(run.steps)
    run.endedAt ??= now
    await tx.query(sql`update automation_runs set state = ${run.state}, ended_at = ${run.endedAt}::bigint,
      catch_up_until = null, taken_until = null, actions = ${JSON.stringify(run.steps)}::jsonb
      where ${one(tenant, run.runId)}`)
  }
  return runs
}
