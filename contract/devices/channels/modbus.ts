import { z } from 'zod'
import { topics } from '../../channels/table.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import { PeripheralUID } from '../../kernel/scalars.ts'
import { ModbusTable } from '../modbus/modbus-table.ts'

/** Maximum devices in one request for tables. */
export const MAX_TABLES_ASKED = 500

/** Request of a hub for Modbus tables: after it connected, and for newly found devices. */
export const modbusRequest = defineChannel(
  topics.modbusRequest,
  z.object({ Peripherals: z.array(PeripheralUID).min(1).max(MAX_TABLES_ASKED) }),
)

/** Modbus table of one device. Sent as an answer, and without a request if the table, its assignment or the frequency changed. */
export const modbusTableOf = defineChannel(
  topics.modbusTableOf,
  z.object({
    PeripheralUID,
    /** Seconds between two meter readings. */
    PowerMeterUpdateFrequency: z.number(),
    ModbusTable: ModbusTable.nullable(),
  }),
)
