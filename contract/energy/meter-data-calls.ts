import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { ENERGY } from '../kernel/entities.ts'
import { HomeID, MeterID, Millis } from '../kernel/scalars.ts'
import { FLOWS } from '../devices/meter-roles.ts'
import { SOURCES, USES } from './balance.ts'

/** Source of a factor: the company, the year's publication, the specification, or the publication for an earlier year. */
const CARBON_SOURCES = ['own', 'published', 'constant', 'latest'] as const
export type CarbonSource = (typeof CARBON_SOURCES)[number]

/** Bars of a summation (§7): hours of a day, days of a month, months of a year. */
export const PERIOD_TYPES = { hourly: 1, daily: 2, monthly: 4 } as const
export const PeriodType = z.union([z.literal(1), z.literal(2), z.literal(4)])
export type PeriodType = z.infer<typeof PeriodType>

/**
 * Number of 15-minute intervals of a period by how they are known; future intervals are not counted. For several meters they are added
 * up. Missing are the intervals that ended without data, from the day of a meter's first reading, for a removed meter until its last; the
 * running one is never missing. An interval with a quarantined reading is missing until a person decides, although the kWh derived from
 * the surrounding readings is included.
 */
export const Coverage = z.object({
  Measured: z.number().int().min(0),
  /** Distributed between two readings of a meter that reports on time, but less often than every 15 minutes. */
  Between: z.number().int().min(0),
  /** Distributed between two readings further apart than the meter's cadence, or than can be determined. */
  Estimated: z.number().int().min(0),
  /** Entered by a person, or imported. */
  Corrected: z.number().int().min(0),
  Missing: z.number().int().min(0),
  /** Missing intervals with a quarantined reading, also of a meter without any counted reading. */
  Withheld: z.number().int().min(0),
})
export type Coverage = z.infer<typeof Coverage>

/**
 * Energy of one period; cost and carbon are recomputed on each call (protocol, Energy). A running period contains what is known so far; a
 * future one is included with null and no coverage.
 */
export const EnergyPoint = z.object({
  /** First ms of the period. */
  Timestamp: Millis,
  /** Null if unknown: unknown is not zero. */
  kWh: z.number().nullable(),
  /**
   * NT$ of the energy, without monthly charges; null if no tariff is valid for a part of it. Monthly effects of tiers and surcharges on
   * the whole home are distributed in proportion to energy.
   */
  Cost: z.number().nullable(),
  /** kg CO2e; null if unknown. */
  CarbonKg: z.number().nullable(),
  Coverage,
  /** Number of times that a counter fell: meters replaced or reset within the period. */
  Resets: z.number().int().min(0),
})
export type EnergyPoint = z.infer<typeof EnergyPoint>

/** Points of a period, for one meter or a whole home (PeripheralUID null; sub-meters are not counted twice). */
export const Aggregation = z.object({
  TimeStart: Millis,
  TimeEnd: Millis,
  PeripheralUID: MeterID.nullable(),
  AggregationData: z.array(EnergyPoint),
})
export type Aggregation = z.infer<typeof Aggregation>

/**
 * Comparison periods: the preceding one, the same dates a year ago, the same weekdays 364 days ago (for months and years equal to
 * lastYear), or the same weekdays the smallest number of whole weeks earlier that does not overlap (for months and years equal to
 * previous). The last one is the fallback for a year ago without data.
 */
const COMPARED_WITH = ['previous', 'lastYear', 'lastYearWeekday', 'weekBefore'] as const
export const ComparedWith = z.enum(COMPARED_WITH)
export type ComparedWith = z.infer<typeof ComparedWith>

/** Comparison that was used. */
export const ComparisonResult = z.object({
  With: ComparedWith,
  /**
   * For the days of a month: kWh of the compared month projected onto this month's calendar. Each elapsed day gets the mean of the
   * compared month's days of its type (weekday, Saturday, off-peak day). Null if a type has no known day; empty for other periods.
   */
  Adjusted: z.array(z.object({ PeripheralUID: MeterID.nullable(), kWh: z.number().nullable() })),
})
export type ComparisonResult = z.infer<typeof ComparisonResult>

/**
 * Divisions of a home's energy. By meter, room, use and category, the lines consist of the lowest-level meters, each in its present place;
 * energy of main meters that no sub-meter measured is 'untracked', so that all lines add up to the home. It is negative if sub-meters
 * count more than their parent: a fault of wiring or assignment. By source, energy is divided by origin ('generation', 'discharge',
 * 'import'); 'import' carries all cost and emissions of the home.
 */
export const GROUPINGS = ['home', 'meter', 'room', 'use', 'category', 'band', 'source'] as const
export const Grouping = z.enum(GROUPINGS)
export type Grouping = z.infer<typeof Grouping>

/** One line or stack of a chart. */
export const EnergySeries = z.object({
  /**
   * '' for the home, a PeripheralUID, a RoomID, one of METER_USES ('unknown' if neither the fact nor the name of a meter states its
   * use), a category ('unknown' for meters removed long ago), a band of the tariff ('none' without a valid tariff), a source;
   * 'untracked' for energy that no sub-meter measured. A virtual meter has its own id.
   */
  Key: z.string(),
  Points: z.array(EnergyPoint),
})
export type EnergySeries = z.infer<typeof EnergySeries>

/** Energy that entered and left a site in a period, kWh, each 0 or above; null if unknown, or if the site has no such meter. */
export const BalancePoint = z.object({
  /** First ms of the period. */
  Timestamp: Millis,
  /** Import + Generation + Discharge − Export − Charge over the quarter-hours in which all are known; negative in case of a fault. */
  Consumption: z.number().nullable(),
  /** Without an import meter, an estimate: what the loads needed beyond the other terms. */
  Import: z.number().nullable(),
  Export: z.number().nullable(),
  Generation: z.number().nullable(),
  Discharge: z.number().nullable(),
  Charge: z.number().nullable(),
  /**
   * Energy exported and charged beyond what came in, per quarter-hour, or energy that came in without an import meter and has no use:
   * unsynchronized meter clocks, or a fault. Included in Consumption with its sign. Null for a site without a balance.
   */
  Unexplained: z.number().nullable(),
  /** Energy of plants that sell all of it; not part of the balance. */
  Sold: z.number().nullable(),
  /** Coverage of the consumption; null for a site without meters. */
  Coverage: Coverage.nullable(),
})
export type BalancePoint = z.infer<typeof BalancePoint>

/** Maximum number of meters in an answer, and of points of each. */
export const MAX_SERIES_METERS = 1_000
export const MAX_SERIES_POINTS = 3_000
/** Maximum number of points in all lines of an answer. */
export const MAX_ANSWER_POINTS = 200_000

/** State of a meter after its last reading (§3 History status per meter, §4 Live data rules). Energies in kWh. */
export const HistoryStatus = z.object({
  PeripheralUID: MeterID,
  HomeID,
  /** Time of the last reading; null before the first. */
  LastUpdateTimestamp: Millis.nullable(),
  /** Energy of the current local hour, day and month; null if the last reading is older. */
  HourlyKwh: z.number().nullable(),
  DailyKwh: z.number().nullable(),
  MonthlyKwh: z.number().nullable(),
  AccumulatePower: z.number().nullable(),
  AvgElectricCurrent: z.number().nullable(),
  /** W. */
  Power: z.number().nullable(),
  PowerMeterUpdateFrequency: z.number().int(),
  /** Whether the last reading is younger than the update frequency (§4). */
  IsCurrent: z.boolean(),
})
export type HistoryStatus = z.infer<typeof HistoryStatus>

/**
 * Whether a stored reading counts: counted by itself, accepted by a person, waiting for a decision, dropped by a person, or explained by
 * the surrounding readings (a counter that read 0 for a while, or a clock that was not set).
 */
export const ReadingState = z.enum(['counted', 'accepted', 'withheld', 'dropped', 'explained'])

/** One stored reading with the time since the previous one (§3 History log rows). */
export const HistoryRow = z.object({
  /** Time of the previous reading that counts; null for the first. */
  StartTime: Millis.nullable(),
  /** Seconds between the two. */
  AccumulationTime: z.number().nullable(),
  Timestamp: Millis,
  AccumulatePower: z.number(),
  /** Energy between the two; null for the first reading, if the counter fell, and for a reading that does not count. */
  kWh: z.number().nullable(),
  Power: z.number().nullable(),
  AvgElectricCurrent: z.number().nullable(),
  Voltage: z.number().nullable(),
  PowerFactor: z.number().nullable(),
  State: ReadingState,
})
export type HistoryRow = z.infer<typeof HistoryRow>

/** Number of existing meters behind an answer that gave a current reading (§4), and their total. */
const Reporting = z.object({ Reporting: z.number().int(), Total: z.number().int() })

/**
 * Percentage of the answer's meter-days whose energy is computed while bulk readings (a year's backfill, an import) are pending; omitted
 * if nothing is pending. Until then, values cover what is computed: a sum is a lower bound.
 */
export const ComputedPercent = z.number().int().min(0).max(99).optional()

/** Lowest `ComputedPercent` of several answers; undefined if nothing is pending in any. */
export const leastComputed = (percents: readonly (number | undefined)[]): number | undefined => {
  const known = percents.filter((percent) => percent !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

/**
 * Factor behind a year's CarbonKg, kg CO2e per kWh, and its source (`carbon.ts`).
 *
 * Of  year of publication; null for a company's own factor
 */
export const CarbonFactorUsed = z.object({
  Year: z.number().int(),
  Factor: z.number(),
  Source: z.enum(CARBON_SOURCES),
  Of: z.number().int().nullable(),
})
/** Factors of the years that an answer touches, in order. */
const Carbon = z.array(CarbonFactorUsed)

const PeriodSum = z.object({
  kWh: z.number(),
  /** NT$; null if a part of it has no tariff. */
  Cost: z.number().nullable(),
  Coverage,
})

const read = right('electricity', 'Read')

/** Options of a call that returns energy values: readings arrive continuously, without one event each. */
export const energyFigures = { shows: ENERGY, freshFor: 60_000 } as const

export const meterData = {
  getAggregationSummationData: defineEndpoint({
    path: '/GetAggregationSummationData',
    summary:
      'Energy of a home or of some meters by hours of a day (PeriodType 1), days of a month (2) or months of a year (4); with Compare, also of another period. Without data of the year before, a day is compared with the same weekday of the week before, a month or year with the previous one.',
    access: read,
    input: z.object({
      HomeID,
      PeriodType,
      /** Any time within the period; now if omitted. */
      Timestamp: Millis.optional(),
      /** True: a day with the same weekday a year ago, a month or a year with the preceding one. */
      Compare: z.union([z.boolean(), ComparedWith]).default(false),
      /** If omitted, the whole home. May include virtual meters. */
      PeripheralUIDs: z.array(MeterID).min(1).max(MAX_SERIES_METERS).optional(),
    }),
    results: z.object({
      AggregationDataList: z.array(Aggregation),
      /** Null without Compare. */
      Compared: ComparisonResult.nullable(),
      Meters: Reporting,
      /** Includes the compared period. */
      ComputedPercent,
      Carbon,
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getEnergySeries: defineEndpoint({
    path: '/GetEnergySeries',
    summary:
      'Energy of a home over any range in any resolution, as a total or divided; with Compare, also of another range. Without data of the year before, the month before or the same days of the week before are used for comparison.',
    access: read,
    input: z.object({
      HomeID,
      /** Returns the whole periods that the range touches. */
      From: Millis,
      /** Exclusive; at most 3,000 points lie between. */
      To: Millis,
      Resolution: z.enum(['quarter', 'hour', 'day', 'month']),
      By: Grouping.default('home'),
      /** Flow of the home as a whole, or by band; a division is always of the consumption. */
      Flow: z.enum(FLOWS).default('consumption'),
      /** Whole months are compared with whole months, other ranges with as many days. True: with the preceding range. */
      Compare: z.union([z.boolean(), ComparedWith]).default(false),
      /** Restricts the answer to these meters, each counted by itself; may include virtual ones. Not by source. */
      PeripheralUIDs: z.array(MeterID).min(1).max(MAX_SERIES_METERS).optional(),
    }),
    results: z.object({
      Series: z.array(EnergySeries),
      /** Omitted without Compare. */
      Compared: z
        .object({
          With: ComparedWith,
          /** As From and To. */
          From: Millis,
          To: Millis,
          Series: z.array(EnergySeries),
        })
        .optional(),
      Meters: Reporting,
      /** Includes the compared period. */
      ComputedPercent,
      /** Covers the years of both periods. */
      Carbon,
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getCompanyEnergy: defineEndpoint({
    path: '/GetCompanyEnergy',
    summary:
      'Energy of all homes of the company together, by 15 minutes, as far as it is known: Coverage counts what is missing of homes with meters. Homes without meters are omitted.',
    access: read,
    sites: 'mixed',
    input: z.object({
      From: Millis,
      /** Exclusive; at most 3,000 points lie between. */
      To: Millis,
    }),
    results: z.object({
      Points: z.array(EnergyPoint.pick({ Timestamp: true, kWh: true, Coverage: true })),
      /** Number of homes included. */
      Homes: z.number().int().min(0),
      Meters: Reporting,
      /** Percentage of the least computed home. */
      ComputedPercent,
    }),
    ...energyFigures,
  }),
  getEnergyBalance: defineEndpoint({
    path: '/GetEnergyBalance',
    summary:
      'Energy balance of a home over any range: energy received, used, sold and stored, and the uses of each source. A home without balance meters returns its consumption, and HasBalance false.',
    access: read,
    input: z.object({
      HomeID,
      /** Returns the whole periods that the range touches. */
      From: Millis,
      /** Exclusive; at most 3,000 points lie between. */
      To: Millis,
      Resolution: z.enum(['quarter', 'hour', 'day', 'month']),
    }),
    results: z.object({
      HasBalance: z.boolean(),
      IsImportMeasured: z.boolean(),
      Points: z.array(BalancePoint),
      /** Flows of the whole range in kWh, over the quarter-hours with a known balance. */
      Flows: z.array(z.object({ From: z.enum(SOURCES), To: z.enum(USES), kWh: z.number().min(0) })),
      /** Physically impossible part of the flows: bought energy that is sold, a battery that charges itself. */
      PassThrough: z.number().min(0),
      /** Share of the generation that was not sold, 0 to 1; null if nothing was generated. */
      SelfConsumption: z.number().nullable(),
      /** Share of the consumption that was not bought, 0 to 1; null without consumption or balance. */
      SelfSufficiency: z.number().nullable(),
      Meters: Reporting,
      ComputedPercent,
      Carbon,
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getDailySummationData: defineEndpoint({
    path: '/GetDailySummationData',
    summary: 'Energy of whole days, today last, of one home or of each home of the company.',
    access: read,
    sites: 'mixed',
    input: z.object({ HomeID: HomeID.optional(), Days: z.number().int().min(1).max(400).default(31) }),
    results: z.array(
      z.object({ HomeID, Days: z.array(EnergyPoint), Meters: Reporting, ComputedPercent, Carbon }),
    ),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getMonthBesideYear: defineEndpoint({
    path: '/GetMonthBesideYear',
    summary:
      'Energy of all homes of the company on the past days of this month, compared with the same dates of last year; for each home, only days with data in both years.',
    access: read,
    sites: 'mixed',
    input: z.object({}),
    results: z.object({
      /** Number of days that have ended in every home: 0 on the first of a month. */
      Days: z.number().int().min(0),
      /** Homes with a known day in both years, and all homes with meters. */
      Homes: z.object({ Compared: z.number().int(), Total: z.number().int() }),
      /** Whether days of these homes were left out because either year has too little data. */
      Partly: z.boolean(),
      /** Null if no home can be compared. */
      Now: PeriodSum.nullable(),
      Before: PeriodSum.nullable(),
      /** Percentage of the least computed home. */
      ComputedPercent,
    }),
    ...energyFigures,
  }),
  getAllMeterData: defineEndpoint({
    path: '/GetAllMeterData',
    summary:
      'Every meter of a home or of the company, with its last reading and its totals of the hour, day and month.',
    access: read,
    sites: 'mixed',
    input: z.object({ HomeID: HomeID.optional() }),
    results: z.array(HistoryStatus),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getHistoryStatusData: defineEndpoint({
    path: '/GetHistoryStatusData',
    summary: 'The stored readings of one meter, oldest first, page by page.',
    access: right('history', 'Read'),
    input: z.object({
      HomeID,
      PeripheralUID: MeterID,
      From: Millis,
      To: Millis,
      Cursor: Millis.optional(),
      Limit: z.number().int().min(1).max(10_000).default(1_000),
    }),
    results: z.object({ Rows: z.array(HistoryRow), NextCursor: Millis.nullable() }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getLastHistoryStatusData: defineEndpoint({
    path: '/GetLastHistoryStatusData',
    summary: 'The last status of some meters, or of all of a home.',
    access: right('history', 'Read'),
    input: z.object({
      HomeID,
      PeripheralUIDs: z.array(MeterID).min(1).max(MAX_SERIES_METERS).optional(),
    }),
    results: z.array(HistoryStatus),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
}
