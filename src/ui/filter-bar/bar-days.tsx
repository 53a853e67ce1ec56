import type { BarFilter } from './bar-filter.ts'
import { DaysFilter } from '../inputs/days-filter.tsx'

interface Days {
  label: string
  /** Days as in the address; '' leaves that end open. */
  from: string
  to: string
  change: (next: { from: string | undefined; to: string | undefined }) => void
}

/** Filter by a range of whole days. */
export const barDays = (days: Days): BarFilter => ({
  key: 'days',
  label: days.label,
  chosenLabel: days.from || days.to ? `${days.from}–${days.to}` : undefined,
  clear: () => days.change({ from: undefined, to: undefined }),
  input: <DaysFilter {...days} />,
})
