import { capabilityAt } from '../../../contract/devices/kinds/capability-at.ts'
import type { Meaning } from '../../../contract/devices/capabilities/capability.ts'
import { PLAIN_VALUE } from '../../../contract/devices/capabilities/sensors.ts'
import { readPath } from '../../../contract/devices/kinds/history-fields.ts'
import { choiceOf } from '../../../contract/devices/kinds/field-shape.ts'
import type { HistoryDevice, HistoryQuantity } from '../../../contract/devices/history-calls.ts'
import { shownUnit } from '../../../contract/kernel/numbers.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'
import { useDeviceFieldWords, useSensorWords } from '../devices/field-words.ts'

export interface QuantityWords {
  /** Name of a device; its ID once it is deleted. */
  deviceName(device: HistoryDevice): string
  /** Name of a quantity, e.g. "Zone 3 Temperature", "PM2.5". */
  quantityName(device: HistoryDevice, quantity: Pick<HistoryQuantity, 'Field' | 'Label'>): string
  /** Unit as shown next to a figure. Power is shown in kW. */
  unitName(unit: string): string
  /** Name of a state, e.g. "Open"; undefined is an unknown state. */
  stateName(device: HistoryDevice, field: string, value: number | undefined): string
}

/** Names of stored quantities in the user's language. */
export function useQuantityWords(): QuantityWords {
  const t = useT()
  const { nameOf, valueOf } = useDeviceFieldWords()
  const sensor = useSensorWords()
  return {
    deviceName: ({ PeripheralName, PeripheralUID }) => PeripheralName ?? PeripheralUID,
    quantityName(device, { Field, Label }) {
      const path = readPath(Field)
      if (path.modbusKey !== undefined) return Label ?? path.modbusKey
      if (Field === PLAIN_VALUE && Label !== null) return sensor.quantityName(Label)
      const capability = capabilityAt(device.PeripheralType, Field)
      if (capability?.zone !== undefined)
        return t('history:zone', {
          zone: capability.zone,
          quantity: nameOf(capability.capability, capability.field),
        })
      if (capability) return nameOf(capability.capability, Field)
      const key: string = `devices:fields.${Field}`
      return hasText(key) ? t(key) : Field
    },
    unitName(unit) {
      const displayUnit = shownUnit(unit)
      const key: string = `devices:units.${displayUnit}`
      return hasText(key) ? t(key) : displayUnit
    },
    stateName(device, field, value) {
      if (value === undefined) return t('charts:unknown')
      const capability = capabilityAt(device.PeripheralType, field)
      return (capability && valueOf(capability.capability, capability.field, value)) ?? String(value)
    },
  }
}

/** Meaning of a state: 'quiet' for off and normal, undefined for a mode, which has none. */
export function meaningOfState(
  device: HistoryDevice,
  field: string,
  value: number,
): Meaning | 'quiet' | undefined {
  const capability = capabilityAt(device.PeripheralType, field)
  const choices = capability?.capability.choices?.[capability.field]
  if (!choices) return value === 1 ? 'on' : 'quiet'
  const hasMeanings = choices.some(([, , meaning]) => meaning !== undefined)
  return choiceOf(choices, value)?.[2] ?? (hasMeanings ? 'quiet' : undefined)
}
