import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { ENERGY } from '../kernel/entities.ts'
import { HomeID, MeterID, Millis } from '../kernel/scalars.ts'
import { SOURCES, USES } from './balance.ts'
import { FLOWS } from '../devices/meter-roles.ts'
import { CARBON_SOURCES } from '../tariffs/carbon.ts'

/** What the bars of a summation are (§7): the hours of a day, the days of a month, the months of a year. */
export const PERIOD_TYPES = { hourly: 1, daily: 2, monthly: 4 } as const
export const PeriodType = z.union([z.literal(1), z.literal(2), z.literal(4)])
export type PeriodType = z.infer<typeof PeriodType>

/**
 * How many 15-minute intervals of a period are known, and how: what is to come is none of these. Of several meters they
 * are added up. Missing are those that ended without being told of, from the day of a meter's first reading on, for a
 * removed meter until its last; the running one is never missing. An interval with a quarantined reading is missing until a
 * person decides, though the kWh that the readings around it say of it are added up.
 */
export const Coverage = z.object({
  Measured: z.number().int().min(0),
  /** Shared between two readings of a meter that reports less often than every 15 minutes, but on time. */
  Between: z.number().int().min(0),
  /** Shared between two readings further apart than the meter's cadence, or than that can be told. */
  Estimated: z.number().int().min(0),
  /** Said by a person, or brought by an import. */
  Corrected: z.number().int().min(0),
  Missing: z.number().int().min(0),
  /** Those of the missing of which a reading is quarantined, also of a meter of which nothing counts yet. */
  Withheld: z.number().int().min(0),
})
export type Coverage = z.infer<typeof Coverage>

/**
 * Energy of one period; money and carbon are computed again at each call (protocol, Energy). A period that has not ended
 * holds what is known so far; one that has not begun is there too, with null and no coverage.
 */
export const EnergyPoint = z.object({
  /** The first ms of the period. */
  Timestamp: Millis,
  /** Null where nothing of it is known: nothing is not zero. */
  kWh: z.number().nullable(),
  /**
   * NT$ of the energy, without what is charged by the month as such; null where no tariff holds for a part of it. What
   * tiers and surcharges come to in a month, of the home as a whole, is shared in proportion to energy.
   */
  Cost: z.number().nullable(),
  /** kg CO2e; null where nothing is known. */
  CarbonKg: z.number().nullable(),
  Coverage,
  /** How many times a counter fell: meters replaced or reset within it. */
  Resets: z.number().int().min(0),
})
export type EnergyPoint = z.infer<typeof EnergyPoint>

/** A period's points, of one meter or of a whole home (PeripheralUID null; sub-meters are not counted twice). */
export const Aggregation = z.object({
  TimeStart: Millis,
  TimeEnd: Millis,
  PeripheralUID: MeterID.nullable(),
  AggregationData: z.array(EnergyPoint),
})
export type Aggregation = z.infer<typeof Aggregation>

/**
 * With what a period is compared: the one before it, the same dates a year ago, the same days of the week, 364 days ago
 * (of months and years the same as lastYear), or the same days of the week as few whole weeks before as do not overlap (of
 * months and years the same as previous). The last stands in for a year ago of which nothing is known.
 */
export const COMPARED_WITH = ['previous', 'lastYear', 'lastYearWeekday', 'weekBefore'] as const
export const ComparedWith = z.enum(COMPARED_WITH)
export type ComparedWith = z.infer<typeof ComparedWith>

/** With what a period was compared in the end. */
export const ComparisonResult = z.object({
  With: ComparedWith,
  /**
   * Of the days of a month, kWh of the compared month on the calendar of this one: each day that has ended with the mean of
   * the compared month's days of its kind (weekday, Saturday, off-peak day). Null where a kind has none that is known; empty
   * for other periods.
   */
  Adjusted: z.array(z.object({ PeripheralUID: MeterID.nullable(), kWh: z.number().nullable() })),
})
export type ComparisonResult = z.infer<typeof ComparisonResult>

/**
 * What a home's energy may be divided by. By meter, room and category, the lines are those of meters with no other below
 * them, each where it is today; what main meters counted beyond them is 'untracked', so that all lines add up to the home.
 * That is below 0 when sub-meters count more than the meter above them: a fault of wiring or assignment. By source they are where the
 * energy came from: what was generated, came out of a battery or was bought ('generation', 'discharge', 'import'), which bears all that
 * a home pays and emits.
 */
export const GROUPINGS = ['home', 'meter', 'room', 'category', 'band', 'source'] as const
export const Grouping = z.enum(GROUPINGS)
export type Grouping = z.infer<typeof Grouping>

/** One line or stack of a chart. */
export const EnergySeries = z.object({
  /**
   * '' for the home, a PeripheralUID, a RoomID, a category ('unknown' of meters removed long ago), a band of the tariff
   * ('none' where no tariff holds), a source; 'untracked' what no sub-meter saw. A virtual meter stands under its own id.
   */
  Key: z.string(),
  Points: z.array(EnergyPoint),
})
export type EnergySeries = z.infer<typeof EnergySeries>

/**
 * What came into a site in a period and went out of it, kWh, each 0 or above; null where nothing of it is known, or the site has no
 * meter of it.
 */
export const BalancePoint = z.object({
  /** The first ms of the period. */
  Timestamp: Millis,
  /** Import + Generation + Discharge − Export − Charge, of the quarters of an hour of which all are known; below 0 in a fault. */
  Consumption: z.number().nullable(),
  /** Without an import meter an estimate: what the loads needed beyond the rest. */
  Import: z.number().nullable(),
  Export: z.number().nullable(),
  Generation: z.number().nullable(),
  Discharge: z.number().nullable(),
  Charge: z.number().nullable(),
  /**
   * What more was sold and charged than came in, quarter by quarter, or came in without an import meter and went nowhere: clocks of
   * two meters, or a fault. It is in Consumption with its sign. Null of a site without a balance.
   */
  Unexplained: z.number().nullable(),
  /** Of plants all of whose energy is sold: in no balance. */
  Sold: z.number().nullable(),
  /** Of the consumption; null of a site without meters. */
  Coverage: Coverage.nullable(),
})
export type BalancePoint = z.infer<typeof BalancePoint>

/** At most so many meters in one answer, and so many points of each. */
export const MAX_SERIES_METERS = 1_000
export const MAX_SERIES_POINTS = 3_000
/** At most so many points in all lines of an answer together. */
export const MAX_ANSWER_POINTS = 200_000

/** A meter as its last reading leaves it (§3 History status per meter, §4 Live data rules). Energies in kWh. */
export const HistoryStatus = z.object({
  PeripheralUID: MeterID,
  HomeID,
  /** When its last reading was taken; null before the first. */
  LastUpdateTimestamp: Millis.nullable(),
  /** Of the current hour, day and month of the home's clock; null when the last reading is from before. */
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
 * Whether a stored reading counts: it does, by itself or by a person's word; it waits for one; a person dropped it; or the readings
 * around it explain it: a counter that read 0 for a while, or a clock that was not set.
 */
export const ReadingState = z.enum(['counted', 'accepted', 'withheld', 'dropped', 'explained'])

/** One stored reading with the time since the one before it (§3 History log rows). */
export const HistoryRow = z.object({
  /** When the last reading before it that counts was taken; null for the first. */
  StartTime: Millis.nullable(),
  /** Seconds between the two. */
  AccumulationTime: z.number().nullable(),
  Timestamp: Millis,
  AccumulatePower: z.number(),
  /** Counted between the two; null for the first, where the counter fell, and of a reading that does not count. */
  kWh: z.number().nullable(),
  Power: z.number().nullable(),
  AvgElectricCurrent: z.number().nullable(),
  Voltage: z.number().nullable(),
  PowerFactor: z.number().nullable(),
  State: ReadingState,
})
export type HistoryRow = z.infer<typeof HistoryRow>

/** How many of the meters that an answer is made of, and that are still there, gave a current reading (§4), of how many. */
export const Reporting = z.object({ Reporting: z.number().int(), Total: z.number().int() })

/**
 * Percent of the meter-days of an answer whose energy is computed, while readings that came at once (a year's backfill, an import) wait
 * to be; left out if nothing of them waits. Meanwhile figures are those of what is computed: a sum is at least that much.
 */
export const ComputedPercent = z.number().int().min(0).max(99).optional()

/** The `ComputedPercent` of several answers together: the lowest; undefined if nothing of any waits. */
export const leastComputed = (percents: readonly (number | undefined)[]): number | undefined => {
  const known = percents.filter((percent) => percent !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

/**
 * The factor that CarbonKg of a year counts by, kg CO2e per kWh, and where it comes from (`carbon.ts`).
 *
 * Of  the year that it was published for; null of a company's own
 */
export const CarbonFactorUsed = z.object({
  Year: z.number().int(),
  Factor: z.number(),
  Source: z.enum(CARBON_SOURCES),
  Of: z.number().int().nullable(),
})
/** Of each year that an answer touches, in order. */
const Carbon = z.array(CarbonFactorUsed)

/** What was used in a time, and how well that is known. */
const PeriodSum = z.object({
  kWh: z.number(),
  /** NT$; null where a part of it has no tariff. */
  Cost: z.number().nullable(),
  Coverage,
})

const read = right('electricity', 'Read')

/** Of a call that answers figures of energy: readings come in all the time, and no event tells of each. */
export const energyFigures = { shows: ENERGY, freshFor: 60_000 } as const

export const meterData = {
  getAggregationSummationData: defineEndpoint({
    path: '/GetAggregationSummationData',
    summary:
      'Energy of a home or of some meters by hours of a day (PeriodType 1), days of a month (2) or months of a year (4); with Compare, of another period too. Without data of a year ago, a day is compared with the same weekday of the week before, a month or a year with the one before.',
    access: read,
    input: z.object({
      HomeID,
      PeriodType,
      /** Any moment of the period; now when left out. */
      Timestamp: Millis.optional(),
      /** True: a day with the same day of the week a year ago, a month or a year with the one before. */
      Compare: z.union([z.boolean(), ComparedWith]).default(false),
      /** Left out: the home as a whole. Virtual meters may be among them. */
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
      'Energy of a home over any range in any resolution, whole or divided; with Compare, of another range too. Where nothing is known of a year ago, the month before or the same days of the week before are compared with instead.',
    access: read,
    input: z.object({
      HomeID,
      /** The whole periods are answered that the range touches. */
      From: Millis,
      /** Exclusive; at most 3,000 points lie between. */
      To: Millis,
      Resolution: z.enum(['quarter', 'hour', 'day', 'month']),
      By: Grouping.default('home'),
      /** What goes through the home as a whole, or by band; a division is always of the consumption. */
      Flow: z.enum(FLOWS).default('consumption'),
      /** Whole months are compared with whole months, other ranges with as many days. True: with the range before. */
      Compare: z.union([z.boolean(), ComparedWith]).default(false),
      /** Only of these meters, each counted as itself; also virtual ones. Not by source. */
      PeripheralUIDs: z.array(MeterID).min(1).max(MAX_SERIES_METERS).optional(),
    }),
    results: z.object({
      Series: z.array(EnergySeries),
      /** Left out without Compare. */
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
      /** Of the years of both. */
      Carbon,
    }),
    errors: ['NOT_FOUND'],
    ...energyFigures,
  }),
  getCompanyEnergy: defineEndpoint({
    path: '/GetCompanyEnergy',
    summary:
      'Energy of all homes of the company together, by 15 minutes: a moment of which a home with meters knows nothing has null, a home without any is left out.',
    access: read,
    input: z.object({
      From: Millis,
      /** Exclusive; at most 3,000 points lie between. */
      To: Millis,
    }),
    results: z.object({
      Points: z.array(EnergyPoint.pick({ Timestamp: true, kWh: true, Coverage: true })),
      /** Homes that are counted in. */
      Homes: z.number().int().min(0),
      Meters: Reporting,
      /** Percentage of the home with the least computed. */
      ComputedPercent,
    }),
    ...energyFigures,
  }),
  getEnergyBalance: defineEndpoint({
    path: '/GetEnergyBalance',
    summary:
      'What came into a home over any range, what it used, sold and stored, and where the energy of each source went. A home without meters of a balance answers its consumption, and HasBalance false.',
    access: read,
    input: z.object({
      HomeID,
      /** The whole periods are answered that the range touches. */
      From: Millis,
      /** Exclusive; at most 3,000 points lie between. */
      To: Millis,
      Resolution: z.enum(['quarter', 'hour', 'day', 'month']),
    }),
    results: z.object({
      HasBalance: z.boolean(),
      IsImportMeasured: z.boolean(),
      Points: z.array(BalancePoint),
      /** Of the whole range, kWh; of the quarters of an hour of which the balance is known. */
      Flows: z.array(z.object({ From: z.enum(SOURCES), To: z.enum(USES), kWh: z.number().min(0) })),
      /** Of them what physics forbids: bought energy that is sold, a battery that charges itself. */
      PassThrough: z.number().min(0),
      /** Which part of what was generated was not sold, 0 to 1; null where nothing was. */
      SelfConsumption: z.number().nullable(),
      /** Which part of what was used was not bought, 0 to 1; null where nothing was used, or without a balance. */
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
      'What the days of this month that have ended used in all homes of the company, beside the same dates of last year: of each home the days that are known of both.',
    access: read,
    input: z.object({}),
    results: z.object({
      /** How many days have ended in every home: 0 on the first of a month. */
      Days: z.number().int().min(0),
      /** Homes of which a day is known of both, of all that have meters. */
      Homes: z.object({ Compared: z.number().int(), Total: z.number().int() }),
      /** Whether days of these homes were left out because either year hardly knows them. */
      Partly: z.boolean(),
      /** Null where no home can be compared. */
      Now: PeriodSum.nullable(),
      Before: PeriodSum.nullable(),
      /** Percentage of the home with the least computed. */
      ComputedPercent,
    }),
    ...energyFigures,
  }),
  getAllMeterData: defineEndpoint({
    path: '/GetAllMeterData',
    summary:
      'Every meter of a home, or of the company: its last reading and its totals of hour, day and month.',
    access: read,
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
