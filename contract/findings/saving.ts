/** Number of whole days behind claims: four of each weekday. */
export const CLAIM_DAYS = 28
/** Days in the month that amounts refer to. */
export const MONTH_DAYS = 30

/** Avoidable energy of one meter. */
export interface Claim {
  /** MeterID. */
  meter: string
  /** kWh per 15-minute interval of the claimed days, in chronological order. */
  kWh: Float64Array
  /** Uncertainty as factors of the claim: 0 ≤ low ≤ 1 ≤ high. */
  low: number
  high: number
}

/** Meter with its parent and its energy in the claimed intervals. */
export interface ClaimedMeter {
  meter: string
  /** MeterID; null at the top. */
  parent: string | null
  kWh: ArrayLike<number>
}

/**
 * Combines all claims of a home: in each interval the largest claim on a meter, limited to its measured energy. A claim on a meter
 * includes those on the meters below it; claims on siblings add up.
 *
 * meters  every meter of the home with its parent; claims on others are ignored
 * returns kWh of each interval, `length` values
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

/** Claims scaled to the lower or the upper end of their range. */
export const scaled = (claims: readonly Claim[], end: 'low' | 'high'): Pick<Claim, 'meter' | 'kWh'>[] =>
  claims.map(({ meter, kWh, [end]: factor }) => ({ meter, kWh: kWh.map((one) => one * factor) }))

/** Converts a sum over 28 days to a month of 30 days. */
export const monthly = (of28Days: number): number => (of28Days * MONTH_DAYS) / CLAIM_DAYS

/** Minimum amount of a finding, NT$ a month. */
const LEAST_AMOUNT = 300
const LEAST_SHARE = 0.01

/** Minimum amount of a finding, NT$ a month; suppresses statistical noise. */
export const floorOf = (monthlyBill: number): number => Math.max(LEAST_AMOUNT, LEAST_SHARE * monthlyBill)

/** Rounds an amount of money to two significant digits. */
export function twoDigits(amount: number): number {
  if (amount === 0) return 0
  const step = 10 ** (Math.floor(Math.log10(Math.abs(amount))) - 1)
  return Math.round(Math.round(amount / step) * step * 100) / 100
}
