import { isDeepStrictEqual } from 'node:util'
import type { EarlierPart, EarlierPrices } from '../../../contract/tariffs/explain-change.ts'
import { bandParts } from '../../../contract/tariffs/energy-totals.ts'
import type { BillPart, BillTerms } from '../../../contract/tariffs/bill.ts'
import type { BillingPeriod } from '../../domain/tariffs/billing-periods.ts'
import {
  type Band,
  bandsOfType,
  chargesOf,
  dayTypeOf,
  PRICED_DAY_TYPES,
  pricedDayTypeOf,
  seasonOf,
} from '../../../contract/tariffs/tariff-terms.ts'
import type { DayWindow } from './days.ts'
import { minutesOf } from './load-profile.ts'
import type { Billing, LoadDay, SlotWindow } from './logic/ports.ts'

/** Billing periods of a range, cut at its ends; a cut period has its share of the months, by days. */
export function billsIn({ from, end }: DayWindow, billing: Billing): BillingPeriod[] {
  const bills: BillingPeriod[] = []
  for (let day = from; day < end;) {
    const { FromDay, EndDay, Months } = billing.periodOn(day)
    const next = Math.min(EndDay, end)
    bills.push({ FromDay: day, EndDay: next, Months: (Months * (next - day)) / (EndDay - FromDay) })
    day = next
  }
  return bills
}

/** Cost of some days by the prices valid on them, in cents; null if a day has no price. */
export function centsOf(
  days: DayWindow,
  billing: Billing,
  profile: ReadonlyMap<number, Pick<LoadDay, 'kWh'>>,
): number | null {
  let cents = 0
  for (const period of billsIn(days, billing)) {
    const bill = billing.billOf(period, profile)
    if (bill === null) return null
    cents += Math.round(bill.Total * 100)
  }
  return cents
}

/** Division of two periods into parts and cells, so that both can be priced as the earlier one. */
export interface BillDivision {
  parts: readonly EarlierPart[]
  months: readonly number[]
  /** Part of the earlier period whose prices apply to a day of either period, as index. */
  partOf: { base(day: number): number; now(day: number): number }
  /** Kind of a day, as index into PRICED_DAY_TYPES. */
  kindOf(day: number): number
  /** Time cells of every day, in minutes of local time, the last exclusive. */
  cells: readonly { FromMinute: number; ThroughMinute: number }[]
  bandOf(part: number, kind: number, cell: number): Band
}

/** Without prices a period is one part, and a day one cell. */
const UNPRICED = { from: 0, cells: [{ FromMinute: 0, ThroughMinute: 1440 }] }

/**
 * Divides the earlier period by bill, season of a price table and contract terms. A day of the later period is mapped
 * to the earlier day at the same relative position.
 *
 * isPriced  whether every day of both has a price
 */
export function divisionOf(
  base: DayWindow,
  now: DayWindow,
  billing: Billing,
  isPriced: boolean,
): BillDivision {
  const kindOf = (day: number) => {
    const version = billing.versionOn(day)
    return PRICED_DAY_TYPES.indexOf(
      version ? pricedDayTypeOf(version, day, billing.offPeakDays) : dayTypeOf(day, billing.offPeakDays),
    )
  }
  const [previousLength, currentLength] = [base.end - base.from, now.end - now.from]
  const placeOf = (day: number) =>
    base.from + Math.min(previousLength - 1, Math.floor(((day - now.from) * previousLength) / currentLength))
  if (!isPriced)
    return {
      parts: [],
      months: [],
      partOf: { base: () => 0, now: () => 0 },
      kindOf,
      cells: UNPRICED.cells,
      bandOf: () => 'flat',
    }
  const bills = billsIn(base, billing)
  const parts: EarlierPart[] = []
  const partOfDay = new Map<number, number>()
  for (const [bill, { FromDay, EndDay }] of bills.entries())
    for (let day = FromDay; day < EndDay; day++) {
      const part = partOn(day, bill, billing, parts.at(-1))
      if (part !== parts.at(-1)) parts.push(part)
      partOfDay.set(day, parts.length - 1)
    }
  const cells = cellsOf(parts)
  const bands = parts.map(({ version, season }) =>
    PRICED_DAY_TYPES.map((type) => {
      const spans = bandsOfType(version, season, type)
      return cells.map(
        ({ FromMinute }) => spans.find(({ ThroughMinute }) => FromMinute < ThroughMinute)?.Band ?? 'flat',
      )
    }),
  )
  const baseOf = (day: number) => partOfDay.get(day) ?? 0
  return {
    parts,
    months: bills.map(({ Months }) => Months),
    partOf: { base: baseOf, now: (day) => baseOf(placeOf(day)) },
    kindOf,
    cells,
    bandOf: (part, kind, cell) => bands[part]?.[kind]?.[cell] ?? 'flat',
  }
}

/** The part of a day: that of the previous day if nothing has changed. */
function partOn(day: number, bill: number, billing: Billing, before: EarlierPart | undefined): EarlierPart {
  const found = billing.versionOn(day)
  if (!found) throw new RangeError(`No tariff on day ${day}`)
  // A price table that was republished without a change starts no new part.
  const version = before && chargesOf(before.version) === chargesOf(found) ? before.version : found
  const season = seasonOf(version, day)
  const terms = agreedIn(billing.termsOn(day))
  const isSame =
    before?.bill === bill &&
    before.version === version &&
    before.season === season &&
    isDeepStrictEqual(before.terms, terms)
  return isSame ? before : { bill, version, season, terms }
}
const agreedIn = ({ Capacities, Phases, PowerFactor }: BillTerms): BillTerms => ({
  Capacities,
  Phases,
  PowerFactor,
})

/** Cells between all minutes at which a price band of any part begins. */
function cellsOf(parts: readonly EarlierPart[]): BillDivision['cells'] {
  const cuts = new Set([0, 1440])
  for (const { version, season } of parts)
    for (const type of PRICED_DAY_TYPES)
      for (const { FromMinute } of bandsOfType(version, season, type)) cuts.add(FromMinute)
  const sorted = [...cuts].toSorted((a, b) => a - b)
  return sorted.slice(1).map((ThroughMinute, i) => ({ FromMinute: sorted[i] as number, ThroughMinute }))
}

/** The cells of a day as ranges of its intervals; slots start at the first one of its part and kind. */
export function windowsOf(
  { cells }: Pick<BillDivision, 'cells'>,
  place: number,
  day: number,
  quarters: number,
  zone: string,
): SlotWindow[] {
  const first = place * cells.length
  return bandParts(cells, minutesOf(day, quarters, zone)).map(({ span, from, to }) => ({
    slot: first + cells.indexOf(span),
    from,
    to,
  }))
}

/** Maximum demand of some days by part and band, kW. */
export function peaksOf(
  division: BillDivision,
  { from, end }: DayWindow,
  partOf: (day: number) => number,
  profile: ReadonlyMap<number, Pick<LoadDay, 'kWh'>>,
  zone: string,
): EarlierPrices['peaks']['base'] {
  const peaks = division.parts.map((): BillPart['peakKw'] => ({}))
  for (let day = from; day < end; day++) {
    const kWh = profile.get(day)?.kWh
    if (!kWh) continue
    const [part, kind] = [partOf(day), division.kindOf(day)]
    const of = peaks[part] as BillPart['peakKw']
    for (const { slot, from: begin, to } of windowsOf(division, 0, day, kWh.length, zone)) {
      const band = division.bandOf(part, kind, slot)
      for (let i = begin; i < to; i++) of[band] = Math.max(of[band] ?? 0, (kWh[i] as number) * 4)
    }
  }
  return peaks
}
