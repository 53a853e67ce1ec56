import { z } from 'zod'
import { right } from '../../kernel/permissions.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import { PeripheralUID } from '../../kernel/scalars.ts'
import { ModbusTable } from '../modbus/modbus-table.ts'

const read = right('device', 'Read')

/** Maximum devices in one request for tables. */
export const MAX_TABLES_ASKED = 500

/** Request of a hub for Modbus tables: after it connected, and for newly found devices. */
export const modbusRequest = defineChannel({
  template: '{rootId}/{homeId}/modbus/request/{thingName}',
  summary: 'Requests the Modbus tables of devices of this hub; each is answered on modbus/table.',
  publishers: ['hub'],
  subscribers: [],
  access: read,
  payload: z.object({ Peripherals: z.array(PeripheralUID).min(1).max(MAX_TABLES_ASKED) }),
})

/** Modbus table of one device. Sent as an answer, and without a request if the table, its assignment or the frequency changed. */
export const modbusTableOf = defineChannel({
  template: '{rootId}/{homeId}/modbus/table/{thingName}',
  summary:
    'Modbus table of one device; null if the device has none or was not added: then the hub does not poll it.',
  publishers: ['gateway'],
  subscribers: ['hub'],
  access: read,
  payload: z.object({
    PeripheralUID,
    /** Seconds between two meter readings. */
    PowerMeterUpdateFrequency: z.number(),
    ModbusTable: ModbusTable.nullable(),
  }),
})
