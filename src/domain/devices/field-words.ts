import type { Capability, CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import { choiceOf, fieldShape } from '../../../contract/devices/kinds/field-shape.ts'
import { formatQuantity } from '../../../contract/kernel/quantity.ts'
import { formatReading } from '../../lib/format-power.ts'
import { hasText, useT, type TKey } from '../../lib/i18n/i18n.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import { onOff } from '../../ui/inputs/switch-control.tsx'
import type { MmWaveConfig } from '../../../contract/devices/capabilities/sensors.ts'

interface FieldWords {
  /** Name of a field, e.g. "Switch 2". */
  nameOf(capability: Capability, field: string): string
  /** A value in words, with its unit; undefined if it cannot be shown as a word or number. */
  valueOf(capability: Capability, field: string, value: unknown): string | undefined
  /** Display unit of a field, e.g. "kWh" or "小時"; undefined for none. */
  unitOf(capability: Capability, field: string): string | undefined
  /** A number without its unit, with the decimals that the field has and the user prefers. */
  figureOf(capability: Capability, field: string, value: unknown): string
}

/** Names of capability fields and their values in the user's language. */
export function useDeviceFieldWords(): FieldWords {
  const t = useT()
  const decimals = useDecimalPrecision()

  const figureOf: FieldWords['figureOf'] = (capability, field, value) => {
    const shape = fieldShape(capability, field)
    const isInteger = shape.as === 'number' && Number.isInteger(shape.step)
    return formatReading(typeof value === 'number' ? value : undefined, isInteger ? 0 : decimals)
  }
  const wordOfUnit = (unit: string): string => {
    const key: string = `devices:units.${unit}`
    return hasText(key) ? t(key) : unit
  }
  const unitOf: FieldWords['unitOf'] = (capability, field) => {
    const unit = capability.units[field]
    return unit === undefined ? undefined : wordOfUnit(unit)
  }
  return {
    nameOf({ labels }, field) {
      const label = labels?.[field] ?? field
      const key: string = `devices:fields.${label}`
      if (hasText(key)) return t(key)
      const [, family, number] = /^(.*\D)(\d+)$/.exec(label) ?? [label, label, '']
      return t('devices:numbered', { name: t(`devices:fields.${family as 'Switch'}`), number: number ?? '' })
    },
    valueOf(capability, field, value) {
      const shape = fieldShape(capability, field)
      if (shape.as === 'onOff') return value === undefined ? undefined : onOff(t, value)
      if (shape.as === 'choice') {
        const choice = choiceOf(shape.choices, value)
        return choice && t(valueKey(choice[1]))
      }
      if (shape.as !== 'number' || typeof value !== 'number') return undefined
      const { figure, unit } = formatQuantity(value, capability.units[field] ?? '', () =>
        figureOf(capability, field, value),
      )
      return unit ? t('devices:figure', { figure, unit: wordOfUnit(unit) }) : figure
    },
    unitOf,
    figureOf,
  }
}

/** Locale key of a choice. */
export const valueKey = (name: string): TKey => `devices:values.${name as 'none'}`

/** Detection parameters of a radar in form order, with unit and bounds. */
export const MM_WAVE_FIELDS = [
  { name: 'MinDistance', unit: 'm', min: 0, max: 10, step: 0.1 },
  { name: 'MaxDistance', unit: 'm', min: 0, max: 10, step: 0.1 },
  { name: 'MotionSensitivity', unit: undefined, min: 1, max: 10, step: 1 },
  { name: 'StaticSensitivity', unit: undefined, min: 1, max: 10, step: 1 },
  { name: 'HoldTime', unit: 'seconds', min: 1, max: 3600, step: 1 },
] as const satisfies readonly { name: keyof MmWaveConfig; [rest: string]: unknown }[]

interface SensorWords {
  /** Name of a quantity in the user's language if there is a translation, else as reported. */
  quantityName(name: string): string
  /** Quantity that a plain sensor measures. */
  nameOf(status: CommandValues | undefined): string
  /** Last reported unit, '' for none. */
  unitOf(status: CommandValues | undefined): string
}

/** Quantity and unit of a plain sensor, which reports both itself. */
export function useSensorWords(): SensorWords {
  const t = useT()
  const quantityName = (name: string) => {
    const key: string = `devices:quantities.${name}`
    return hasText(key) ? t(key) : name
  }
  return {
    quantityName,
    nameOf: (status) =>
      typeof status?.['Quantity'] === 'string' ? quantityName(status['Quantity']) : t('devices:fields.Value'),
    unitOf: (status) => (typeof status?.['Unit'] === 'string' ? status['Unit'] : ''),
  }
}
