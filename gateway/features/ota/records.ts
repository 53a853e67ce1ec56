import type { z } from 'zod'
import type { OtaJob, OtaTarget, OtaUpdate } from '../../../contract/devices/ota-calls.ts'
import { type Db, empty, sql } from '../../store/db.ts'
import { readJobs, readUpdates } from './store.ts'

/** What calls read about jobs and updates. */
export const otaRecords = {
  async find(db: Db, tenant: string, homeId: string, jobId: string): Promise<OtaJob | undefined> {
    const [job] = await readJobs(
      db,
      sql`j.tenant = ${tenant} and j.home_id = ${homeId} and j.ota_job_id = ${jobId}`,
      1,
    )
    return job
  },

  /** The jobs of a home, or of every home, that are under way, and the last `limit` that have ended; newest first. */
  async list(db: Db, tenant: string, homeId: string | undefined, limit: number): Promise<OtaJob[]> {
    const where = sql`j.tenant = ${tenant} ${homeId === undefined ? empty : sql`and j.home_id = ${homeId}`}`
    const open = await readJobs(db, sql`${where} and j.ended_at is null`, 1000)
    const done = await readJobs(db, sql`${where} and j.ended_at is not null`, limit)
    return [...open, ...done]
  },

  /** The last update of every device of a home, or of every home. */
  lastUpdates: (db: Db, tenant: string, homeId: string | undefined): Promise<OtaUpdate[]> =>
    readUpdates(
      db,
      sql`(u.tenant, u.ota_job_id, u.thing_name, u.peripheral_uid) in (
        select distinct on (thing_name, peripheral_uid) tenant, ota_job_id, thing_name, peripheral_uid from ota_updates
        where tenant = ${tenant} ${homeId === undefined ? empty : sql`and home_id = ${homeId}`}
        order by thing_name, peripheral_uid, requested_at desc, ota_job_id)`,
      100_000,
    ),

  /** Updates of a home, newest first; of one job or one device where it is named. */
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
