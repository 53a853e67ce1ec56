import type { OtaCode, OtaJob, OtaState, OtaUpdate } from '../../../contract/devices/ota-calls.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import type { OpenUpdate, Plan, PlannedJob } from './plan.ts'

/** An open update with the data of its command. */
export interface Sendable extends OpenUpdate {
  homeId: string
  /** '' for the hub itself. */
  uid: string
  online: boolean
  /** Time at which a gateway last claimed the sending of the command, epoch ms; null if not yet, or if the hub may have forgotten it. */
  sentAt: number | null
  fileKey: string | null
  sha256: string | null
  size: number
}

const UPDATE = sql`u.ota_job_id as "OtaJobID", u.home_id as "HomeID", u.thing_name as "ThingName",
  nullif(u.peripheral_uid, '') as "PeripheralUID", u.firmware_version as "FirmwareVersion",
  u.from_version as "FromVersion", u.wave as "Wave", u.state as "State", u.code as "Code", u.progress as "Progress",
  u.requested_at as "RequestedAt", u.started_at as "StartedAt", u.settled_at as "SettledAt"`

const count = (condition: Sql) => sql`count(*) filter (where ${condition})::int`
const JOB = sql`j.ota_job_id as "OtaJobID", j.home_id as "HomeID", j.target as "Target",
  j.firmware_version as "FirmwareVersion", j.state as "State", j.pause as "Pause", j.wave_size as "WaveSize",
  j.pause_percent as "PausePercent", j.confirm_waves as "ConfirmWaves", j.by as "By", j.requested_at as "RequestedAt",
  j.ended_at as "EndedAt", (select jsonb_build_object(
    'Waiting', ${count(sql`u.state = 'waiting'`)},
    'Active', ${count(sql`u.settled_at is null and u.state <> 'waiting'`)},
    'Succeeded', ${count(sql`u.state = 'succeeded'`)},
    'Failed', ${count(sql`u.state = 'failed'`)},
    'Cancelled', ${count(sql`u.state = 'cancelled'`)})
    from ota_updates u where u.tenant = j.tenant and u.ota_job_id = j.ota_job_id) as "Counts"`

/** An update after a hub's report. */
export interface UpdateProgress {
  jobId: string
  requestId: string
  state: OtaState
  code: OtaCode | null
}
const MOVED = sql`ota_job_id as "jobId", request_id as "requestId", state, code`

/** Locks a company's updates against other gateways of this database until the transaction ends. */
export const lockCompanyUpdates = (tx: Db, tenant: string) =>
  tx.query(sql`select pg_advisory_xact_lock(hashtext('ota'), hashtext(${tenant}))`)

/** Jobs that match a condition on `ota_jobs j`, newest first. */
export const readJobs = (db: Db, condition: Sql, limit: number): Promise<OtaJob[]> =>
  db.query<OtaJob>(sql`select ${JOB} from ota_jobs j where ${condition}
    order by j.requested_at desc, j.ota_job_id limit ${limit}::int`)

/** Updates that match a condition on `ota_updates u`, newest first, and within a job in the order of execution. */
export const readUpdates = (db: Db, condition: Sql, limit: number): Promise<OtaUpdate[]> =>
  db.query<OtaUpdate>(sql`select ${UPDATE} from ota_updates u where ${condition}
    order by u.requested_at desc, u.ota_job_id, u.wave, u.thing_name, u.peripheral_uid limit ${limit}::int`)

/** Job as planning needs it; undefined if it has ended or was deleted. */
export async function readPlanned(tx: Db, tenant: string, jobId: string): Promise<PlannedJob | undefined> {
  const [job] = await tx.query<PlannedJob>(sql`
    select j.state, j.pause, j.pause_percent as "pausePercent", j.confirm_waves as "confirmWaves",
      j.approved_wave as "approvedWave",
      (select coalesce(max(wave), 0) from ota_updates u where u.tenant = j.tenant and u.ota_job_id = j.ota_job_id
        and started_at is not null) as "begunWave",
      (select ${count(sql`u.state = 'succeeded'`)} from ota_updates u where u.tenant = j.tenant
        and u.ota_job_id = j.ota_job_id) as succeeded,
      (select ${count(sql`u.state = 'failed'`)} from ota_updates u where u.tenant = j.tenant
        and u.ota_job_id = j.ota_job_id) as failed
    from ota_jobs j where j.tenant = ${tenant} and j.ota_job_id = ${jobId} and j.ended_at is null for update`)
  return job
}

/** Open updates of a job, in the order of execution. */
export const readOpen = (db: Db, tenant: string, jobId: string): Promise<Sendable[]> =>
  db.query<Sendable>(sql`
    select u.request_id as "requestId", u.thing_name as "thingName", u.wave, u.state, u.firmware_version as target,
      r.firmware_version as version, r.reported_at as "versionAt", u.started_at as "startedAt",
      u.restarting_at as "restartingAt", u.deadline_at as "deadlineAt", u.home_id as "homeId", u.peripheral_uid as uid,
      u.sent_at as "sentAt", t.online, f.file_key as "fileKey", f.sha256, f.size,
      exists (select from ota_updates o where o.thing_name = u.thing_name and o.settled_at is null
        and o.started_at is not null and o.request_id <> u.request_id) as "hubBusy"
    from ota_updates u
    join ota_jobs j on j.tenant = u.tenant and j.ota_job_id = u.ota_job_id
    join things t on t.thing_name = u.thing_name
    left join firmwares f on f.tenant = j.tenant and f.firmware_id = j.firmware_id
    left join firmware_reports r on r.thing_name = u.thing_name and r.peripheral_uid = u.peripheral_uid
    where u.tenant = ${tenant} and u.ota_job_id = ${jobId} and u.settled_at is null
    order by u.wave, u.thing_name, u.peripheral_uid`)

export async function writePlan(
  tx: Db,
  tenant: string,
  jobId: string,
  { finished, begin, job, hasEnded }: Plan,
  now: number,
  deadline: number,
): Promise<void> {
  if (finished.length)
    await tx.query(sql`
      update ota_updates u set state = s.state, code = s.code, settled_at = ${now}::bigint,
        started_at = coalesce(u.started_at, ${now}::bigint),
        progress = case s.state when 'succeeded' then 100 else u.progress end
      from jsonb_to_recordset(${JSON.stringify(finished)}::jsonb) as s ("requestId" text, state text, code smallint)
      where u.request_id = s."requestId" and u.settled_at is null`)
  if (begin.length)
    await tx.query(sql`update ota_updates set started_at = ${now}::bigint, deadline_at = ${deadline}::bigint
      where request_id = any(${begin}) and settled_at is null`)
  await tx.query(sql`update ota_jobs set state = ${job.state}, pause = ${job.pause},
      ended_at = ${hasEnded ? now : null}::bigint
    where tenant = ${tenant} and ota_job_id = ${jobId}
      and (state, pause, ended_at is null) is distinct from (${job.state}::text, ${job.pause}::text, ${!hasEnded}::boolean)`)
}

/** Claims the sending of commands for a while; the state of a device that has answered already is unchanged. */
export const markSent = async (tx: Db, requestIds: readonly string[], now: number): Promise<void> =>
  void (await tx.query(sql`update ota_updates set sent_at = ${now}::bigint,
      code = case state when 'waiting' then 0 else code end, state = case state when 'waiting' then 'sent' else state end
    where request_id = any(${requestIds as string[]}) and settled_at is null`))

/** Releases the claim after a failed send. */
export const markUnsent = (db: Db, requestId: string) =>
  db.query(sql`update ota_updates set sent_at = null where request_id = ${requestId} and settled_at is null`)

/** Marks commands of a reconnected hub as unsent, as it may have forgotten them, unless it returns from the restart that ends an update. */
export const markForgotten = (db: Db, thingName: string) =>
  db.query(sql`update ota_updates set sent_at = null
    where thing_name = ${thingName} and settled_at is null and started_at is not null and state <> 'restarting'`)

/** Key of the update that a hub reports on. */
interface UpdateKey {
  tenant: string
  thingName: string
  requestId: string
}
const isOpenUpdate = ({
  tenant,
  thingName,
  requestId,
}: UpdateKey) => sql`tenant = ${tenant} and thing_name = ${thingName}
  and request_id = ${requestId} and started_at is not null and settled_at is null`

/** Stores the progress of an update; undefined if it has ended or does not exist. */
export async function writeProgress(
  db: Db,
  key: UpdateKey,
  step: OtaState | undefined,
  progress: number | undefined,
  { now, silenceMs, maxMs }: { now: number; silenceMs: number; maxMs: number },
): Promise<UpdateProgress | undefined> {
  const [updated] = await db.query<UpdateProgress>(sql`
    update ota_updates set state = coalesce(${step ?? null}::text, state), code = 0, progress = coalesce(${progress ?? null}::smallint, progress),
      restarting_at = case when coalesce(${step ?? null}::text, state) <> 'restarting' then null
        else coalesce(restarting_at, ${now}::bigint) end,
      deadline_at = least(${now + silenceMs}::bigint, started_at + ${maxMs}::bigint)
    where ${isOpenUpdate(key)} returning ${MOVED}`)
  return updated
}

/** Stores the reported outcome of an update. A device that rejects a version because it already runs it has succeeded. */
export async function writeOutcome(
  db: Db,
  key: UpdateKey,
  code: number,
  version: string | undefined,
  now: number,
): Promise<UpdateProgress | undefined> {
  const runsIt = sql`(${code}::smallint = 4 and firmware_version = ${version ?? null}::text)`
  const [updated] = await db.query<UpdateProgress>(sql`
    update ota_updates set state = case when ${runsIt} then 'succeeded' else 'failed' end,
      code = case when ${runsIt} then null else ${code}::smallint end,
      progress = case when ${runsIt} then 100 else progress end, settled_at = ${now}::bigint
    where ${isOpenUpdate(key)} returning ${MOVED}`)
  return updated
}

/** Marks timed-out updates as succeeded if the device has reported the new version since. */
export const correctLate = (db: Db, thingName: string, since: number): Promise<UpdateProgress[]> =>
  db.query<UpdateProgress>(sql`
    update ota_updates u set state = 'succeeded', code = null, progress = 100
    from firmware_reports r
    where u.thing_name = ${thingName} and r.thing_name = u.thing_name and r.peripheral_uid = u.peripheral_uid
      and u.state = 'failed' and u.code = 5 and u.settled_at >= ${since}::bigint
      and r.firmware_version = u.firmware_version and r.reported_at >= u.started_at
    returning u.ota_job_id as "jobId", u.request_id as "requestId", u.state, u.code`)

export interface JobKey {
  tenant: string
  jobId: string
}

/** Open jobs; optionally of one hub. */
export const readOpenJobs = (db: Db, thingName?: string): Promise<JobKey[]> =>
  thingName === undefined
    ? db.query<JobKey>(sql`select tenant, ota_job_id as "jobId" from ota_jobs where ended_at is null`)
    : db.query<JobKey>(sql`select distinct tenant, ota_job_id as "jobId" from ota_updates
        where thing_name = ${thingName} and settled_at is null`)

/** Extends the deadlines of running updates after a restart of the gateway, which could not receive reports. */
export const extendDeadlines = (db: Db, deadline: number) =>
  db.query(sql`update ota_updates set deadline_at = greatest(deadline_at, ${deadline}::bigint)
    where settled_at is null and deadline_at is not null`)

export const cancelWaiting = (
  tx: Db,
  tenant: string,
  jobId: string,
  now: number,
): Promise<UpdateProgress[]> =>
  tx.query<UpdateProgress>(sql`update ota_updates set state = 'cancelled', code = null, settled_at = ${now}::bigint
    where tenant = ${tenant} and ota_job_id = ${jobId} and state = 'waiting' returning ${MOVED}`)

export const ofRequests = (tenant: string, ids: readonly string[]): Sql =>
  sql`u.tenant = ${tenant} and u.request_id = any(${ids as string[]})`

/** RequestIDs of a job, in the order of execution. */
export async function readRequests(db: Db, { tenant, jobId }: JobKey): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select request_id as id from ota_updates
    where tenant = ${tenant} and ota_job_id = ${jobId} order by wave, thing_name, peripheral_uid`)
  return rows.map(({ id }) => id)
}
