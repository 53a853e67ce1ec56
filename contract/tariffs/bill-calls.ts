import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, MeterID, Millis, TariffID } from '../kernel/scalars.ts'
import { AdviceRefusal } from './advice.ts'
import { PriceReview } from './price-review.ts'
import { BILL_ITEMS, BILL_UNITS } from './bill.ts'
import { Band, DateText, SeasonName } from './tariff-terms.ts'
import { Capacities } from './home-tariff-calls.ts'
import { LackingPeakDays } from './peak-days.ts'
import { ComputedPercent, energyFigures } from '../energy/meter-data-calls.ts'

/** One line of a bill: Quantity × Price × Factor = Amount, NT$. */
export const BilledLine = z.object({
  Item: z.enum(BILL_ITEMS),
  Detail: z.string(),
  Season: SeasonName.nullable(),
  ValidFrom: DateText,
  Quantity: z.number(),
  Unit: z.enum(BILL_UNITS),
  Price: z.number(),
  Factor: z.number(),
  Amount: z.number(),
})

/** The days of a bill, both inclusive, and what was counted in them. */
export const BilledPeriod = z.object({
  From: DateText,
  Through: DateText,
  kWh: z.number(),
  /**
   * The share of its intervals that is known, 0 to 1; of days whose prices depend on the hour, only intervals in hours that were
   * measured, or corrected by the hour or less.
   */
  Known: z.number(),
  /** The share of its intervals of which the energy is known, whichever hour it was used in; left out if that is Known. */
  EnergyKnown: z.number().optional(),
})

/** NT$ of a period; null where a day of it has no price. */
const Amount = z.number().nullable()

/** What a year would have cost under one plan. */
export const PlanBills = z.object({
  PlanID: TariffID,
  Capacities,
  /** In the order of Periods. */
  Bills: z.array(z.object({ Total: Amount, Energy: Amount })),
  /** Of the periods with a price, and how many they are. */
  Total: z.number(),
  Priced: z.number().int(),
  /**
   * Against what the home has, over the periods that both have a price for; null without any, and where this or
   * what it has is Refused. */
  Difference: z.number().nullable(),
  /** The periods that make most of the difference, by their places in Periods, at most three. */
  Drivers: z.array(z.number().int()),
  /** The regular contract that would have cost least, kW; null for plans without contracts, and where Refused. */
  Best: z.object({ Regular: z.number(), Total: z.number() }).nullable(),
  /**
   * What the periods lack for advice; null where nothing. Needed are 10 of 12 months, 2 of them summer, each known to 95 %;
   * for plans with contracts also 95 % of the intervals of the busy bands measured in each, for plans with bands 95 % of the hours. A plan with contracts where none
   * is agreed then has no bills either: they would be those of the best.
   */
  Refused: AdviceRefusal.nullable(),
})
export type PlanBills = z.infer<typeof PlanBills>

/** An interval of high demand; demands in kW. */
export const DemandPeak = z.object({
  /** The first ms of the 15 minutes. */
  Timestamp: Millis,
  kW: z.number(),
  Band: Band.nullable(),
  /** What the contract allows in such hours; null without a contract. */
  Limit: z.number().nullable(),
  /** Which meters made it, of those with none below them, the largest first, at most ten; what none of them saw is left. */
  Meters: z.array(z.object({ PeripheralUID: MeterID, kW: z.number() })),
})
export type DemandPeak = z.infer<typeof DemandPeak>

/** Demand of a home at this moment, kW. */
const DemandNow = z.object({
  /**
   * Mean of the last 15 minutes. With Reporting below Meters it is a lower bound, of the meters that report. Null when no meter
   * reports, when one that reports has no 15 minutes yet, and when one is silent whose energy is subtracted.
   */
  Rolling: z.number().nullable(),
  /** Forecast of the running 15 minutes; a lower bound and null as Rolling. */
  Forecast: z.number().nullable(),
  Band: Band.nullable(),
  /** What the contract allows now; null without a contract. */
  Limit: z.number().nullable(),
  /** How many meters can say, of how many that make the home's total. */
  Reporting: z.number().int(),
  Meters: z.number().int(),
})

const read = right('electricity', 'Read')

export const bills = {
  getBill: defineEndpoint({
    path: '/GetBill',
    summary: "The bill of the period that a day lies in, line by line, by the home's tariff then.",
    access: read,
    input: z.object({ HomeID, Date: DateText }),
    results: BilledPeriod.extend({
      Lines: z.array(BilledLine),
      Total: z.number(),
      /**
       * Of plants all of whose energy is sold: kWh, and NT$ that they earned, null where a price is missing. It is beside the bill, in
       * none of its lines; null without such a plant.
       */
      Sold: z.object({ kWh: z.number(), Income: Amount }).nullable(),
      Energy: z.number(),
      /** Age of its prices; left out if the company entered them all itself. */
      Prices: PriceReview.optional(),
      ComputedPercent,
      /**
       * Announced peak days (`/ListPeakDay`) that are missing. Without them a plan with variable peak hours has no bill: no lines, and
       * Total is 0. Absent if none is missing.
       */
      PeakDays: LackingPeakDays.optional(),
      /** Days of the period that no tariff covers: they are in no line. */
      DaysWithoutTariff: z.number().int(),
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  compareTariff: defineEndpoint({
    path: '/CompareTariff',
    summary:
      'What the last whole bills would have cost under other plans and contracts; the cheapest first. Where too little is known for advice each plan says what lacks (Refused).',
    access: read,
    input: z.object({
      HomeID,
      Months: z.number().int().min(1, 'tooSmall').max(24, 'tooBig').default(12),
      /** Left out: every plan built in that one can still ask for, and every tariff of the company. */
      PlanIDs: z.array(TariffID).min(1, 'required').max(50, 'tooBig').optional(),
      /** Left out: as agreed now; a plan that asks for contracts where none are agreed takes the best, unless refused. */
      Capacities: Capacities.optional(),
    }),
    results: z.object({
      Periods: z.array(BilledPeriod),
      /** What the home's own tariffs came to; null without any. */
      Current: PlanBills.nullable(),
      Plans: z.array(PlanBills),
      /** Age of the prices of the plans built in, today; left out if none is compared. */
      Prices: PriceReview.optional(),
      ComputedPercent,
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getDemand: defineEndpoint({
    path: '/GetDemand',
    summary: 'Demand of a home now, what the running 15 minutes will come to, and the peaks of a month.',
    access: read,
    input: z.object({
      HomeID,
      /** `2026-11`; the running month when left out. */
      Month: z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'invalid')
        .optional(),
    }),
    results: DemandNow.extend({
      Month: z.string(),
      /** The highest intervals of the month, highest first. */
      Peaks: z.array(DemandPeak),
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
    freshFor: 30_000,
  }),
  listDemand: defineEndpoint({
    path: '/ListDemand',
    summary: 'Demand of every home of the company now, and what the running 15 minutes will come to.',
    access: read,
    input: z.object({}),
    results: z.array(DemandNow.extend({ HomeID })),
    ...energyFigures,
    freshFor: 30_000,
  }),
}
