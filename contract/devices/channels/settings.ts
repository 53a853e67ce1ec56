import { z } from 'zod'
import { topics } from '../../channels/table.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import { Peripheral } from '../peripheral.ts'
import { PeripheralUID } from '../../kernel/scalars.ts'
import { ModbusTable } from '../modbus/modbus-table.ts'

export const MAX_SETTINGS = 500

/** Settings of a device that its hub needs (§3): seconds between readings, control mode, pulse time, lamp threshold. */
export const HubSettings = Peripheral.pick({
  PeripheralUID: true,
  PowerMeterUpdateFrequency: true,
  ControlMode: true,
  PulseDuration: true,
  LightHouseThreshold: true,
})
export type HubSettings = z.infer<typeof HubSettings>

/** Request of a hub for the settings of its devices, after it connected. */
export const settingsRequest = defineChannel(topics.settingsRequest, z.object({}))

/** Settings of devices. Sent as an answer, and without a request if a setting changed or a device was added. */
export const settingsOf = defineChannel(
  topics.settingsOf,
  z.object({ Settings: z.array(HubSettings).max(MAX_SETTINGS) }),
)

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
