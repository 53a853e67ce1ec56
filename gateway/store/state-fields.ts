import { fieldShape } from '../../contract/device-kinds/field-shape.ts'
import { deviceTypes } from '../../contract/device-kinds/registry.ts'
import { type Db, sql } from './db.ts'

/** Status fields whose change is an event: relays, and fields that hold one of some names. */
export const stateFields = (): string[] => {
  const fields = new Set<string>()
  for (const { capabilities } of deviceTypes)
    for (const capability of capabilities)
      for (const field of Object.keys(capability.status)) {
        const { as } = fieldShape(capability, field)
        // How a meter's current stands to its voltage is measured, as its power is.
        if (capability.name !== 'meter' && (as === 'onOff' || as === 'choice')) fields.add(field)
      }
  return [...fields]
}

/** Tells the database which fields those are, so that it notes their changes with the status itself. */
export const keepStateFields = (db: Db): Promise<unknown> =>
  db.query(
    sql`insert into state_fields (field) select unnest(${stateFields()}::text[]) on conflict do nothing`,
  )
