import { DayField } from '../../ui/inputs/day-field/day-field.tsx'

interface Props {
  /** `2026-03-04`. */
  value?: string
  onChange?: (value: string | undefined) => void
}

/** A day of the calendar as a field of a form. */
export const DayInput = ({ value = '', onChange }: Props) => (
  <DayField value={value} clears change={(day) => onChange?.(day || undefined)} />
)
