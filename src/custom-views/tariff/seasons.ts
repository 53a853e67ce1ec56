import { formatDay, parseDay } from '../../../contract/time/periods.ts'
import type { TariffSeason } from '../../../contract/tariffs/tariff-terms.ts'

type Seasons = readonly TariffSeason[]

/** A year with 29 February. */
const YEAR = 366
const FIRST = parseDay('2024-01-01')
/** '' where a date is not typed to its end. */
const dateOf = (day: number): string =>
  Number.isFinite(day) ? formatDay(FIRST + (((day % YEAR) + YEAR) % YEAR)).slice(5) : ''
const dayOf = (date: string): number => parseDay(`2024-${date}`) - FIRST
/** Days from the first to the last, both included, round New Year where they lie on two sides of it. */
const lengthOf = ({ From, Through }: TariffSeason): number =>
  ((((dayOf(Through) - dayOf(From)) % YEAR) + YEAR) % YEAR) + 1

/**
 * One season more, so that the year stays covered: the longest gives its second half away, with the prices that it has. A season
 * whose days are not typed to the end gives nothing.
 */
export function withSeason(seasons: Seasons): TariffSeason[] {
  const lengths = seasons.map((season) => (Number.isFinite(lengthOf(season)) ? lengthOf(season) : 0))
  const at = lengths.indexOf(Math.max(...lengths))
  const [longest, length] = [seasons[at] as TariffSeason, lengths[at] as number]
  if (length < 2) return [...seasons, structuredClone(longest)]
  const middle = dayOf(longest.From) + Math.ceil(length / 2)
  const second = { ...structuredClone(longest), From: dateOf(middle) }
  return [
    ...seasons.slice(0, at),
    { ...longest, Through: dateOf(middle - 1) },
    second,
    ...seasons.slice(at + 1),
  ]
}

/**
 * Without one season, whose days go to the one before it in the year; to the one after it where none ends there; to none where they
 * are not typed to the end.
 */
export function withoutSeason(seasons: Seasons, at: number): TariffSeason[] {
  const { From, Through } = seasons[at] as TariffSeason
  const others = seasons.filter((_, i) => i !== at)
  if (![From, Through].every((date) => Number.isFinite(dayOf(date)))) return others
  const before = others.findIndex((one) => dateOf(dayOf(one.Through) + 1) === From)
  if (before >= 0) return others.with(before, { ...(others[before] as TariffSeason), Through })
  const after = others.findIndex((one) => dateOf(dayOf(one.From) - 1) === Through)
  return after < 0 ? others : others.with(after, { ...(others[after] as TariffSeason), From })
}
