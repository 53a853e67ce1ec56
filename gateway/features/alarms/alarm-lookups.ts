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

/**
 * Number of alarms of a home that were raised in a time range (epoch ms, `to` exclusive), of critical ones among
 * them, and of those still open.
 */
export async function countRaisedAlarms(
  db: Db,
  tenant: string,
  HomeID: string,
  from: number,
  to: number,
): Promise<{ Raised: number; Critical: number; Open: number }> {
  const [counted] = await db.query<{ Raised: number; Critical: number; Open: number }>(sql`
    select count(*) as "Raised", count(*) filter (where severity = 'critical') as "Critical",
      count(*) filter (where cleared_at is null) as "Open"
    from alarms where tenant = ${tenant} and home_id = ${HomeID} and raised_at >= ${from}::bigint and raised_at < ${to}::bigint`)
  return counted ?? { Raised: 0, Critical: 0, Open: 0 }
}
