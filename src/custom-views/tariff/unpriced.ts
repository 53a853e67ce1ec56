import { formatDay, parseDay } from '../../../contract/time/periods.ts'
import type { TariffVersion } from '../../../contract/tariffs/tariff-terms.ts'

const dayAfter = (date: string): string => formatDay(parseDay(date) + 1)
const dayBefore = (date: string): string => formatDay(parseDay(date) - 1)

/** Days without a price, both inclusive; until further notice where `through` is null. */
export interface UnpricedRange {
  from: string
  through: string | null
}

/**
 * The days of a span on which no version of a plan says a price.
 *
 * versions  oldest first, each day in one at most
 * through   inclusive; null until further notice
 */
export function unpricedIn(
  versions: readonly Pick<TariffVersion, 'ValidFrom' | 'ValidThrough'>[],
  from: string,
  through: string | null,
): UnpricedRange[] {
  const isOver = (day: string) => through !== null && day > through
  const holes: UnpricedRange[] = []
  let next = from
  for (const { ValidFrom, ValidThrough } of versions) {
    if (isOver(next)) return holes
    if (ValidThrough !== null && ValidThrough < next) continue
    if (ValidFrom > next) {
      holes.push({ from: next, through: isOver(ValidFrom) ? through : dayBefore(ValidFrom) })
    }
    if (ValidThrough === null) return holes
    next = dayAfter(ValidThrough)
  }
  return isOver(next) ? holes : [...holes, { from: next, through }]
}
