import type { Capability, CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import { PLAIN_VALUE } from '../../../contract/devices/capabilities/sensors.ts'
import { choiceOf, fieldShape } from '../../../contract/devices/kinds/field-shape.ts'
import {
  amountText,
  formatDecimals,
  formatLimit,
  formatReading,
  type FormattedAmount,
  POWER_FACTOR_DECIMALS,
  shownUnit,
} from '../../../contract/kernel/numbers.ts'
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
  /** A number without its unit, power in kW; quantities without decimals of their own have those that the user prefers. */
  figureOf(capability: Capability, field: string, value: unknown): string
}

/** Names of capability fields and their values in the user's language. */
export function useDeviceFieldWords(): FieldWords {
  const t = useT()
  const decimals = useDecimalPrecision()

  const figureOf: FieldWords['figureOf'] = (capability, field, value) => {
    const shape = fieldShape(capability, field)
    const ownDecimals =
      field === 'PowerFactor'
        ? POWER_FACTOR_DECIMALS
        : shape.as === 'number' && Number.isInteger(shape.step)
          ? 0
          : undefined
    const unit = capability.units[field] ?? ''
    const reading = typeof value === 'number' ? value : undefined
    // A setpoint is shown as entered.
    return reading !== undefined && field in capability.command
      ? formatLimit(reading, unit).figure
      : formatReading(reading, unit, (one) => formatDecimals(one, ownDecimals ?? decimals)).figure
  }
  const wordOfUnit = (unit: string): string => {
    const key: string = `devices:units.${unit}`
    return hasText(key) ? t(key) : unit
  }
  const unitOf: FieldWords['unitOf'] = (capability, field) => {
    const unit = capability.units[field]
    return unit === undefined ? undefined : wordOfUnit(shownUnit(unit))
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
      const figure = figureOf(capability, field, value)
      return amountText({ figure, unit: unitOf(capability, field) ?? '' })
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
  /** Last reported value with its unit. */
  amountOf(status: CommandValues | undefined): FormattedAmount
}

/** Quantity and unit of a plain sensor, which reports both itself. */
export function useSensorWords(): SensorWords {
  const t = useT()
  const decimals = useDecimalPrecision()
  const quantityName = (name: string) => {
    const key: string = `devices:quantities.${name}`
    return hasText(key) ? t(key) : name
  }
  const unitOf = (status: CommandValues | undefined) =>
    typeof status?.['Unit'] === 'string' ? status['Unit'] : ''
  return {
    quantityName,
    nameOf: (status) =>
      typeof status?.['Quantity'] === 'string' ? quantityName(status['Quantity']) : t('devices:fields.Value'),
    unitOf,
    amountOf(status) {
      const value = status?.[PLAIN_VALUE]
      return formatReading(typeof value === 'number' ? value : undefined, unitOf(status), (reading) =>
        formatDecimals(reading, decimals),
      )
    },
  }
}
