import { stateFields } from '../../../contract/device-kinds/history-fields.ts'
import { deviceTypes } from '../../../contract/device-kinds/registry.ts'
import { type Db, sql } from '../../store/db.ts'

/** Tells the database which status fields' change is an event, so that it notes it with the status itself. */
export const keepStateFields = async (db: Db): Promise<void> => {
  const fields = [...new Set(deviceTypes.flatMap(({ type }) => stateFields(type)))]
  await db.query(
    sql`insert into state_fields (field) select unnest(${fields}::text[]) on conflict do nothing`,
  )
}
