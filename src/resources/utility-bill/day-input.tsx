import { DayField } from '../../ui/inputs/day-field/day-field.tsx'

interface Props {
  /** Of the form, by which its label names the field. */
  id?: string
  /** `2026-03-04`. */
  value?: string
  onChange?: (value: string | undefined) => void
}

/** A day of the calendar as a field of a form. */
export const DayInput = ({ id, value = '', onChange }: Props) => (
  <DayField id={id} value={value} clears change={(day) => onChange?.(day || undefined)} />
)
