import { PLAIN_VALUE } from '../../../contract/devices/capabilities/sensors.ts'
import { zone } from '../../../contract/devices/capabilities/thermostat.ts'
import { capabilityAt } from '../../../contract/devices/kinds/capability-at.ts'
import type { Capability } from '../../../contract/devices/capabilities/capability.ts'
import { readPath } from '../../../contract/devices/kinds/history-fields.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { amountText, formatLimit, formatReading, shownUnit } from '../../../contract/kernel/numbers.ts'
import { useStatus } from '../../data/status-store.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'
import { useModbusTables } from '../modbus-table/use-modbus-tables.ts'
import { useDeviceFieldWords, useSensorWords } from './field-words.ts'
import type { Breach } from '../../../contract/devices/warning-threshold.ts'

interface PathWords {
  /** Name of a quantity, e.g. "PM2.5", "Zone 3 Temperature", or the label in the Modbus table. */
  nameOf(path: string): string
  /** Unit as reported by the device; '' for none. */
  unitOf(path: string): string
  /** Display unit next to a figure; undefined for none. */
  shownUnitOf(path: string): string | undefined
  /** A value with its unit. */
  valueOf(path: string, value: number): string
  /** An entered limit with its unit. */
  limitOf(path: string, limit: number): string
}

/**
 * Names of a device's quantities, each by its path (`HistoryField`).
 *
 * needsTables  whether values of a Modbus table are among them
 */
export function usePathWords(device: Peripheral, needsTables: boolean): PathWords {
  const t = useT()
  const words = useDeviceFieldWords()
  const sensor = useSensorWords()
  const status = useStatus(device.PeripheralUID)
  const { data: tables } = useModbusTables(needsTables)
  const rows = tables?.find(({ ModbusTableID }) => ModbusTableID === device.ModbusTableID)?.Rows
  const rowOf = (key: string): ModbusRow | undefined => rows?.find(({ Key }) => Key === key)

  const unitOf = (path: string): string => {
    const { field, zone: number, modbusKey } = readPath(path)
    if (modbusKey !== undefined) return rowOf(modbusKey)?.Unit ?? ''
    if (number !== undefined) return zone.units[field] ?? ''
    if (path === PLAIN_VALUE) return sensor.unitOf(status)
    return capabilityWith(device, path)?.units[path] ?? ''
  }
  /** A unit in the user's language if there is a translation. */
  const unitName = (unit: string | undefined): string | undefined => {
    const key: string = `devices:units.${unit}`
    return (unit && hasText(key) ? t(key) : unit) || undefined
  }
  return {
    unitOf,
    shownUnitOf: (path) => unitName(shownUnit(unitOf(path))),
    nameOf(path) {
      const { field, zone: number, modbusKey } = readPath(path)
      if (modbusKey !== undefined) return rowOf(modbusKey)?.Label ?? modbusKey
      if (number !== undefined) return `${t('devices:climate.zone', { number })} ${words.nameOf(zone, field)}`
      if (path === PLAIN_VALUE) return sensor.nameOf(status)
      const capability = capabilityWith(device, path)
      return capability ? words.nameOf(capability, path) : path
    },
    valueOf(path, value) {
      const { figure, unit } = formatReading(value, unitOf(path), () =>
        words.figureOf(capabilityWith(device, path) ?? zone, path, value),
      )
      return amountText({ figure, unit: unitName(unit) ?? '' })
    },
    limitOf(path, limit) {
      const { figure, unit } = formatLimit(limit, unitOf(path))
      return amountText({ figure, unit: unitName(unit) ?? '' })
    },
  }
}

const capabilityWith = ({ PeripheralType }: Peripheral, field: string): Capability | undefined =>
  capabilityAt(PeripheralType, field)?.capability

/** Whether any of these paths is a value of a Modbus table. */
export const namesModbus = (paths: readonly string[]): boolean =>
  paths.some((path) => readPath(path).modbusKey !== undefined)

/** A reading outside its limits in words, e.g. "Voltage 251 V, above 240 V". */
export function useBreachWords(device: Peripheral): (breach: Breach) => string {
  const t = useT()
  const { nameOf, valueOf, limitOf } = usePathWords(
    device,
    namesModbus(Object.keys(device.ValueLimits ?? {})),
  )
  return ({ field, value, limit, side }) =>
    t(side === 'upper' ? 'devices:threshold.above' : 'devices:threshold.below', {
      field: nameOf(field),
      value: valueOf(field, value),
      limit: limitOf(field, limit),
    })
}
