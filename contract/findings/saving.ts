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
  const byMeter = new Map(meters.map((meter) => [meter.meter, meter]))
  const childrenOf = new Map<string | null, ClaimedMeter[]>()
  for (const meter of meters) {
    const parent = meter.parent !== null && byMeter.has(meter.parent) ? meter.parent : null
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), meter])
  }
  const ownClaims = new Map<string, Float64Array>()
  for (const { meter, kWh } of claims) {
    const ownKwh = ownClaims.get(meter) ?? new Float64Array(length)
    for (let i = 0; i < length; i++) ownKwh[i] = Math.max(ownKwh[i] as number, kWh[i] ?? 0)
    ownClaims.set(meter, ownKwh)
  }
  const sumBelow = (parent: string | null): Float64Array | undefined => {
    let sum: Float64Array | undefined
    for (const child of childrenOf.get(parent) ?? []) {
      const part = takenBy(child)
      if (!part) continue
      sum ??= new Float64Array(length)
      for (let i = 0; i < length; i++) (sum[i] as number) += part[i] as number
    }
    return sum
  }
  const takenBy = ({ meter, kWh }: ClaimedMeter): Float64Array | undefined => {
    const [ownKwh, childrenKwh] = [ownClaims.get(meter), sumBelow(meter)]
    if (!ownKwh && !childrenKwh) return undefined
    return Float64Array.from({ length }, (_, i) =>
      Math.min(Math.max(0, kWh[i] ?? 0), Math.max(ownKwh?.[i] ?? 0, childrenKwh?.[i] ?? 0)),
    )
  }
  return sumBelow(null) ?? new Float64Array(length)
}

/** Claims scaled to the lower or the upper end of their range. */
export const scaled = (claims: readonly Claim[], end: 'low' | 'high'): Pick<Claim, 'meter' | 'kWh'>[] =>
  claims.map(({ meter, kWh, [end]: factor }) => ({ meter, kWh: kWh.map((value) => value * factor) }))

/** Converts a sum over 28 days to a month of 30 days. */
export const monthly = (of28Days: number): number => (of28Days * MONTH_DAYS) / CLAIM_DAYS

/** Minimum amount of a finding, NT$ a month. */
const MIN_AMOUNT = 300
const MIN_SHARE = 0.01

/** Minimum amount of a finding, NT$ a month; suppresses statistical noise. */
export const floorOf = (monthlyBill: number): number => Math.max(MIN_AMOUNT, MIN_SHARE * monthlyBill)

/** Rounds an amount of money to two significant digits. */
export function twoDigits(amount: number): number {
  if (amount === 0) return 0
  const step = 10 ** (Math.floor(Math.log10(Math.abs(amount))) - 1)
  return Math.round(Math.round(amount / step) * step * 100) / 100
}
