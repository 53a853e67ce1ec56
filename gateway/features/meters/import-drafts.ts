import { DRAFT_LIFETIME_HOURS } from '../../../contract/meters/import-calls.ts'
import { type Db, sql } from '../../kernel/db.ts'

const HOUR = 3_600_000

/** Deletes expired drafts of imports, one at a time: each may have half a million rows. */
export async function deleteOldDrafts(db: Db, now: number): Promise<void> {
  const ended = () =>
    db.query(sql`delete from meter_imports where state = 'draft' and meter_import_id = (
      select meter_import_id from meter_imports
      where state = 'draft' and created_at <= ${now - DRAFT_LIFETIME_HOURS * HOUR}::bigint
      order by created_at limit 1) returning 1 as one`)
  while ((await ended()).length > 0);
}
