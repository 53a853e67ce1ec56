import { type ModbusRow, DEFAULT_SENTINELS, type ModbusArea, type ModbusType } from './modbus-table.ts'
import type { MeterField } from './modbus-meter.ts'

/** Row without its label, which comes from the locales: `modbus:rows.<Key>`. */
export type PresetRow = Omit<ModbusRow, 'Label'>

/** Register map of a meter model, to be copied into the company's library. */
export interface ModbusPreset {
  id: string
  Manufacturer: string
  Model: string
  /** Source of the addresses; they are facts, no code was copied. */
  source: string
  rows: readonly PresetRow[]
}

const SOURCE = 'volkszaehler/mbmd, meters/rs485 (BSD-3-Clause)'

type Line = readonly [
  key: string,
  address: number,
  type: ModbusType,
  scale: number,
  unit: string,
  decimals: number,
  field?: MeterField,
]

function preset(
  id: string,
  Manufacturer: string,
  Model: string,
  Area: ModbusArea,
  WordOrder: 'big' | 'little',
  lines: readonly Line[],
): ModbusPreset {
  const rows = lines.map(([Key, Address, DataType, Scale, Unit, Decimals, Field = null]): PresetRow => ({
    Key,
    Group: groupOf(Key),
    Area,
    Address,
    DataType,
    Bit: null,
    ByteOrder: 'big',
    WordOrder,
    Scale,
    Offset: 0,
    Unit,
    Decimals,
    Access: 'r',
    Min: null,
    Max: null,
    Field,
    Sentinels: [...DEFAULT_SENTINELS[DataType]],
  }))
  return { id, Manufacturer, Model, source: SOURCE, rows }
}

/** Groups the values of one line of a three-phase meter. */
const groupOf = (key: string): string => /_l([123])$/.exec(key)?.[1]?.replace(/^/, 'L') ?? ''

/**
 * Meters whose register maps are certain. Meters with only one source or an unknown byte order are left to the editor: a plausible
 * but wrong value is worse than none.
 */
export const MODBUS_PRESETS: readonly ModbusPreset[] = [
  preset('eastron-sdm630', 'Eastron', 'SDM630', 'input', 'big', [
    ['voltage_l1', 0, 'float32', 1, 'V', 1, 'Voltage1'],
    ['voltage_l2', 2, 'float32', 1, 'V', 1, 'Voltage2'],
    ['voltage_l3', 4, 'float32', 1, 'V', 1, 'Voltage3'],
    ['current_l1', 6, 'float32', 1, 'A', 3, 'Current1'],
    ['current_l2', 8, 'float32', 1, 'A', 3, 'Current2'],
    ['current_l3', 10, 'float32', 1, 'A', 3, 'Current3'],
    ['power_l1', 12, 'float32', 1, 'W', 0, 'Power1'],
    ['power_l2', 14, 'float32', 1, 'W', 0, 'Power2'],
    ['power_l3', 16, 'float32', 1, 'W', 0, 'Power3'],
    ['apparent_power_l1', 18, 'float32', 1, 'VA', 0],
    ['apparent_power_l2', 20, 'float32', 1, 'VA', 0],
    ['apparent_power_l3', 22, 'float32', 1, 'VA', 0],
    ['reactive_power_l1', 24, 'float32', 1, 'var', 0],
    ['reactive_power_l2', 26, 'float32', 1, 'var', 0],
    ['reactive_power_l3', 28, 'float32', 1, 'var', 0],
    ['power_factor_l1', 30, 'float32', 1, '', 3],
    ['power_factor_l2', 32, 'float32', 1, '', 3],
    ['power_factor_l3', 34, 'float32', 1, '', 3],
    ['power_total', 52, 'float32', 1, 'W', 0, 'Power'],
    ['apparent_power_total', 56, 'float32', 1, 'VA', 0],
    ['reactive_power_total', 60, 'float32', 1, 'var', 0],
    ['power_factor_total', 62, 'float32', 1, '', 3, 'PowerFactor'],
    ['frequency', 70, 'float32', 1, 'Hz', 2],
    ['import_energy', 72, 'float32', 1, 'kWh', 2, 'AccumulatePower'],
    ['export_energy', 74, 'float32', 1, 'kWh', 2],
    ['import_reactive_energy', 76, 'float32', 1, 'kvarh', 2],
    ['export_reactive_energy', 78, 'float32', 1, 'kvarh', 2],
    ['total_energy', 342, 'float32', 1, 'kWh', 2],
    ['import_energy_l1', 346, 'float32', 1, 'kWh', 2],
    ['import_energy_l2', 348, 'float32', 1, 'kWh', 2],
    ['import_energy_l3', 350, 'float32', 1, 'kWh', 2],
  ]),
  preset('eastron-sdm120', 'Eastron', 'SDM120 / SDM230', 'input', 'big', [
    ['voltage', 0, 'float32', 1, 'V', 1, 'Voltage'],
    ['current', 6, 'float32', 1, 'A', 3, 'AvgElectricCurrent'],
    ['power', 12, 'float32', 1, 'W', 0, 'Power'],
    ['apparent_power', 18, 'float32', 1, 'VA', 0],
    ['reactive_power', 24, 'float32', 1, 'var', 0],
    ['power_factor', 30, 'float32', 1, '', 3, 'PowerFactor'],
    ['frequency', 70, 'float32', 1, 'Hz', 2],
    ['import_energy', 72, 'float32', 1, 'kWh', 2, 'AccumulatePower'],
    ['export_energy', 74, 'float32', 1, 'kWh', 2],
    ['total_energy', 342, 'float32', 1, 'kWh', 2],
  ]),
  preset('schneider-iem3000', 'Schneider Electric', 'iEM3000 series', 'holding', 'big', [
    ['current_l1', 2999, 'float32', 1, 'A', 3, 'Current1'],
    ['current_l2', 3001, 'float32', 1, 'A', 3, 'Current2'],
    ['current_l3', 3003, 'float32', 1, 'A', 3, 'Current3'],
    ['current_avg', 3009, 'float32', 1, 'A', 3, 'AvgElectricCurrent'],
    ['voltage_l1', 3027, 'float32', 1, 'V', 1, 'Voltage1'],
    ['voltage_l2', 3029, 'float32', 1, 'V', 1, 'Voltage2'],
    ['voltage_l3', 3031, 'float32', 1, 'V', 1, 'Voltage3'],
    ['voltage_avg', 3035, 'float32', 1, 'V', 1, 'Voltage'],
    ['power_l1', 3053, 'float32', 1, 'kW', 3, 'Power1'],
    ['power_l2', 3055, 'float32', 1, 'kW', 3, 'Power2'],
    ['power_l3', 3057, 'float32', 1, 'kW', 3, 'Power3'],
    ['power_total', 3059, 'float32', 1, 'kW', 3, 'Power'],
    ['reactive_power_total', 3067, 'float32', 1, 'kvar', 3],
    ['apparent_power_total', 3075, 'float32', 1, 'kVA', 3],
    ['frequency', 3109, 'float32', 1, 'Hz', 2],
    ['import_energy', 3203, 'int64', 1, 'Wh', 0, 'AccumulatePower'],
    ['export_energy', 3207, 'int64', 1, 'Wh', 0],
  ]),
  preset('chint-dtsu666', 'Chint', 'DTSU666', 'holding', 'big', [
    ['voltage_l1', 8198, 'float32', 0.1, 'V', 1, 'Voltage1'],
    ['voltage_l2', 8200, 'float32', 0.1, 'V', 1, 'Voltage2'],
    ['voltage_l3', 8202, 'float32', 0.1, 'V', 1, 'Voltage3'],
    ['current_l1', 8204, 'float32', 0.001, 'A', 3, 'Current1'],
    ['current_l2', 8206, 'float32', 0.001, 'A', 3, 'Current2'],
    ['current_l3', 8208, 'float32', 0.001, 'A', 3, 'Current3'],
    ['power_total', 8210, 'float32', 0.1, 'W', 0, 'Power'],
    ['power_l1', 8212, 'float32', 0.1, 'W', 0, 'Power1'],
    ['power_l2', 8214, 'float32', 0.1, 'W', 0, 'Power2'],
    ['power_l3', 8216, 'float32', 0.1, 'W', 0, 'Power3'],
    ['reactive_power_total', 8218, 'float32', 0.1, 'var', 0],
    ['power_factor_total', 8234, 'float32', 0.001, '', 3, 'PowerFactor'],
    ['frequency', 8260, 'float32', 0.01, 'Hz', 2],
    ['import_energy', 4126, 'float32', 1, 'kWh', 2, 'AccumulatePower'],
    ['export_energy', 4136, 'float32', 1, 'kWh', 2],
  ]),
  preset('gavazzi-em24', 'Carlo Gavazzi', 'EM24', 'input', 'little', [
    ['voltage_l1', 0, 'int32', 0.1, 'V', 1, 'Voltage1'],
    ['voltage_l2', 2, 'int32', 0.1, 'V', 1, 'Voltage2'],
    ['voltage_l3', 4, 'int32', 0.1, 'V', 1, 'Voltage3'],
    ['current_l1', 12, 'int32', 0.001, 'A', 3, 'Current1'],
    ['current_l2', 14, 'int32', 0.001, 'A', 3, 'Current2'],
    ['current_l3', 16, 'int32', 0.001, 'A', 3, 'Current3'],
    ['power_l1', 18, 'int32', 0.1, 'W', 0, 'Power1'],
    ['power_l2', 20, 'int32', 0.1, 'W', 0, 'Power2'],
    ['power_l3', 22, 'int32', 0.1, 'W', 0, 'Power3'],
    ['power_total', 40, 'int32', 0.1, 'W', 0, 'Power'],
    ['power_factor_total', 53, 'int16', 0.001, '', 3, 'PowerFactor'],
    ['frequency', 55, 'int16', 0.1, 'Hz', 2],
    ['import_energy', 66, 'int32', 0.1, 'kWh', 2, 'AccumulatePower'],
    ['export_energy', 92, 'int32', 0.1, 'kWh', 2],
  ]),
  preset('gavazzi-em340', 'Carlo Gavazzi', 'EM330 / EM340', 'input', 'little', [
    ['voltage_l1', 0, 'int32', 0.1, 'V', 1, 'Voltage1'],
    ['voltage_l2', 2, 'int32', 0.1, 'V', 1, 'Voltage2'],
    ['voltage_l3', 4, 'int32', 0.1, 'V', 1, 'Voltage3'],
    ['current_l1', 12, 'int32', 0.001, 'A', 3, 'Current1'],
    ['current_l2', 14, 'int32', 0.001, 'A', 3, 'Current2'],
    ['current_l3', 16, 'int32', 0.001, 'A', 3, 'Current3'],
    ['power_l1', 18, 'int32', 0.1, 'W', 0, 'Power1'],
    ['power_l2', 20, 'int32', 0.1, 'W', 0, 'Power2'],
    ['power_l3', 22, 'int32', 0.1, 'W', 0, 'Power3'],
    ['power_total', 40, 'int32', 0.1, 'W', 0, 'Power'],
    ['power_factor_total', 49, 'int16', 0.001, '', 3, 'PowerFactor'],
    ['frequency', 51, 'int16', 0.1, 'Hz', 2],
    ['import_energy', 52, 'int32', 0.1, 'kWh', 2, 'AccumulatePower'],
    ['export_energy', 78, 'int32', 0.1, 'kWh', 2],
  ]),
  preset('siemens-pac2200', 'Siemens', 'PAC2200', 'input', 'big', [
    ['voltage_l1', 1, 'float32', 1, 'V', 1, 'Voltage1'],
    ['voltage_l2', 3, 'float32', 1, 'V', 1, 'Voltage2'],
    ['voltage_l3', 5, 'float32', 1, 'V', 1, 'Voltage3'],
    ['current_l1', 13, 'float32', 1, 'A', 3, 'Current1'],
    ['current_l2', 15, 'float32', 1, 'A', 3, 'Current2'],
    ['current_l3', 17, 'float32', 1, 'A', 3, 'Current3'],
    ['power_l1', 25, 'float32', 1, 'W', 0, 'Power1'],
    ['power_l2', 27, 'float32', 1, 'W', 0, 'Power2'],
    ['power_l3', 29, 'float32', 1, 'W', 0, 'Power3'],
    ['apparent_power_total', 63, 'float32', 1, 'VA', 0],
    ['power_total', 65, 'float32', 1, 'W', 0, 'Power'],
    ['reactive_power_total', 67, 'float32', 1, 'var', 0],
    ['power_factor_total', 69, 'float32', 1, '', 3, 'PowerFactor'],
    ['import_energy', 801, 'float64', 1, 'Wh', 0, 'AccumulatePower'],
    ['export_energy', 809, 'float64', 1, 'Wh', 0],
  ]),
]
