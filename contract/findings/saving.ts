/** Whole days that claims are made of: four of each day of the week. */
export const CLAIM_DAYS = 28
/** Amounts are told by the month of so many days. */
export const MONTH_DAYS = 30

/** What need not have been used, by one meter. */
export interface Claim {
  /** MeterID. */
  meter: string
  /** kWh of each interval of 15 minutes of the claimed days, one day after the other. */
  kWh: Float64Array
  /** Between which parts of it the truth lies: 0 ≤ low ≤ 1 ≤ high. */
  low: number
  high: number
}

/** A meter with the one above it, and what it counted in the intervals that claims have. */
export interface ClaimedMeter {
  meter: string
  /** MeterID; null at the top. */
  parent: string | null
  kWh: ArrayLike<number>
}

/**
 * What all claims take away together, of a home: in each interval the largest claim on a meter, at most what that counted. A claim
 * on a meter contains those on the meters below it; claims beside each other add up.
 *
 * meters  every meter of the home with the one that it stands under; claims on others count for nothing
 * returns kWh of each interval, as many as `length`
 */
export function unionOf(
  claims: readonly Pick<Claim, 'meter' | 'kWh'>[],
  meters: readonly ClaimedMeter[],
  length: number,
): Float64Array {
  const known = new Map(meters.map((meter) => [meter.meter, meter]))
  const below = new Map<string | null, ClaimedMeter[]>()
  for (const meter of meters) {
    const parent = meter.parent !== null && known.has(meter.parent) ? meter.parent : null
    below.set(parent, [...(below.get(parent) ?? []), meter])
  }
  const own = new Map<string, Float64Array>()
  for (const { meter, kWh } of claims) {
    const most = own.get(meter) ?? new Float64Array(length)
    for (let i = 0; i < length; i++) most[i] = Math.max(most[i] as number, kWh[i] ?? 0)
    own.set(meter, most)
  }
  const sumBelow = (parent: string | null): Float64Array | undefined => {
    let sum: Float64Array | undefined
    for (const one of below.get(parent) ?? []) {
      const part = takenBy(one)
      if (!part) continue
      sum ??= new Float64Array(length)
      for (let i = 0; i < length; i++) (sum[i] as number) += part[i] as number
    }
    return sum
  }
  const takenBy = ({ meter, kWh }: ClaimedMeter): Float64Array | undefined => {
    const [mine, theirs] = [own.get(meter), sumBelow(meter)]
    if (!mine && !theirs) return undefined
    return Float64Array.from({ length }, (_, i) =>
      Math.min(Math.max(0, kWh[i] ?? 0), Math.max(mine?.[i] ?? 0, theirs?.[i] ?? 0)),
    )
  }
  return sumBelow(null) ?? new Float64Array(length)
}

/** Claims at the lower or the upper end of what they may be. */
export const scaled = (claims: readonly Claim[], end: 'low' | 'high'): Pick<Claim, 'meter' | 'kWh'>[] =>
  claims.map(({ meter, kWh, [end]: factor }) => ({ meter, kWh: kWh.map((one) => one * factor) }))

/** A sum of 28 days by the month of 30 days. */
export const monthly = (of28Days: number): number => (of28Days * MONTH_DAYS) / CLAIM_DAYS

/** NT$ a month below which nothing is said. */
const LEAST_AMOUNT = 300
/** The same as a part of the bill. */
const LEAST_SHARE = 0.01

/** What a finding must come to at least, NT$ a month: statistics find something in every building. */
export const floorOf = (monthlyBill: number): number => Math.max(LEAST_AMOUNT, LEAST_SHARE * monthlyBill)

/** Money as it is said of a saving: to two significant digits. */
export function twoDigits(amount: number): number {
  if (amount === 0) return 0
  const step = 10 ** (Math.floor(Math.log10(Math.abs(amount))) - 1)
  return Math.round(Math.round(amount / step) * step * 100) / 100
}
