import type { Capability } from '../../../contract/devices/capabilities/capability.ts'
import { choiceOf, fieldShape } from '../../../contract/devices/kinds/field-shape.ts'
import { formatQuantity } from '../../../contract/kernel/quantity.ts'
import { formatReading } from '../../lib/format-power.ts'
import { hasText, useT, type TKey } from '../../lib/i18n/i18n.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import { onOff } from '../../ui/inputs/switch-control.tsx'

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
