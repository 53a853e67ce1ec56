import type { ModbusRow } from '../../contract/devices/modbus/modbus-table.ts'
import { MODBUS_PRESETS, type PresetRow } from '../../contract/devices/modbus/modbus-presets.ts'
import { meterFactor } from '../../contract/devices/modbus/modbus-meter.ts'
import type { Model } from './model.ts'
import { smartMeter, type SmartMeter } from './smart-meter.ts'

/** A three-phase meter behind Modbus, with a writable limit. */
export interface ModbusMeter extends SmartMeter {
  /** Power in kW at which its alarm contact closes. */
  alarmLimit: number
}

const METER = MODBUS_PRESETS.find(({ id }) => id === 'eastron-sdm630')?.rows ?? []
const ALARM_LIMIT: PresetRow = {
  Key: 'alarm_limit',
  Group: '',
  Area: 'holding',
  Address: 86,
  DataType: 'float32',
  Bit: null,
  ByteOrder: 'big',
  WordOrder: 'big',
  Scale: 1,
  Offset: 0,
  Unit: 'kW',
  Decimals: 0,
  Access: 'rw',
  Min: 10,
  Max: 500,
  Field: null,
}
const KNOWN: Readonly<Record<string, number>> = { frequency: 60 }

/** Registers of the simulated device: the relevant ones of a real meter, and the limit. */
export const SIMULATED_ROWS: readonly PresetRow[] = [
  ...METER.filter(({ Key, Field }) => Field !== null || Key in KNOWN),
  ALARM_LIMIT,
]

const valueOf = (
  { Key, Field, Unit }: Pick<ModbusRow, 'Key' | 'Field' | 'Unit'>,
  meter: Readonly<Record<string, unknown>>,
): number | null => {
  if (Key in KNOWN) return KNOWN[Key] as number
  const value = Field === null ? undefined : meter[Field]
  return typeof value === 'number' ? value / (meterFactor(Field as string, Unit) ?? 1) : null
}

export const modbusMeter: Model<ModbusMeter> = {
  make: (_type, wiring) => ({ ...smartMeter.make('522', { ...wiring, phases: 3 }), alarmLimit: 100 }),
  step: (state, seconds, world) => ({ ...state, ...smartMeter.step(state, seconds, world) }),
  report(state) {
    const meter = smartMeter.report(state)
    const values = Object.fromEntries(SIMULATED_ROWS.map((row) => [row.Key, valueOf(row, meter)]))
    return { ...meter, ModbusValues: { ...values, [ALARM_LIMIT.Key]: state.alarmLimit } }
  },
  command: (state, { ModbusValues }) => ({
    ...state,
    alarmLimit: (ModbusValues as Record<string, number>)[ALARM_LIMIT.Key] ?? state.alarmLimit,
  }),
  draws: ({ watts }) => watts,
}
