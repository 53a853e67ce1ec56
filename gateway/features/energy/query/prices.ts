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

/** What a home's energy costs and emits. */
export interface Pricing {
  /** The version of the home's tariff that holds on a day; none where the home had no tariff. */
  versionOn(day: number): TariffVersion | undefined
  /** The bill that a day with a tariff is on. */
  billOn(day: number): BillingPeriod
  /** Holidays that are off-peak, as `dayOf` numbers days. */
  offPeakDays: ReadonlySet<number>
  carbonFactor(year: number): CarbonFactorOfYear
}

/** The key of energy that no tariff holds for, among the bands. */
export const NO_TARIFF = 'none'

/** A price per kWh, or the part of a bill whose energy decides it. */
export interface Rate {
  /** Energy of one rate may be added up. */
  id: string
  band: Band | typeof NO_TARIFF
  /** NT$ per kWh before what the bill's energy adds; null where no price is known. */
  price: number | null
  /** The part of a bill by which tiers and surcharges are counted; undefined for a tariff without. */
  span?: string
}

/** A part of a bill in which one season of one version holds. */
export interface RateSpan {
  id: string
  days: number[]
  /** The months of the calendar that the days are, where they are whole ones. */
  months: number[] | undefined
  /** How many months' tiers the days have: the bill's months, shared by days. */
  share: number
  version: TariffVersion
  season: TariffSeason
}

const flat: BandSpan = { FromMinute: 0, ThroughMinute: 1440, Band: 'flat', Price: null }
const whole = [{ ...flat, rate: { id: NO_TARIFF, band: NO_TARIFF, price: null } satisfies Rate }]

/** A part of a day with its rate. */
export type RateSpanOfDay = BandSpan & { rate: Rate }

export type Rates = ReturnType<typeof createRates>

/** Where no price is asked for. */
export const UNPRICED: Rates = { ofDay: () => whole, spansOf: () => [] }

/** The rates of prices, made once for as long as these are remembered. */
export function ratesOf(pricing: Pricing): Rates {
  const rates = made.get(pricing) ?? createRates(pricing)
  made.set(pricing, rates)
  return rates
}
const made = new WeakMap<Pricing, Rates>()

/** The rates of days; what is asked twice is computed once. */
function createRates({ versionOn, billOn, offPeakDays }: Pricing) {
  /** Versions that charge the same are one: no bill is divided between them. */
  const versions = new Map<string, number>()
  const spans = new Map<string, RateSpan>()
  const days = new Map<number, RateSpanOfDay[]>()
  /** Days of one class and span are alike. */
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
    /** The day's bands in order with their rates; one without a price where no tariff holds. */
    ofDay(day: number): RateSpanOfDay[] {
      const bands = days.get(day) ?? bandsOf(day)
      days.set(day, bands)
      return bands
    },

    /** The parts of bills whose energy decides some of the rates. */
    spansOf: (rates: readonly Rate[]): RateSpan[] =>
      [...new Set(rates.flatMap(({ span }) => span ?? []))].map((id) => spans.get(id) as RateSpan),
  }
}

/** The months that days in their order are, undefined where they begin or end within one or leave a day out. */
function wholeMonths(days: readonly number[]): number[] | undefined {
  const [first, last] = [days[0] as number, days.at(-1) as number]
  const [month, next] = [monthOfDay(first), monthOfDay(last + 1)]
  const whole = firstDayOf(month) === first && firstDayOf(next) === last + 1
  if (!whole || last - first + 1 !== days.length) return undefined
  return Array.from({ length: next - month }, (_, i) => month + i)
}

/**
 * What tiers and surcharges make of a kWh: the bill's charge, shared in proportion to energy, as `billOf` computes it. A bill
 * of two months has twice the kWh in each tier; where it has several seasons or versions each holds for its share of the days.
 *
 * kwh      of the home in that part of the bill, so far
 * returns  NT$ per kWh, added to the rate's own price
 */
export function monthlyPrice({ share, version, season }: RateSpan, kwh: number): number {
  const { Surcharge } = version
  const energy = Math.max(kwh, 1e-9)
  const tiers = version.Kind === 'tiered' ? tierCharge(energy, season.Tiers, share) : 0
  const over = Surcharge ? Math.max(0, energy - Surcharge.OverKwh * share) * Surcharge.Price : 0
  return (tiers + over) / energy
}
