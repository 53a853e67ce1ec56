import { type Db, sql } from '../../kernel/db.ts'

/** Devices of a home with an open silence alarm, and the start of the silence, epoch ms. */
export const findSilentDevices = (
  db: Db,
  tenant: string,
  HomeID: string,
): Promise<{ PeripheralUID: string; since: number }[]> =>
  db.query(sql`select peripheral_uid as "PeripheralUID", min(raised_at) as since from alarms
    where tenant = ${tenant} and home_id = ${HomeID} and kind = 'silent' and cleared_at is null and peripheral_uid is not null
    group by 1 order by 1`)
