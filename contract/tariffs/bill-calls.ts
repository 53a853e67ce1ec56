import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, MeterID, Millis, TariffID } from '../kernel/scalars.ts'
import { AdviceRefusal } from './advice.ts'
import { PriceReview } from './price-review.ts'
import { BILL_ITEMS, BILL_UNITS } from './bill.ts'
import { Band, SeasonName } from './tariff-terms.ts'
import { DateText } from '../time/date-text.ts'
import { Capacities } from './home-tariff-calls.ts'
import { LackingPeakDays } from '../energy/lacking-peak-days.ts'
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

/** Days of a bill, both inclusive, and their measured energy. */
export const BilledPeriod = z.object({
  From: DateText,
  Through: DateText,
  kWh: z.number(),
  /**
   * Known share of its intervals, 0 to 1; on days whose prices depend on the hour, only intervals in hours that were measured, or
   * corrected by the hour or less.
   */
  Known: z.number(),
  /** Share of its intervals with known energy, regardless of the hour of use; omitted if equal to Known. */
  EnergyKnown: z.number().optional(),
})

/** NT$ of a period; null if one of its days has no price. */
const Amount = z.number().nullable()

/** Cost of a year under one plan. */
export const PlanBills = z.object({
  PlanID: TariffID,
  Capacities,
  /** In the order of Periods. */
  Bills: z.array(z.object({ Total: Amount, Energy: Amount })),
  /** Sum over the periods with a price, and their number. */
  Total: z.number(),
  Priced: z.number().int(),
  /**
   * Difference from the home's own tariffs over the periods that both have a price for; null if there are none, or if either is Refused.
   */
  Difference: z.number().nullable(),
  /** Indices into Periods of the periods with the largest differences, at most three. */
  Drivers: z.array(z.number().int()),
  /** Cheapest regular contract, kW; null for plans without contracts, and if Refused. */
  Best: z.object({ Regular: z.number(), Total: z.number() }).nullable(),
  /**
   * Data that the periods lack for advice; null if none. Required: 10 of 12 months, 2 of them in summer, each known to 95 %. Plans with
   * contracts also require 95 % of the intervals in busy bands measured in each month, plans with bands 95 % of the hours. If no contract
   * is agreed, a refused plan with contracts has no bills either: they would be based on the best contract.
   */
  Refused: AdviceRefusal.nullable(),
})
export type PlanBills = z.infer<typeof PlanBills>

/** Interval of high demand; demands in kW. */
export const DemandPeak = z.object({
  /** First ms of the 15 minutes. */
  Timestamp: Millis,
  kW: z.number(),
  Band: Band.nullable(),
  /** Contract limit in such hours; null without a contract. */
  Limit: z.number().nullable(),
  /** Lowest-level meters behind the peak, largest first, at most ten; without the part that none of them measured. */
  Meters: z.array(z.object({ PeripheralUID: MeterID, kW: z.number() })),
})
export type DemandPeak = z.infer<typeof DemandPeak>

const DemandNow = z.object({
  /**
   * Mean of the last 15 minutes. If Reporting is below Meters, a lower bound from the meters that report. Null if no meter reports, if a
   * reporting one has no 15 minutes yet, or if a silent meter's energy is subtracted.
   */
  Rolling: z.number().nullable(),
  /** Forecast of the running 15 minutes; lower bound and null as for Rolling. */
  Forecast: z.number().nullable(),
  Band: Band.nullable(),
  /** Present contract limit; null without a contract. */
  Limit: z.number().nullable(),
  /** Number of meters with a value, and of those in the home's total. */
  Reporting: z.number().int(),
  Meters: z.number().int(),
})

const read = right('electricity', 'Read')

export const bills = {
  getBill: defineEndpoint({
    path: '/GetBill',
    summary: "Bill of the period that contains a day, line by line, by the home's tariff at that time.",
    access: read,
    input: z.object({ HomeID, Date: DateText }),
    results: BilledPeriod.extend({
      Lines: z.array(BilledLine),
      Total: z.number(),
      /**
       * Plants that sell all of their energy: kWh and income in NT$, null if a price is missing. Not part of the bill lines; null without
       * such a plant.
       */
      Sold: z.object({ kWh: z.number(), Income: Amount }).nullable(),
      Energy: z.number(),
      /** Age of its prices; omitted if the company entered all of them itself. */
      Prices: PriceReview.optional(),
      ComputedPercent,
      /**
       * Announced peak days (`/ListPeakDay`) that are missing. Without them, a plan with variable peak hours has no bill: no lines, and
       * Total is 0. Omitted if none is missing.
       */
      PeakDays: LackingPeakDays.optional(),
      /** Days of the period without a tariff; not part of any line. */
      DaysWithoutTariff: z.number().int(),
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  compareTariff: defineEndpoint({
    path: '/CompareTariff',
    summary:
      'Cost of the last complete bills under other plans and contracts, the cheapest first. If data for advice is missing, Refused of each plan states which.',
    access: read,
    input: z.object({
      HomeID,
      Months: z.number().int().min(1, 'tooSmall').max(24, 'tooBig').default(12),
      /** If omitted: every built-in plan that is still available, and every tariff of the company. */
      PlanIDs: z.array(TariffID).min(1, 'required').max(50, 'tooBig').optional(),
      /** If omitted: the present agreement; a plan that requires contracts uses the cheapest if none is agreed, unless refused. */
      Capacities: Capacities.optional(),
    }),
    results: z.object({
      Periods: z.array(BilledPeriod),
      /** Bills under the home's own tariffs; null if it has none. */
      Current: PlanBills.nullable(),
      Plans: z.array(PlanBills),
      /** Present age of the built-in plans' prices; omitted if none is compared. */
      Prices: PriceReview.optional(),
      ComputedPercent,
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getDemand: defineEndpoint({
    path: '/GetDemand',
    summary: 'Current demand of a home, the forecast for the running 15 minutes, and the peaks of a month.',
    access: read,
    input: z.object({
      HomeID,
      /** `2026-11`; the current month if omitted. */
      Month: z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'invalid')
        .optional(),
    }),
    results: DemandNow.extend({
      Month: z.string(),
      /** Highest intervals of the month, highest first. */
      Peaks: z.array(DemandPeak),
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
    freshFor: 30_000,
  }),
  listDemand: defineEndpoint({
    path: '/ListDemand',
    summary: 'Current demand of every home of the company, and the forecast for the running 15 minutes.',
    access: read,
    sites: 'mixed',
    input: z.object({}),
    results: z.array(DemandNow.extend({ HomeID })),
    ...energyFigures,
    freshFor: 30_000,
  }),
}
