import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, TariffID } from '../kernel/scalars.ts'
import { CARBON_RULES } from './carbon.ts'
import { HOLIDAYS, PEAK_DAYS_A_YEAR } from './peak-days.ts'
import { problemsOfVersions } from './tariff-problems.ts'
import { Capacity } from './tariff-terms.ts'
import { DateText } from '../time/date-text.ts'

/** kW of each kind of contract. */
export const Capacities = z.partialRecord(Capacity, z.number().min(0, 'tooSmall').max(1_000_000, 'tooBig'))

export const HomeTariff = z.object({
  ValidFrom: DateText,
  /** Inclusive; null if open-ended. */
  ValidThrough: DateText.nullable(),
  /** Built-in plan, or a tariff of the company. */
  PlanID: TariffID,
  Capacities,
  Phases: z.enum(['single', 'three']),
  /** Mean power factor in percent, as billed; null if not billed. */
  PowerFactor: z.number().min(0, 'tooSmall').max(100, 'tooBig').nullable(),
  /** Day of the month on which a billing period begins. */
  BillingDay: z.number().int().min(1, 'tooSmall').max(28, 'tooBig'),
  /** Months of one bill. */
  BillingMonths: z.union([z.literal(1), z.literal(2)]),
  /** For two-monthly bills: 1 if they begin in January, March …, 2 in February, April … */
  FirstMonth: z.union([z.literal(1), z.literal(2)]),
  /** NT$ per kWh sold to the grid; null if unknown. */
  FeedIn: z.number().min(0, 'tooSmall').max(1_000, 'tooBig').nullable(),
})
export type HomeTariff = z.infer<typeof HomeTariff>

/** Input form: FeedIn may be omitted. */
const SentTariff = HomeTariff.extend({ FeedIn: HomeTariff.shape.FeedIn.default(null) })

/** Tariffs in order, without overlaps; days may have no tariff. `overlap` names the days. */
export const HomeTariffs = z
  .array(SentTariff)
  .max(100, 'tooBig')
  .superRefine((tariffs, context) => {
    for (const [i, { ValidFrom, ValidThrough }] of tariffs.entries())
      if (ValidThrough !== null && ValidThrough < ValidFrom)
        context.addIssue({ code: 'custom', path: [i, 'ValidThrough'], message: 'tooSmall' })
    for (const { path, reason } of problemsOfVersions(tariffs))
      if (reason === 'overlap') context.addIssue({ code: 'custom', path, message: reason })
  })

/** Day that is off-peak as a whole, or an exception from the list. */
export const OffPeakEntry = z.object({
  Date: DateText,
  /** Reason on Taipower's list; null if only the company added it. */
  Holiday: z.enum(HOLIDAYS).nullable(),
  IsOffPeak: z.boolean(),
  IsOwn: z.boolean(),
})
export type OffPeakEntry = z.infer<typeof OffPeakEntry>
const OwnDay = OffPeakEntry.pick({ Date: true, IsOffPeak: true })

const Year = z.number().int().min(2000, 'tooSmall').max(2100, 'tooBig')

/** Announced peak days of a year, in order; CompleteThrough is the last day up to which every announced one is listed. */
const PeakDayList = z.object({ Days: z.array(DateText), CompleteThrough: DateText.nullable() })
export type PeakDayList = z.infer<typeof PeakDayList>
const PeakDay = z.object({ Date: DateText })

/** kg CO2e per kWh in a year. */
export const CarbonFactor = z.object({ Year, Factor: z.number().min(0, 'tooSmall').max(10, 'tooBig') })
export type CarbonFactor = z.infer<typeof CarbonFactor>

const CarbonRule = z.object({ Rule: z.enum(CARBON_RULES) })

const read = right('electricity', 'Read')
const update = right('electricity', 'Update')

export const homeTariff = {
  listHomeTariff: defineEndpoint({
    path: '/ListHomeTariff',
    summary: 'Tariff history of a home, oldest first.',
    access: read,
    input: z.object({ HomeID }),
    results: z.array(HomeTariff),
    errors: ['NOT_FOUND'],
    shows: ['pricing', 'tariff'],
  }),
  updateHomeTariff: defineEndpoint({
    path: '/UpdateHomeTariff',
    summary:
      'Replaces the tariff history of a home and recomputes all costs. Rejected if Seen is given and differs from the current history. New entries are rejected for high voltage with a contract below 100 kW (belowHighVoltage), and for low voltage from 100 kW on unless Sure (beyondLowVoltage).',
    access: update,
    input: z.object({
      HomeID,
      Tariffs: HomeTariffs,
      Seen: z.array(SentTariff).max(100, 'tooBig').optional(),
      /** Confirms low voltage despite a contract of 100 kW or more, which some supplies have. */
      Sure: z.boolean().default(false),
    }),
    results: z.array(HomeTariff),
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['pricing'],
  }),
  listOffPeakDay: defineEndpoint({
    path: '/ListOffPeakDay',
    summary: "Off-peak days of a year in addition to Sundays: the published list, and the company's changes.",
    access: read,
    sites: 'company',
    input: z.object({ Year }),
    results: z.array(OffPeakEntry),
    shows: ['pricing'],
  }),
  updateOffPeakDay: defineEndpoint({
    path: '/UpdateOffPeakDay',
    summary:
      "Replaces the company's changes to the off-peak days of a year. Rejected if Seen is given and differs from the current ones.",
    access: update,
    sites: 'company',
    input: z.object({
      Year,
      Days: z
        .array(OwnDay)
        .max(366, 'tooBig')
        .superRefine((days, context) => {
          for (const [i, { Date }] of days.entries())
            if (days.findIndex((day) => day.Date === Date) < i)
              context.addIssue({ code: 'custom', path: [i, 'Date'], message: 'taken' })
        }),
      /** In chronological order. */
      Seen: z.array(OwnDay).max(366, 'tooBig').optional(),
    }),
    results: z.array(OffPeakEntry),
    errors: ['CONFLICT'],
    mutates: true,
    changes: ['pricing'],
  }),
  listPeakDay: defineEndpoint({
    path: '/ListPeakDay',
    summary:
      'Days of a year that Taipower announced as peak days of its plans with variable peak hours, as entered by the company.',
    access: read,
    sites: 'company',
    input: z.object({ Year }),
    results: PeakDayList,
    shows: ['pricing'],
  }),
  updatePeakDay: defineEndpoint({
    path: '/UpdatePeakDay',
    summary:
      'Replaces the announced peak days of a year: at most 30, Monday to Friday, from 16 May through 15 October. Days up to CompleteThrough that are not listed were not announced; CompleteThrough is no later than tomorrow. Rejected if Seen is given and differs from the current ones.',
    access: update,
    sites: 'company',
    input: z.object({
      Year,
      Days: z
        .array(PeakDay)
        .max(PEAK_DAYS_A_YEAR, 'tooBig')
        .superRefine((days, context) => {
          for (const [i, { Date }] of days.entries())
            if (days.findIndex((day) => day.Date === Date) < i)
              context.addIssue({ code: 'custom', path: [i, 'Date'], message: 'taken' })
        }),
      CompleteThrough: DateText.nullable(),
      /** In chronological order. */
      Seen: z.array(PeakDay).max(PEAK_DAYS_A_YEAR, 'tooBig').optional(),
    }),
    results: PeakDayList,
    errors: ['CONFLICT'],
    mutates: true,
    changes: ['pricing'],
  }),
  listCarbonFactor: defineEndpoint({
    path: '/ListCarbonFactor',
    summary: "Carbon factors by year, kg CO2e per kWh: the published ones, and the company's own.",
    access: read,
    sites: 'company',
    input: z.object({}),
    results: z.array(CarbonFactor.extend({ IsOwn: z.boolean() })),
    shows: ['pricing'],
  }),
  getCarbonRule: defineEndpoint({
    path: '/GetCarbonRule',
    summary:
      'Rule for the carbon factor of a company: 0.494 in every year, or the published factor of each year; when the published ones were last checked, and which year has none.',
    access: read,
    sites: 'company',
    input: z.object({}),
    results: CarbonRule.extend({
      /** Date on which the built-in factors were last compared with the published ones. */
      CheckedOn: DateText,
      /** Last year whose factor should be published but is neither built in nor entered; null if there is none. */
      Missing: Year.nullable(),
    }),
    shows: ['pricing'],
  }),
  updateCarbonRule: defineEndpoint({
    path: '/UpdateCarbonRule',
    summary:
      "Sets the rule for a company's carbon factor, also for past years. The company's own factors take precedence under either rule.",
    access: right('company', 'Update'),
    sites: 'company',
    input: CarbonRule,
    results: CarbonRule,
    mutates: true,
    changes: ['pricing'],
  }),
  updateCarbonFactor: defineEndpoint({
    path: '/UpdateCarbonFactor',
    summary:
      "Replaces the company's own carbon factors. Rejected if Seen is given and differs from the current ones.",
    access: update,
    sites: 'company',
    input: z.object({
      Factors: z
        .array(CarbonFactor)
        .max(101, 'tooBig')
        .superRefine((factors, context) => {
          for (const [i, { Year: year }] of factors.entries())
            if (factors.findIndex((factor) => factor.Year === year) < i)
              context.addIssue({ code: 'custom', path: [i, 'Year'], message: 'taken' })
        }),
      /** In chronological order. */
      Seen: z.array(CarbonFactor).max(101, 'tooBig').optional(),
    }),
    results: z.array(CarbonFactor.extend({ IsOwn: z.boolean() })),
    errors: ['CONFLICT'],
    mutates: true,
    changes: ['pricing'],
  }),
}
