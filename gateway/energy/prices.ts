import { tierCharge } from '../../contract/rules/energy-totals.ts'
import { firstDayOf, monthOfDay } from '../../contract/rules/periods.ts'
import {
  type Band,
  type BandSpan,
  bandsOfDay,
  seasonOf,
  type TariffSeason,
  type TariffVersion,
} from '../../contract/rules/tariff.ts'

/** What a home's energy costs and emits. */
export interface Pricing {
  /** The version of the home's tariff that holds on a day; none where the home had no tariff. */
  versionOn(day: number): TariffVersion | undefined
  /** Holidays that are off-peak, as `dayOf` numbers days. */
  offPeakDays: ReadonlySet<number>
  /** kg CO2e per kWh in a year. */
  carbonFactor(year: number): number
}

/** The key of energy that no tariff holds for, among the bands. */
export const NO_TARIFF = 'none'

/** A price per kWh, or the part of a month whose energy decides it. */
export interface Rate {
  /** Energy of one rate may be added up. */
  id: string
  band: Band | typeof NO_TARIFF
  /** NT$ per kWh before what the month adds; null where no price is known. */
  price: number | null
  /** The part of a month by which tiers and surcharges are counted; undefined for a tariff without. */
  span?: string
}

/** A part of a month in which one season of one version holds. */
export interface RateSpan {
  id: string
  month: number
  days: number[]
  version: TariffVersion
  season: TariffSeason
}

const flat: BandSpan = { FromMinute: 0, ThroughMinute: 1440, Band: 'flat', Price: null }
const whole = [{ ...flat, rate: { id: NO_TARIFF, band: NO_TARIFF, price: null } satisfies Rate }]

/** A part of a day with its rate. */
export type RateSpanOfDay = BandSpan & { rate: Rate }

/** The rates of days; what is asked twice is reckoned once. */
export function createRates({ versionOn, offPeakDays }: Pricing) {
  const versions = new Map<TariffVersion, number>()
  const spans = new Map<string, RateSpan>()

  function spanOf(day: number, version: TariffVersion): string | undefined {
    if (version.Kind !== 'tiered' && version.Surcharge === null) return undefined
    const month = monthOfDay(day)
    const id = idOf(month, version, seasonOf(version, day))
    if (!spans.has(id)) {
      const season = seasonOf(version, day)
      const days: number[] = []
      for (let one = firstDayOf(month); one < firstDayOf(month + 1); one++)
        if (versionOn(one) === version && seasonOf(version, one) === season) days.push(one)
      spans.set(id, { id, month, days, version, season })
    }
    return id
  }
  const idOf = (month: number, version: TariffVersion, season: TariffSeason) =>
    `${month}/${numberOf(version)}/${version.Seasons.indexOf(season)}`
  const numberOf = (version: TariffVersion): number => {
    const number = versions.get(version) ?? versions.size
    versions.set(version, number)
    return number
  }

  return {
    /** The day's bands in order with their rates; one without a price where no tariff holds. */
    ofDay(day: number): RateSpanOfDay[] {
      const version = versionOn(day)
      if (!version) return whole
      const span = spanOf(day, version)
      const season = version.Seasons.indexOf(seasonOf(version, day))
      return bandsOfDay(version, day, offPeakDays).map((part) => ({
        ...part,
        rate: {
          id: `${span ?? `${numberOf(version)}/${season}`}/${part.Band}`,
          band: part.Band,
          price: version.Kind === 'tiered' ? 0 : part.Price,
          ...(span !== undefined && { span }),
        },
      }))
    },

    /** Every part of a month met so far in which the month's energy decides. */
    spans: (): RateSpan[] => [...spans.values()],
  }
}

/**
 * What tiers and surcharges make of a kWh: the month's charge, shared in proportion to energy. Where a month has several
 * seasons or versions each holds for its share of the days.
 *
 * kwh      of the home in that part of the month, so far
 * returns  NT$ per kWh, added to the rate's own price
 */
export function monthlyPrice({ month, days, version, season }: RateSpan, kwh: number): number {
  const share = days.length / (firstDayOf(month + 1) - firstDayOf(month))
  const { Surcharge } = version
  const energy = Math.max(kwh, 1e-9)
  const tiers = version.Kind === 'tiered' ? tierCharge(energy, season.Tiers, share) : 0
  const over = Surcharge ? Math.max(0, energy - Surcharge.OverKwh * share) * Surcharge.Price : 0
  return (tiers + over) / energy
}
