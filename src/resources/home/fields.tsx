import type { FormField } from '../../record-kit/record-form.tsx'
import { PositionInput } from './position-input.tsx'
import { TimeZoneSelect } from '../../ui/inputs/time-zone-select.tsx'

/** What can be said of a home. */
export const fields: readonly FormField[] = [
  'HomeName',
  { name: 'TimeZone', input: <TimeZoneSelect /> },
  'Latitude',
  { name: 'Longitude', input: <PositionInput /> },
]
