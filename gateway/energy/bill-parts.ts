import { type Bill, type BillPart, type BillTerms, billOf } from '../../contract/rules/bill.ts'
import type { BillingPeriod } from '../../contract/rules/billing-periods.ts'
import { wallMinute } from '../../contract/rules/periods.ts'
import {
  type Band,
  BANDS,
  bandsOfDay,
  dayClassOf,
  seasonOf,
  type TariffVersion,
} from '../../contract/rules/tariff.ts'
import type { ProfileDay } from './load-profile.ts'

/** The version of a tariff that holds on a day. */
export type VersionOn = (day: number) => TariffVersion | undefined
/** What is agreed on a day. */
export type TermsOn = (day: number) => BillTerms

/** Of each interval of an ordinary day its band, by version and class of days; kept while one answer is made. */
export function createBandTable(offPeakDays: ReadonlySet<number>, zone: string) {
  const known = new Map<TariffVersion, Map<string, Uint8Array>>()
  return (version: TariffVersion, day: number, quarters: number): Uint8Array => {
    const classes = known.get(version) ?? new Map<string, Uint8Array>()
    known.set(version, classes)
    // Days on which the clocks change are each their own.
    const key = quarters === 96 ? dayClassOf(version, day, offPeakDays) : `${day}`
    let bands = classes.get(key)
    if (!bands) {
      const spans = bandsOfDay(version, day, offPeakDays)
      bands = Uint8Array.from({ length: quarters }, (_, i) => {
        const minute = quarters === 96 ? i * 15 : wallMinute(day, i, zone)
        const span = spans.find(({ ThroughMinute }) => minute < ThroughMinute)
        return BANDS.indexOf(span?.Band ?? 'flat')
      })
      classes.set(key, bands)
    }
    return bands
  }
}
export type BandTable = ReturnType<typeof createBandTable>

/**
 * What of a period falls under each season of each version, with its energy and demand by band.
 *
 * termsOn  divides it also where what is agreed changes; left out where one agreement is asked about
 */
export function billParts(
  { FromDay, EndDay }: BillingPeriod,
  profile: ReadonlyMap<number, ProfileDay>,
  versionOn: VersionOn,
  bandsOf: BandTable,
  termsOn?: TermsOn,
): BillPart[] {
  const parts: BillPart[] = []
  for (let day = FromDay; day < EndDay; day++) {
    const version = versionOn(day)
    const load = profile.get(day)
    if (!version || !load) continue
    const season = seasonOf(version, day)
    const terms = termsOn?.(day)
    let part = parts.at(-1)
    if (part?.version !== version || part.season !== season || part.terms !== terms) {
      part = { version, season, Days: 0, kWh: {}, peakKw: {}, ...(terms && { terms }) }
      parts.push(part)
    }
    part.Days += 1
    addLoad(part, load.kWh, bandsOf(version, day, load.kWh.length))
  }
  return parts
}

function addLoad({ kWh, peakKw }: BillPart, load: Float64Array, bands: Uint8Array): void {
  for (const [i, energy] of load.entries()) {
    const band = BANDS[bands[i] as number] as Band
    kWh[band] = (kWh[band] ?? 0) + energy
    peakKw[band] = Math.max(peakKw[band] ?? 0, energy * 4)
  }
}

/** The bill of a period; null when a day of it has no price. */
export function wholeBill(period: BillingPeriod, parts: readonly BillPart[], terms: BillTerms): Bill | null {
  const days = period.EndDay - period.FromDay
  if (parts.reduce((sum, { Days }) => sum + Days, 0) < days) return null
  return billOf(parts, days, period.Months, terms)
}
