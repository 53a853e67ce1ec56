import { type Db, sql } from '../../store/db.ts'

/** How many alarms of a home were raised in a time (epoch ms, `to` exclusive), how many of them critical, and how many are open now. */
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
