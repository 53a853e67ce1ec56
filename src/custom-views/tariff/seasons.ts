import { formatDay, parseDay } from '../../../contract/time/periods.ts'
import type { TariffSeason } from '../../../contract/tariffs/tariff-terms.ts'

type Seasons = readonly TariffSeason[]

/** Days of a leap year. */
const YEAR = 366
const FIRST = parseDay('2024-01-01')
/** '' for an incomplete date. */
const dateOf = (day: number): string =>
  Number.isFinite(day) ? formatDay(FIRST + (((day % YEAR) + YEAR) % YEAR)).slice(5) : ''
const dayOf = (date: string): number => parseDay(`2024-${date}`) - FIRST
/** Number of days from first to last, both inclusive, also across New Year. */
const lengthOf = ({ From, Through }: TariffSeason): number =>
  ((((dayOf(Through) - dayOf(From)) % YEAR) + YEAR) % YEAR) + 1

/**
 * Adds a season and keeps the year covered: the second half of the longest season becomes a new one with the same prices. Seasons with
 * incomplete dates are not split.
 */
export function withSeason(seasons: Seasons): TariffSeason[] {
  const lengths = seasons.map((season) => (Number.isFinite(lengthOf(season)) ? lengthOf(season) : 0))
  const at = lengths.indexOf(Math.max(...lengths))
  const [longestSeason, length] = [seasons[at] as TariffSeason, lengths[at] as number]
  if (length < 2) return [...seasons, structuredClone(longestSeason)]
  const middleDay = dayOf(longestSeason.From) + Math.ceil(length / 2)
  const second = { ...structuredClone(longestSeason), From: dateOf(middleDay) }
  return [
    ...seasons.slice(0, at),
    { ...longestSeason, Through: dateOf(middleDay - 1) },
    second,
    ...seasons.slice(at + 1),
  ]
}

/**
 * Removes a season; its days go to the season before it, or to the one after it if there is none. If its dates are incomplete, the others
 * stay as they are.
 */
export function withoutSeason(seasons: Seasons, at: number): TariffSeason[] {
  const { From, Through } = seasons[at] as TariffSeason
  const otherSeasons = seasons.filter((_, i) => i !== at)
  if (![From, Through].every((date) => Number.isFinite(dayOf(date)))) return otherSeasons
  const previousIndex = otherSeasons.findIndex((season) => dateOf(dayOf(season.Through) + 1) === From)
  if (previousIndex >= 0)
    return otherSeasons.with(previousIndex, { ...(otherSeasons[previousIndex] as TariffSeason), Through })
  const nextIndex = otherSeasons.findIndex((season) => dateOf(dayOf(season.From) - 1) === Through)
  return nextIndex < 0
    ? otherSeasons
    : otherSeasons.with(nextIndex, { ...(otherSeasons[nextIndex] as TariffSeason), From })
}
