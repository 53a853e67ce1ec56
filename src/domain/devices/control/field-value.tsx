import type { FC } from 'react'
import type { Capability } from '../../../../contract/devices/capabilities/capability.ts'
import { choiceOf, fieldShape } from '../../../../contract/devices/kinds/field-shape.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { Figure } from '../../../ui/tags/power-value.tsx'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { useDeviceFieldWords } from '../field-words.ts'

interface Props {
  capability: Capability
  field: string
  value: unknown
  large?: boolean
}

/** Reported value of one field: a state with its icon, or a number with its unit. */
export const FieldValue: FC<Props> = ({ capability, field, value, large = false }) => {
  const t = useT()
  const { valueOf, unitOf, figureOf } = useDeviceFieldWords()
  const shape = fieldShape(capability, field)
  const unit = unitOf(capability, field)
  if (shape.as === 'number')
    return <Figure value={figureOf(capability, field, value)} unit={unit} large={large} />
  const word = valueOf(capability, field, value)
  if (word === undefined) return <StateTag tone="offline">{t('devices:state.unknown')}</StateTag>
  const meaning = shape.as === 'choice' ? choiceOf(shape.choices, value)?.[2] : value === 1 ? 'on' : undefined
  return <StateTag tone={meaning ?? 'plain'}>{word}</StateTag>
}
