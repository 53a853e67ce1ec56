import type { commands } from '../../../contract/devices/command-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Control } from './control.ts'
import { sql } from '../../store/db.ts'

export const commandHandlers = (control: Pick<Control, 'list'>): HandlersOf<typeof commands> => ({
  listCommand: async ({ Limit, ...key }, { db, actor }) => {
    const found = await db.query(sql`select 1 from peripherals where tenant = ${actor.tenant}
      and home_id = ${key.HomeID} and peripheral_uid = ${key.PeripheralUID}`)
    if (!found.length) throw new GatewayError('NOT_FOUND', `Device ${key.PeripheralUID} does not exist`)
    return control.list(actor.tenant, key, Limit)
  },
})
