import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import {
  Firmware,
  type ota,
  type OtaDevice,
  type OtaJob,
  type OtaUpdate,
  type OtaTarget,
} from '../../../contract/devices/ota-calls.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import type { Library } from './library.ts'
import type { Ota } from './ota.ts'
import { columnsOf, inHomes } from '../../store/sql.ts'
import { type Db, empty, sql } from '../../kernel/db.ts'
import type { z } from 'zod'
import { readJobs, readUpdates } from './store.ts'

/** Queries of the calls about jobs and updates. */
export const otaRecords = {
  async find(db: Db, tenant: string, homeId: string, jobId: string): Promise<OtaJob | undefined> {
    const [job] = await readJobs(
      db,
      sql`j.tenant = ${tenant} and j.home_id = ${homeId} and j.ota_job_id = ${jobId}`,
      1,
    )
    return job
  },

  /** Open jobs of homes, null means all, and the last `limit` ended ones; newest first. */
  async list(db: Db, tenant: string, homes: readonly string[] | null, limit: number): Promise<OtaJob[]> {
    const where = sql`j.tenant = ${tenant} and ${inHomes(homes, sql`j.home_id`)}`
    const open = await readJobs(db, sql`${where} and j.ended_at is null`, 1000)
    const finished = await readJobs(db, sql`${where} and j.ended_at is not null`, limit)
    return [...open, ...finished]
  },

  /** Latest update of every device of homes; null means all. */
  lastUpdates: (db: Db, tenant: string, homes: readonly string[] | null): Promise<OtaUpdate[]> =>
    readUpdates(
      db,
      sql`(u.tenant, u.ota_job_id, u.thing_name, u.peripheral_uid) in (
        select distinct on (thing_name, peripheral_uid) tenant, ota_job_id, thing_name, peripheral_uid from ota_updates
        where tenant = ${tenant} and ${inHomes(homes, sql`home_id`)}
        order by thing_name, peripheral_uid, requested_at desc, ota_job_id)`,
      100_000,
    ),

  /** Updates of a home, newest first; optionally of one job or one device. */
  updates: (
    db: Db,
    of: {
      tenant: string
      homeId: string
      jobId: string | undefined
      device: z.infer<typeof OtaTarget> | undefined
    },
    limit: number,
  ): Promise<OtaUpdate[]> =>
    readUpdates(
      db,
      sql`u.tenant = ${of.tenant} and u.home_id = ${of.homeId}
        ${of.jobId === undefined ? empty : sql`and u.ota_job_id = ${of.jobId}`}
        ${
          of.device === undefined
            ? empty
            : sql`and u.thing_name = ${of.device.ThingName} and u.peripheral_uid = ${of.device.PeripheralUID ?? ''}`
        }`,
      limit,
    ),
}

/** Number of ended jobs in the overview. */
const LAST_JOBS = 20

export const otaHandlers = (
  updates: Pick<Ota, 'start' | 'cancel' | 'resume'>,
  library: Pick<Library, 'announce'>,
): HandlersOf<typeof ota> => {
  /** Changes a job of this home and emits the change. */
  async function change(
    { HomeID, OtaJobID }: { HomeID: string; OtaJobID: string },
    context: SignedIn,
    work: (tx: Db, tenant: string, jobId: string) => Promise<void>,
  ): Promise<OtaJob> {
    const { db, actor } = context
    const before = await otaRecords.find(db, actor.tenant, HomeID, OtaJobID)
    if (!before) throw new GatewayError('NOT_FOUND', 'This update does not exist')
    await work(db, actor.tenant, OtaJobID)
    context.emit('otaChanged', { tenant: actor.tenant, jobId: OtaJobID })
    const after = (await otaRecords.find(db, actor.tenant, HomeID, OtaJobID)) ?? before
    context.audit({ before, after })
    return after
  }

  return {
    getAllOta: async ({ HomeID }, { db, actor: { tenant }, homes }) => {
      if (HomeID !== undefined) await findHome(db, tenant, HomeID)
      const visible = HomeID === undefined ? homes() : [HomeID]
      const Firmwares = await db.query<Firmware>(sql`select ${columnsOf(Firmware)} from firmwares
        where tenant = ${tenant} and uploaded_at is not null order by target, uploaded_at desc`)
      const devices = await readDevices(db, tenant, visible)
      const last = await otaRecords.lastUpdates(db, tenant, visible)
      const lastOf = new Map(last.map((update) => [keyOf(update), update]))
      return {
        Firmwares,
        Devices: devices.map((device) => ({ ...device, Update: lastOf.get(keyOf(device)) ?? null })),
        Jobs: await otaRecords.list(db, tenant, visible, LAST_JOBS),
      }
    },

    listOtaUpdate: async ({ HomeID, OtaJobID, Device, Limit }, { db, actor: { tenant } }) => {
      await findHome(db, tenant, HomeID)
      return otaRecords.updates(db, { tenant, homeId: HomeID, jobId: OtaJobID, device: Device }, Limit)
    },

    uploadFirmware: async (input, { db, actor, audit }) => {
      if (input.Target !== 'hub' && !deviceType(input.Target))
        throw new GatewayError('INVALID', 'There is no such device type', { Target: 'type' })
      const target = await library.announce(db, actor, input)
      audit({ after: { ...input, FirmwareID: target.FirmwareID } })
      return target
    },

    deleteFirmware: async ({ FirmwareID }, context) => {
      const { db, actor } = context
      const [before] = await db.query<Firmware & { fileKey: string }>(sql`
        select ${columnsOf(Firmware)}, file_key as "fileKey" from firmwares
        where tenant = ${actor.tenant} and firmware_id = ${FirmwareID} and uploaded_at is not null for update`)
      if (!before) throw new GatewayError('NOT_FOUND', 'This firmware version does not exist')
      const open = await db.query(sql`select 1 from ota_jobs where tenant = ${actor.tenant}
        and firmware_id = ${FirmwareID} and ended_at is null limit 1`)
      if (open.length) throw new GatewayError('CONFLICT', 'An update with this version is under way')
      await db.query(
        sql`delete from firmwares where tenant = ${actor.tenant} and firmware_id = ${FirmwareID}`,
      )
      const { fileKey, ...record } = before
      context.emit('firmwareDropped', { fileKey })
      context.change('firmware.remove', { FirmwareID })
      context.audit({ before: record })
      return { FirmwareID }
    },

    startOta: async (input, context) => {
      const { db, actor } = context
      const { job, busy } = await updates.start(db, {
        tenant: actor.tenant,
        by: actor.name,
        homeId: input.HomeID,
        firmwareId: input.FirmwareID,
        devices: input.Devices,
        waveSize: input.WaveSize,
        pausePercent: input.PausePercent,
        confirmWaves: input.ConfirmWaves,
      })
      if (job) context.emit('otaChanged', { tenant: actor.tenant, jobId: job.OtaJobID })
      context.audit({ after: job })
      return { Job: job, Refused: busy.map((device) => ({ ...device, Code: 1 as const })) }
    },

    resumeOta: (key, context) => change(key, context, (...job) => updates.resume(...job)),
    cancelOta: (key, context) => change(key, context, (...job) => updates.cancel(...job)),
  }
}

const keyOf = ({ ThingName, PeripheralUID }: Pick<OtaUpdate, 'ThingName' | 'PeripheralUID'>) =>
  `${ThingName}/${PeripheralUID ?? ''}`

/** Hubs of a home, or of every home, and the devices behind them, with their reported versions. */
const readDevices = (
  db: Db,
  tenant: string,
  homes: readonly string[] | null,
): Promise<Omit<OtaDevice, 'Update'>[]> =>
  db.query(sql`
    select d.*, r.firmware_version as "FirmwareVersion", r.reported_at as "ReportedAt" from (
      select home_id as "HomeID", thing_name as "ThingName", null as "PeripheralUID", device_name as "Name", 'hub' as "Target",
        room_id as "RoomID", online as "Online"
      from things where tenant = ${tenant} and ${inHomes(homes, sql`home_id`)}
      union all
      select p.home_id, p.thing_name, p.peripheral_uid, p.peripheral_name, p.peripheral_type, p.room_id, t.online
      from peripherals p join things t on t.thing_name = p.thing_name
      where p.tenant = ${tenant} and ${inHomes(homes, sql`p.home_id`)}) d
    left join firmware_reports r
      on r.thing_name = d."ThingName" and r.peripheral_uid = coalesce(d."PeripheralUID", '')
    order by d."Target" <> 'hub', d."Name", d."PeripheralUID"`)
