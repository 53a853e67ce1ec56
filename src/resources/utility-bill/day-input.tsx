import { DayField } from '../../ui/inputs/day-field/day-field.tsx'

interface Props {
  /** Set by the form, to connect the label with the field. */
  id?: string
  /** `2026-03-04`. */
  value?: string
  onChange?: (value: string | undefined) => void
}

export const DayInput = ({ id, value = '', onChange }: Props) => (
  <DayField id={id} value={value} clears change={(day) => onChange?.(day || undefined)} />
)
