import { EVENT_PATHS } from '../../../contract/devices/kinds/history-fields.ts'
import { type Db, sql } from '../../store/db.ts'

/** Tells the database of what a change is an event, so that it notes it with the status itself. */
export const syncStateFields = async (db: Db): Promise<void> => {
  await db.query(sql`
    insert into state_fields (path, field, list, key)
    select path, field, list, key from jsonb_to_recordset(${JSON.stringify(EVENT_PATHS)}::jsonb)
      as p (path text, field text, list text, key text)
    on conflict do nothing`)
}
