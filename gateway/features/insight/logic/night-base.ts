import { lowerLimitOf, upperLimitOf, medianOf, spreadOf } from './robust-statistics.ts'

/** A night of a meter: the second lowest hour from 0 to 6, kW; null if too little of it is known. */
export interface Night {
  /** As `dayOf` numbers days. */
  day: number
  kw: number | null
}

/** Number of recent nights, and range of the earlier nights that define the usual level. */
const NOW = 7
const USUAL_FROM = 42
const USUAL_END = 14
/** Minimum known share of a range of nights. */
const KNOWN = 0.9
/** Number of consecutive days on which the rise must be present. */
const DAYS_ON = 3

/** A rise of the base load, kW. */
export interface NightRise {
  usual: number
  /** Limit at detection, and spread of the usual nights around their median. */
  limit: number
  spread: number
  now: number
  /** The first night of it. */
  since: number
  /** The nights that define the usual level, the last exclusive. */
  usualFrom: number
  usualEnd: number
}

/**
 * Detects a lasting rise of a meter's base load: the median of the last 7 nights exceeds that of days 14 to 42 before
 * by more than its spread, on 3 consecutive days. A previous finding is compared with its own usual level.
 *
 * nights   in any order
 * end      the last day, exclusive
 * drift    factor by which the nights of other meters have risen meanwhile: 1 if they have not
 * factor   multiplies the limit
 * before   previous finding in the same place
 */
export function nightRiseOf(
  nights: readonly Night[],
  end: number,
  { drift, factor, before }: { drift: number; factor: number; before: NightRise | null },
): NightRise | undefined {
  const nowAt = (to: number): number | undefined => {
    const recent = within(nights, to - NOW, to)
    return recent.length + 1 < KNOWN * NOW + 0.7 ? undefined : medianOf(recent)
  }
  const now = nowAt(end)
  if (now === undefined) return undefined
  // A finding ends below half of the rise that made it one.
  if (before) return now > before.usual + (before.limit - before.usual) / 2 ? { ...before, now } : undefined
  let found: NightRise | undefined
  for (let to = end; to > end - DAYS_ON; to--) {
    const [usualFrom, usualEnd] = [to - USUAL_FROM, to - USUAL_END]
    const usualNights = within(nights, usualFrom, usualEnd)
    const recent = to === end ? now : nowAt(to)
    if (usualNights.length < KNOWN * (USUAL_FROM - USUAL_END) || recent === undefined) return undefined
    const scaled = drift > 1 ? usualNights.map((kw) => kw * drift) : usualNights
    const usual = medianOf(scaled) as number
    if (recent <= lowerLimitOf(usual, factor)) return undefined
    const limit = upperLimitOf(scaled, factor)
    if (recent <= limit) return undefined
    found ??= {
      usual,
      limit,
      spread: spreadOf(scaled),
      now: recent,
      since: end,
      usualFrom,
      usualEnd,
    }
  }
  if (!found) return undefined
  return { ...found, since: sinceOf(nights, end, found) }
}

/** Known values of the nights in a range of days, the last exclusive. */
function within(nights: readonly Night[], from: number, to: number): number[] {
  const found: number[] = []
  for (const { day, kw } of nights) if (kw !== null && day >= from && day < to) found.push(kw)
  return found
}

/** The night from which on all but one are above the middle between usual and limit, at most 14 days back. */
function sinceOf(nights: readonly Night[], end: number, { usual, limit }: NightRise): number {
  const known = new Map(nights.map(({ day, kw }) => [day, kw]))
  const line = usual + (limit - usual) / 2
  let since = end
  let misses = 0
  for (let day = end - 1; day >= end - USUAL_END; day--) {
    if ((known.get(day) ?? 0) > line) since = day
    else if ((misses += 1) > 1) break
  }
  return since
}

/** Minimum number of other meters that show the effect of weather or season. */
const MIN_OTHERS = 3

/**
 * Rise of the nights of meters: the median of their ratios; 1 if there are too few. Computes the ratios once, because
 * a home may have thousands of meters.
 *
 * nights   of each meter, by its key
 * returns  function that computes the rise of all but the meter of a key
 */
export function driftsOf<K>(
  nights: Iterable<readonly [K, readonly Night[]]>,
  end: number,
): (without: K) => number {
  const ratios: { of: K; ratio: number }[] = []
  for (const [of, each] of nights) {
    const median = (from: number, to: number) => medianOf(within(each, from, to))
    const [now, usual] = [median(end - NOW, end), median(end - USUAL_FROM, end - USUAL_END)]
    if (now !== undefined && usual !== undefined && usual > 0) ratios.push({ of, ratio: now / usual })
  }
  ratios.sort((a, b) => a.ratio - b.ratio)
  const rankOf = new Map(ratios.map(({ of }, rank) => [of, rank]))
  return (without) => {
    const left = rankOf.get(without) ?? Infinity
    const count = ratios.length - (left === Infinity ? 0 : 1)
    if (count < MIN_OTHERS) return 1
    const at = (rank: number) => (ratios[rank < left ? rank : rank + 1] as { ratio: number }).ratio
    return (at(Math.floor((count - 1) / 2)) + at(Math.ceil((count - 1) / 2))) / 2
  }
}

/** A day of a meter by its intervals: kWh, and 1 if known. */
export interface Quarters {
  kWh: ArrayLike<number>
  isKnown: ArrayLike<number>
}

const NIGHT_QUARTERS = 24
/** Certain part of a rise by day and night. */
const SURE = 0.8

/**
 * Excess energy of a risen base load: from its first night on, in each interval the part above the usual value of
 * that interval, at most the rise.
 *
 * days     the claimed days, in order, with their numbers
 * usual    days before it began
 * returns  kWh by day and interval, and its range as factors: the nights alone or most of it, and the rise day and night
 */
export function claimOfRise(
  { now, usual: usualKw, since }: NightRise,
  days: readonly (readonly [day: number, Quarters])[],
  usual: readonly Quarters[],
): { kWh: Float64Array[]; low: number; high: number } {
  const excess = Math.max(0, now - usualKw) / 4
  const middles = Array.from({ length: 100 }, (_, i) =>
    medianOf(usual.flatMap(({ kWh, isKnown }) => (isKnown[i] ? [kWh[i] as number] : []))),
  )
  let [mid, night, all] = [0, 0, 0]
  const byDay: number[] = []
  const kWh = days.map(([day, quarters]) =>
    Float64Array.from({ length: quarters.kWh.length }, (_, i) => {
      if (day < since || !quarters.isKnown[i]) return 0
      const counted = Math.max(0, quarters.kWh[i] as number)
      const above = counted - (middles[i] ?? 0)
      const taken = Math.min(excess, Math.max(0, above))
      if (i >= NIGHT_QUARTERS) byDay.push(above)
      mid += taken
      if (i < NIGHT_QUARTERS) night += taken
      all += Math.min(excess, counted)
      return taken
    }),
  )
  if (mid <= 0) return { kWh, low: 1, high: 1 }
  // The rise also lasts by day if half of the intervals show it; otherwise only the nights are certain.
  const isAllDay = (medianOf(byDay) ?? 0) >= excess / 2
  return { kWh, low: isAllDay ? SURE : night / mid, high: Math.max(1, all / mid) }
}
