import type { z } from 'zod'
import type { OtaJob, OtaTarget } from '../../../contract/devices/ota-calls.ts'
import type { FieldReason } from '../../../contract/kernel/reasons.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Random } from '../../kernel/ports.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { readJobs } from './store.ts'

export interface OtaStart {
  tenant: string
  by: string
  homeId: string
  firmwareId: string
  devices: readonly z.infer<typeof OtaTarget>[]
  waveSize: number
  pausePercent: number
  confirmWaves: boolean
  /** RequestID of the realtime channel: a repetition starts nothing. */
  requestId?: string
}

export interface OtaStarted {
  job: OtaJob | null
  /** Devices with an update in progress. */
  busy: z.infer<typeof OtaTarget>[]
}

interface FoundDevice {
  index: number
  thingName: string
  uid: string
  /** 'hub' or the type code; null if the device does not exist. */
  target: string | null
  version: string | null
  busy: boolean
}

/**
 * Stores a job with its devices in waves, in the given order; the caller publishes it after the commit.
 *
 * errors  NOT_FOUND for a version or device of another company or home; INVALID for a device of another kind than the
 *         firmware's
 */
export async function startOta(
  tx: Db,
  request: OtaStart,
  { random, now }: { random: Random; now: number },
): Promise<OtaStarted> {
  const { tenant, homeId, requestId = null } = request
  if (requestId !== null) {
    const [job] = await readJobs(tx, sql`j.tenant = ${tenant} and j.request_id = ${requestId}`, 1)
    if (job) return { job, busy: [] }
  }
  // Locked, so that it is not deleted concurrently.
  const [firmware] = await tx.query<{ target: string; version: string }>(sql`
    select target, firmware_version as version from firmwares
    where tenant = ${tenant} and firmware_id = ${request.firmwareId} and uploaded_at is not null for share`)
  if (!firmware) throw new GatewayError('NOT_FOUND', 'This firmware version does not exist')
  const found = await findDevices(tx, request)
  assertKind(found, firmware.target)

  const toTarget = ({ thingName, uid }: FoundDevice) => ({ ThingName: thingName, PeripheralUID: uid || null })
  const free = found.filter(({ busy }) => !busy)
  if (free.length === 0) return { job: null, busy: found.map(toTarget) }
  const jobId = `ota-${random.uuid()}`
  await tx.query(sql`
    insert into ota_jobs (tenant, ota_job_id, home_id, request_id, firmware_id, target, firmware_version, state, wave_size,
      pause_percent, confirm_waves, by, requested_at)
    values (${tenant}, ${jobId}, ${homeId}, ${requestId}, ${request.firmwareId}, ${firmware.target}, ${firmware.version},
      'running', ${request.waveSize}, ${request.pausePercent}, ${request.confirmWaves}, ${request.by}, ${now})`)
  const rows = free.map(({ thingName, uid, version }, index) => ({
    thing: thingName,
    uid,
    version,
    request: random.uuid(),
    wave: Math.floor(index / request.waveSize) + 1,
  }))
  const stored = await tx.query<{ thing: string; uid: string }>(sql`
    insert into ota_updates (tenant, ota_job_id, thing_name, peripheral_uid, home_id, request_id, firmware_version,
      from_version, wave, state, requested_at)
    select ${tenant}::uuid, ${jobId}, d.thing, d.uid, ${homeId}, d.request, ${firmware.version}, d.version, d.wave,
      'waiting', ${now}::bigint
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as d (thing text, uid text, version text, request text, wave integer)
    order by d.thing, d.uid
    on conflict do nothing returning thing_name as thing, peripheral_uid as uid`)
  // A concurrent start may have been first.
  const started = new Set(stored.map(({ thing, uid }) => `${thing}/${uid}`))
  const busy = found.filter(({ thingName, uid }) => !started.has(`${thingName}/${uid}`)).map(toTarget)
  if (stored.length === 0) {
    await tx.query(sql`delete from ota_jobs where tenant = ${tenant} and ota_job_id = ${jobId}`)
    return { job: null, busy }
  }
  const [job] = await readJobs(tx, sql`j.tenant = ${tenant} and j.ota_job_id = ${jobId}`, 1)
  return { job: job ?? null, busy }
}

/** Finds the requested devices, each once. */
async function findDevices(tx: Db, { tenant, homeId, devices }: OtaStart): Promise<FoundDevice[]> {
  const list = new Map(
    devices.map(({ ThingName, PeripheralUID }, index) => [
      `${ThingName}/${PeripheralUID ?? ''}`,
      { index, thing: ThingName, uid: PeripheralUID ?? '' },
    ]),
  )
  return tx.query<FoundDevice>(sql`
    select a.index, a.thing as "thingName", a.uid, case a.uid when '' then (case when t.thing_name is null then null else 'hub' end)
        else p.peripheral_type end as target, r.firmware_version as version,
      exists (select from ota_updates u where u.thing_name = a.thing and u.peripheral_uid = a.uid
        and u.settled_at is null) as busy
    from jsonb_to_recordset(${JSON.stringify([...list.values()])}::jsonb) as a (index integer, thing text, uid text)
    left join things t on t.tenant = ${tenant} and t.home_id = ${homeId} and t.thing_name = a.thing
    left join peripherals p on p.tenant = ${tenant} and p.thing_name = t.thing_name and p.peripheral_uid = a.uid
    left join firmware_reports r on r.thing_name = t.thing_name and r.peripheral_uid = a.uid
    order by a.index`)
}

function assertKind(found: readonly FoundDevice[], target: string): void {
  const rejectIf = (fits: (one: FoundDevice) => boolean, reason: FieldReason) =>
    Object.fromEntries(found.filter(fits).map(({ index }) => [`Devices.${index}`, reason]))
  const unknown = rejectIf((one) => one.target === null, 'notFound')
  if (Object.keys(unknown).length)
    throw new GatewayError('NOT_FOUND', 'A device does not exist in this home', unknown)
  const other = rejectIf((one) => one.target !== target, 'type')
  if (Object.keys(other).length)
    throw new GatewayError('INVALID', 'The firmware is for another kind of device', other)
}
