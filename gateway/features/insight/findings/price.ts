import { DAY_TYPES, type DayType } from '../../../../contract/time/periods.ts'
import { dayTypeOf } from '../../../../contract/tariffs/tariff-terms.ts'
import type { DetectedFinding } from '../logic/detected.ts'
import {
  FAULT_KINDS,
  type Claim,
  floorOf,
  monthly,
  scaled,
  unionOf,
} from '../../../../contract/findings/finding-life.ts'
import { sumOf } from '../logic/robust-statistics.ts'
import type { LoadQueries } from '../logic/ports.ts'
import { adviceYear, claimedDays, claimedMeters, type HomeSnapshot } from './kinds/home-snapshot.ts'

/** A detected finding with its saving in NT$ and kWh a month; null if it cannot be determined. */
export interface PricedFinding extends DetectedFinding {
  amount: number | null
  low: number | null
  high: number | null
  saved: number | null
  bill: { Was: number; Without: number } | null
}

/** Bill of the claimed days, and the minimum saving that is reported. */
export interface ClaimedBill {
  /** NT$ of the 28 days; null without prices, or with too little data. */
  actual: number | null
  /** NT$ a month; kWh a month if there are no prices. */
  floor: number
  floorKwh: number
}

/** Minimum kWh a month of a finding without prices, and the same as part of the total. */
const MIN_KWH = 100
const MIN_SHARE = 0.01

export function claimedBillOf({ bills, profile, from, end, lack }: HomeSnapshot): ClaimedBill {
  const actual = bills && lack === null ? bills.ofDays(profile, from, end).Total : null
  const kWh = monthly(sumOf([...profile.values()].map((day) => sumOf(day.kWh))))
  return {
    actual,
    floor: actual === null ? 0 : floorOf(monthly(actual)),
    floorKwh: Math.max(MIN_KWH, MIN_SHARE * kWh),
  }
}

/** Prices a finding; undefined if its saving is below the minimum. */
export async function priceFinding(
  snapshot: HomeSnapshot,
  bill: ClaimedBill,
  found: DetectedFinding,
): Promise<PricedFinding | undefined> {
  const factor = snapshot.previousFinding(found.kind, found.place).factor
  const one = found.claims.length > 0 ? await byClaims(snapshot, bill, found) : byMoney(found)
  if (FAULT_KINDS.has(one.kind)) return one
  if (one.amount !== null) return one.amount >= bill.floor * factor ? one : undefined
  return one.saved !== null && one.saved < bill.floorKwh * factor ? undefined : one
}

const byMoney = (found: DetectedFinding): PricedFinding => ({
  ...found,
  amount: found.money?.amount ?? null,
  low: found.money?.low ?? null,
  high: found.money?.high ?? null,
  saved: found.kWh ?? null,
  bill: null,
})

async function byClaims(
  snapshot: HomeSnapshot,
  { actual }: ClaimedBill,
  found: DetectedFinding,
): Promise<PricedFinding> {
  const { claims } = found
  const union = await homeUnion(snapshot, claims)
  const saved = monthly(sumOf(union))
  if (actual === null || !snapshot.bills)
    return { ...found, amount: null, low: null, high: null, saved, bill: null }
  const amount = savingOf(snapshot, actual, union)
  const ends = await Promise.all(
    (['low', 'high'] as const).map(async (end) =>
      savingOf(snapshot, actual, await homeUnion(snapshot, scaled(claims, end))),
    ),
  )
  return {
    ...found,
    amount,
    low: Math.min(amount, ends[0] as number),
    high: Math.max(amount, ends[1] as number),
    saved,
    // The amount of 12 months is not the difference of these bills.
    bill: adviceYear(snapshot) ? null : { Was: actual, Without: billWithout(snapshot, union) },
  }
}

/** Saving of some energy per month, NT$: by the bills of 12 months like the headline, or by the claimed days if those allow no advice. */
function savingOf(snapshot: HomeSnapshot, actual: number, union: Float64Array): number {
  const year = adviceYear(snapshot)
  if (!year) return monthly(actual - billWithout(snapshot, union))
  const loads = yearWithout(year.loads, unionByClass(snapshot, union), snapshot.offPeakDays)
  const { bills } = year.minimizeBills(loads, { plan: false, contract: false, powerFactor: false })
  const saved = sumOf(year.actual.map(({ Total }) => Total)) - sumOf(bills)
  return saved / sumOf(year.periods.map(({ Months }) => Months))
}

/** Energy that claims remove together, by interval of the claimed days. */
export async function homeUnion(
  snapshot: HomeSnapshot,
  claims: readonly Pick<Claim, 'meter' | 'kWh'>[],
): Promise<Float64Array> {
  const length = sumOf([...snapshot.profile.values()].map(({ kWh }) => kWh.length))
  return unionOf(claims, await claimedMeters(snapshot, claims), length)
}

/** Bill of the claimed days without some of their energy. */
export function billWithout(snapshot: HomeSnapshot, union: Float64Array, PowerFactor?: number): number {
  const { bills, from, end } = snapshot
  if (!bills) throw new RangeError('Nothing has a price')
  return bills.ofDays(daysWithout(snapshot, union), from, end, PowerFactor).Total
}

/** The claimed days without some of their energy; removes at most what was bought. */
function daysWithout(snapshot: HomeSnapshot, union: Float64Array): LoadQueries {
  let at = 0
  return new Map(
    claimedDays(snapshot).map((day) => {
      const kWh = snapshot.profile.get(day)?.kWh ?? new Float64Array()
      const remainingKwh = Float64Array.from(
        kWh,
        (one, i) => one - Math.min(Math.max(0, one), union[at + i] ?? 0),
      )
      at += kWh.length
      return [day, { kWh: remainingKwh }]
    }),
  )
}

/** Intervals of a day without a clock change. */
const PLAIN_DAY = 96

/** Mean of the union of the claimed days by kind of day, kWh of each interval. */
export function unionByClass(
  snapshot: HomeSnapshot,
  union: Float64Array,
): { Class: DayType; kWh: number[] }[] {
  const sums = new Map(
    DAY_TYPES.map((type) => [type, { days: 0, kWh: Array.from({ length: PLAIN_DAY }, () => 0) }]),
  )
  let at = 0
  for (const day of claimedDays(snapshot)) {
    const length = snapshot.profile.get(day)?.kWh.length ?? 0
    const of = sums.get(dayTypeOf(day, snapshot.offPeakDays))
    if (of) {
      of.days += 1
      for (let i = 0; i < Math.min(length, PLAIN_DAY); i++) (of.kWh[i] as number) += union[at + i] ?? 0
    }
    at += length
  }
  return DAY_TYPES.map((Class) => {
    const { days, kWh } = sums.get(Class) as { days: number; kWh: number[] }
    return { Class, kWh: kWh.map((one) => (days ? one / days : 0)) }
  })
}

/** Days of a year without the mean of the union of their kind. */
export function yearWithout(
  loads: LoadQueries,
  byClass: readonly { Class: DayType; kWh: readonly number[] }[],
  offPeakDays: ReadonlySet<number>,
): LoadQueries {
  const means = new Map(byClass.map(({ Class, kWh }) => [Class, kWh]))
  return new Map(
    [...loads].map(([day, { kWh }]) => {
      const mean = means.get(dayTypeOf(day, offPeakDays))
      return [
        day,
        { kWh: Float64Array.from(kWh, (one, i) => one - Math.min(Math.max(0, one), mean?.[i] ?? 0)) },
      ]
    }),
  )
}
