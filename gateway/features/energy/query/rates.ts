import type { Db } from '../../../kernel/db.ts'
import type { CarbonFactorOfYear } from '../../../../contract/tariffs/carbon.ts'
import { tierCharge } from '../../../../contract/tariffs/energy-totals.ts'
import type { BillingPeriod } from '../../../domain/tariffs/billing-periods.ts'
import { firstDayOf, monthOfDay } from '../../../../contract/time/periods.ts'
import {
  type Band,
  type BandSpan,
  bandsOfDay,
  chargesOf,
  dayClassOf,
  seasonOf,
  type TariffSeason,
  type TariffVersion,
} from '../../../../contract/tariffs/tariff-terms.ts'

/** Prices and emissions of a home's energy. */
export interface Pricing {
  /** Tariff version of the home that is in force on a day; undefined if the home had no tariff. */
  versionOn(day: number): TariffVersion | undefined
  /** Billing period of a day with a tariff. */
  billOn(day: number): BillingPeriod
  /** Day numbers (`dayOf`) of holidays that are off-peak. */
  offPeakDays: ReadonlySet<number>
  carbonFactor(year: number): CarbonFactorOfYear
}

/** Reads the prices and emission factors of a home from its tariffs. */
export type PricingOf = (db: Db, tenant: string, HomeID: string) => Promise<Pricing>

/** Band key of energy without a tariff. */
export const NO_TARIFF = 'none'

/** A price per kWh, together with the part of a bill whose energy affects it. */
export interface Rate {
  /** Energy of rates with the same id may be added up. */
  id: string
  band: Band | typeof NO_TARIFF
  /** NT$ per kWh, without the part that depends on the bill's energy; null if no price is known. */
  price: number | null
  /** Part of a bill over which tiers and surcharges are counted; undefined for a tariff without them. */
  span?: string
}

/** A part of a bill with one season of one tariff version. */
export interface RateSpan {
  id: string
  days: number[]
  /** Calendar months that make up the days, if they are whole months. */
  months: number[] | undefined
  /** Number of months whose tiers the days receive: the bill's months in proportion to the days. */
  share: number
  version: TariffVersion
  season: TariffSeason
}

const flat: BandSpan = { FromMinute: 0, ThroughMinute: 1440, Band: 'flat', Price: null }
const whole = [{ ...flat, rate: { id: NO_TARIFF, band: NO_TARIFF, price: null } satisfies Rate }]

/** A part of a day with its rate. */
export type RateSpanOfDay = BandSpan & { rate: Rate }

export type Rates = ReturnType<typeof createRates>

/** Used if no price is requested. */
export const UNPRICED: Rates = { ofDay: () => whole, spansOf: () => [] }

/** Rates for prices, cached as long as the pricing object exists. */
export function ratesOf(pricing: Pricing): Rates {
  const rates = cache.get(pricing) ?? createRates(pricing)
  cache.set(pricing, rates)
  return rates
}
const cache = new WeakMap<Pricing, Rates>()

/** Creates the rates of days; results are cached. */
function createRates({ versionOn, billOn, offPeakDays }: Pricing) {
  /** Versions with identical charges share a number, so that no bill is divided between them. */
  const versions = new Map<string, number>()
  const spans = new Map<string, RateSpan>()
  const days = new Map<number, RateSpanOfDay[]>()
  /** Days of the same class and span share their rates. */
  const classes = new Map<string, RateSpanOfDay[]>()

  function spanOf(day: number, version: TariffVersion): string | undefined {
    if (version.Kind !== 'tiered' && version.Surcharge === null) return undefined
    const { FromDay, EndDay, Months } = billOn(day)
    const season = seasonOf(version, day)
    const id = `${FromDay}-${EndDay}/${numberOf(version)}/${version.Seasons.indexOf(season)}`
    if (!spans.has(id)) {
      const isOf = (one: number): boolean => {
        const other = versionOn(one)
        if (!other || numberOf(other) !== numberOf(version) || seasonOf(version, one) !== season) return false
        const bill = billOn(one)
        return bill.FromDay === FromDay && bill.EndDay === EndDay
      }
      const days: number[] = []
      for (let one = FromDay; one < EndDay; one++) if (isOf(one)) days.push(one)
      const share = (days.length / (EndDay - FromDay)) * Months
      spans.set(id, { id, days, months: wholeMonths(days), share, version, season })
    }
    return id
  }
  const numberOf = (version: TariffVersion): number => {
    const charges = chargesOf(version)
    const number = versions.get(charges) ?? versions.size
    versions.set(charges, number)
    return number
  }

  function bandsOf(day: number): RateSpanOfDay[] {
    const version = versionOn(day)
    if (!version) return whole
    const span = spanOf(day, version)
    const key = `${numberOf(version)} ${span ?? ''} ${dayClassOf(version, day, offPeakDays)}`
    const known = classes.get(key)
    if (known) return known
    const season = version.Seasons.indexOf(seasonOf(version, day))
    const bands = bandsOfDay(version, day, offPeakDays).map((part) => ({
      ...part,
      rate: {
        id: `${span ?? `${numberOf(version)}/${season}`}/${part.Band}`,
        band: part.Band,
        price: version.Kind === 'tiered' ? 0 : part.Price,
        ...(span !== undefined && { span }),
      },
    }))
    classes.set(key, bands)
    return bands
  }

  return {
    /** Bands of a day in order, with their rates; a single one without a price if no tariff applies. */
    ofDay(day: number): RateSpanOfDay[] {
      const bands = days.get(day) ?? bandsOf(day)
      days.set(day, bands)
      return bands
    },

    /** Parts of bills whose energy affects some of the rates. */
    spansOf: (rates: readonly Rate[]): RateSpan[] =>
      [...new Set(rates.flatMap(({ span }) => span ?? []))].map((id) => spans.get(id) as RateSpan),
  }
}

/** Months that consist of exactly these ordered days; undefined if they start or end within a month or have gaps. */
function wholeMonths(days: readonly number[]): number[] | undefined {
  const [first, last] = [days[0] as number, days.at(-1) as number]
  const [month, next] = [monthOfDay(first), monthOfDay(last + 1)]
  const whole = firstDayOf(month) === first && firstDayOf(next) === last + 1
  if (!whole || last - first + 1 !== days.length) return undefined
  return Array.from({ length: next - month }, (_, i) => month + i)
}

/**
 * Price of a kWh from tiers and surcharges: the bill's charge in proportion to energy, as computed by `billOf`. A bill of two months has
 * twice the kWh in each tier; if it has several seasons or versions, each applies to its share of the days.
 *
 * kwh      energy of the home in that part of the bill so far
 * returns  NT$ per kWh, in addition to the rate's own price
 */
export function monthlyPrice({ share, version, season }: RateSpan, kwh: number): number {
  const { Surcharge } = version
  const energy = Math.max(kwh, 1e-9)
  const tiers = version.Kind === 'tiered' ? tierCharge(energy, season.Tiers, share) : 0
  const surcharge = Surcharge ? Math.max(0, energy - Surcharge.OverKwh * share) * Surcharge.Price : 0
  return (tiers + surcharge) / energy
}
