import { isDeepStrictEqual } from 'node:util'
import { type Bill, type BillPart, type BillTerms, billOf } from '../../../contract/tariffs/bill.ts'
import type { BillingPeriod } from '../../domain/tariffs/billing-periods.ts'
import { wallMinute } from '../../../contract/time/periods.ts'
import {
  type Band,
  BANDS,
  bandsOfDay,
  chargesOf,
  dayClassOf,
  seasonOf,
  type TariffVersion,
} from '../../../contract/tariffs/tariff-terms.ts'
import type { ProfileDay } from './ports.ts'

export type VersionOn = (day: number) => TariffVersion | undefined
export type TermsOn = (day: number) => BillTerms

/** Creates a cached table of the band of each interval, by version and class of days. */
export function createBandTable(offPeakDays: ReadonlySet<number>, zone: string) {
  const cache = new Map<TariffVersion, Map<string, Uint8Array>>()
  return (version: TariffVersion, day: number, quarters: number): Uint8Array => {
    const classes = cache.get(version) ?? new Map<string, Uint8Array>()
    cache.set(version, classes)
    // Days with a clock change have their own entry.
    const key = quarters === 96 ? dayClassOf(version, day, offPeakDays) : `${day}`
    let bands = classes.get(key)
    if (!bands) {
      const spans = bandsOfDay(version, day, offPeakDays)
      bands = Uint8Array.from({ length: quarters }, (_, i) => {
        const minute = quarters === 96 ? i * 15 : wallMinute(day, i, zone)
        const band = spans.find(({ ThroughMinute }) => minute < ThroughMinute)
        return BANDS.indexOf(band?.Band ?? 'flat')
      })
      classes.set(key, bands)
    }
    return bands
  }
}
export type BandTable = ReturnType<typeof createBandTable>

/** A part of a bill with the quality of its demand data. */
export interface MeasuredPart extends BillPart {
  /** Intervals of all meters in bands that are not off-peak: expected and measured number. */
  busy: { due: number; measured: number }
}

/**
 * Splits a period by version and season, with the energy and demand by band of each part.
 *
 * termsOn  also splits where the terms change; omitted to evaluate one set of terms
 */
export function billParts(
  { FromDay, EndDay }: BillingPeriod,
  profile: ReadonlyMap<number, ProfileDay>,
  versionOn: VersionOn,
  bandsOf: BandTable,
  termsOn?: TermsOn,
): MeasuredPart[] {
  const parts: MeasuredPart[] = []
  const loads: Load[] = []
  for (let day = FromDay; day < EndDay; day++) {
    const [found, load] = [versionOn(day), profile.get(day)]
    if (!found || !load) continue
    // A republished price list without changes does not split a bill.
    const before = parts.at(-1)?.version
    const version = before && chargesOf(before) === chargesOf(found) ? before : found
    const season = seasonOf(version, day)
    const terms = termsOn?.(day)
    let part = parts.at(-1)
    if (part?.version !== version || part.season !== season || !isAgreedAlike(part.terms, terms)) {
      const busy = { due: 0, measured: 0 }
      part = { version, season, Days: 0, kWh: {}, peakKw: {}, busy, ...(terms && { terms }) }
      parts.push(part)
      loads.push(noLoad())
    }
    part.Days += 1
    const bands = bandsOf(version, day, load.kWh.length)
    addLoad(loads.at(-1) as Load, load.kWh, bands)
    // Only contracts depend on how demand was measured.
    if (season.CapacityRates.regular !== undefined) addBusy(part.busy, load, bands)
  }
  for (const [i, { kWh, peakKw }] of parts.entries()) {
    const { seen, energy, highest } = loads[i] as Load
    for (const place of seen) {
      const band = BANDS[place] as Band
      kWh[band] = energy[place] as number
      peakKw[band] = (highest[place] as number) * 4
    }
  }
  return parts
}

/** Repeated equal terms do not split a bill: a demand beyond the contract is charged once. */
const isAgreedAlike = (a: BillTerms | undefined, b: BillTerms | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && isDeepStrictEqual(agreedIn(a), agreedIn(b)))
const agreedIn = ({ Capacities, Phases, PowerFactor }: BillTerms): BillTerms => ({
  Capacities,
  Phases,
  PowerFactor,
})

/** Energy and highest interval by band index, kWh. Typed arrays, as a year under every plan has half a million intervals. */
interface Load {
  energy: Float64Array
  highest: Float64Array
  /** Bands that occurred, in order. */
  seen: number[]
}

const noLoad = (): Load => ({
  energy: new Float64Array(BANDS.length),
  highest: new Float64Array(BANDS.length),
  seen: [],
})

function addLoad({ energy, highest, seen }: Load, load: Float64Array, bands: Uint8Array): void {
  for (let i = 0; i < load.length; i++) {
    const band = bands[i] as number
    const used = load[i] as number
    if (!seen.includes(band)) seen.push(band)
    ;(energy[band] as number) += used
    if (used > (highest[band] as number)) highest[band] = used
  }
}

const OFF_PEAK = BANDS.indexOf('offPeak')

function addBusy(busy: MeasuredPart['busy'], { measured, total }: ProfileDay, bands: Uint8Array): void {
  const meters = total / bands.length
  for (let i = 0; i < bands.length; i++) {
    if (bands[i] === OFF_PEAK) continue
    busy.due += meters
    busy.measured += Math.min(meters, measured[i] ?? 0)
  }
}

/** Bill of a period; null if a day of it has no price. */
export function wholeBill(period: BillingPeriod, parts: readonly BillPart[], terms: BillTerms): Bill | null {
  const days = period.EndDay - period.FromDay
  if (parts.reduce((sum, { Days }) => sum + Days, 0) < days) return null
  return billOf(parts, days, period.Months, terms)
}
