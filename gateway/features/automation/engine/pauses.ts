import { type Db, sql } from '../../../store/db.ts'
import type { HomeKey } from './ports.ts'

/** Which of some homes' automations rest at a moment, as `tenant/homeId`. */
export async function pausedHomes(db: Db, homes: readonly HomeKey[], at: number): Promise<Set<string>> {
  if (homes.length === 0) return new Set()
  const rows = await db.query<{ key: string }>(sql`
    select concat(tenant, '/', home_id) as key from automation_pauses
    where (tenant, home_id) in (select * from unnest(
      ${homes.map(({ tenant }) => tenant)}::uuid[], ${homes.map(({ homeId }) => homeId)}::text[]))
      and (until is null or until > ${at}::bigint)`)
  return new Set(rows.map(({ key }) => key))
}
