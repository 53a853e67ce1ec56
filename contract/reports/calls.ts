import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { ENERGY } from '../kernel/entities.ts'
import { CognitoId, HomeID, Language, Millis } from '../kernel/scalars.ts'
import { FINDING_KINDS } from '../findings/finding-life.ts'
import { PriceReview } from '../tariffs/price-review.ts'
import { DateText } from '../time/date-text.ts'
import { bills } from '../tariffs/bill-calls.ts'
import { BalancePoint, CarbonFactorUsed, ComputedPercent, Coverage } from '../energy/meter-data-calls.ts'

/**
 * Kinds of reports.
 *
 * monthly  a month of a site, or of every site of the company: `2026-10`
 * carbon   a year of Scope 2: `2026`
 */
export const REPORT_KINDS = ['monthly', 'carbon'] as const
export const ReportKind = z.enum(REPORT_KINDS)
export type ReportKind = z.infer<typeof ReportKind>

/** Kinds that can be closed: stored unchanged, regardless of later data. */
export const CLOSABLE_KINDS = ['carbon'] as const

/** Month or year in local time, depending on the kind. */
export const ReportPeriod = z.string().regex(/^20\d\d(-(0[1-9]|1[0-2]))?$/, 'invalid')

/** Scope of a report: a home, or with null every home of the company. */
const Whose = { HomeID: HomeID.nullable(), Kind: ReportKind, Period: ReportPeriod }

const Share = z.number().min(0).max(1)

/** Value and that of the year before; null if unknown. */
export const ComparedFigure = z.object({
  Now: z.number().nullable(),
  Before: z.number().nullable(),
  /** Relative change from Before to Now; null if either is not complete enough. */
  Change: z.number().nullable(),
  /** Precision in which it may be shown: exact, approximate, or not at all (`percentageOf`). */
  Said: z.enum(['plain', 'about', 'none']),
})
export type ComparedFigure = z.infer<typeof ComparedFigure>

export const ReportFigures = z.object({
  kWh: ComparedFigure,
  /** NT$ of the energy, without monthly charges. */
  Cost: ComparedFigure,
  /** kg CO2e of purchased energy. */
  CarbonKg: ComparedFigure,
  /** Complete share of its time, and of the year before: as `completeShare`, with days before the first reading counted as unknown. */
  Complete: Share,
  CompleteBefore: Share,
})

const Site = z.object({ HomeID, HomeName: z.string(), TimeZone: z.string() })

/** Line of a ranking, largest first. */
export const RankedLine = z.object({
  /** RoomID or PeripheralUID; `untracked` for energy that no sub-meter measured; `rest` for lines beyond the first ten. */
  Key: z.string(),
  /** Null if it has none, or was deleted. */
  Name: z.string().nullable(),
  kWh: z.number(),
  /** Share of the total; null if the total is zero. */
  Share: z.number().nullable(),
  Cost: z.number().nullable(),
  Complete: Share,
})
export type RankedLine = z.infer<typeof RankedLine>

/** One of a site's largest findings. */
export const ReportedFinding = z.object({
  FindingID: z.string(),
  HomeID,
  Kind: z.enum(FINDING_KINDS),
  Place: z.string().nullable(),
  /** NT$ a month; null without a price. */
  Amount: z.number().nullable(),
})
export type ReportedFinding = z.infer<typeof ReportedFinding>

/** Further content of a monthly report of one site. */
export const SiteDetail = z.object({
  Days: z.array(z.object({ Date: DateText, kWh: z.number().nullable(), Before: z.number().nullable() })),
  /** Null if unknown. */
  Demand: z
    .object({
      PeakKw: z.number(),
      At: Millis,
      /** Contract limit at that time, kW; null without a contract. */
      Limit: z.number().nullable(),
      /** Whether the peak is only a lower bound, because too few quarter-hours of the month were measured. */
      IsAtLeast: z.boolean(),
    })
    .nullable(),
  /** Bill that ended in the month, or else the one running at its end. */
  Bill: bills.getBill.results.extend({ IsOver: z.boolean() }),
  Rooms: z.array(RankedLine),
  Machines: z.array(RankedLine),
  /** Null for a site without generation or storage. */
  Balance: BalancePoint.pick({
    Consumption: true,
    Import: true,
    Export: true,
    Generation: true,
    Discharge: true,
    Charge: true,
  })
    .extend({ SelfConsumption: z.number().nullable(), SelfSufficiency: z.number().nullable() })
    .nullable(),
  /** Coverage of the consumption. */
  Coverage,
  /** Number of times that a counter fell: meters replaced or reset. */
  Resets: z.number().int(),
})
export type SiteDetail = z.infer<typeof SiteDetail>

const Head = {
  Period: ReportPeriod,
  Language,
  HomeID: HomeID.nullable(),
  Company: z.string(),
  /** Time of computation; later readings are not included. */
  AsOf: Millis,
  /** Percentage of the least computed site. */
  ComputedPercent,
  /**
   * Last year up to that of the report whose carbon factor should be published but is neither built in nor entered; omitted if there is
   * none.
   */
  MissingFactor: z.number().int().optional(),
}

export const MonthlyReport = z.object({
  Kind: z.literal('monthly'),
  ...Head,
  /** Whole elapsed days, both inclusive; null if there are none. */
  From: DateText.nullable(),
  Through: DateText.nullable(),
  IsOver: z.boolean(),
  /** Sum of all sites; Cost is null if one of them has no price. */
  Total: ReportFigures,
  Sites: z.array(Site.extend({ Figures: ReportFigures, Alarms: z.number().int() })),
  /** Only in a report of one site. */
  Detail: SiteDetail.nullable(),
  /** Number of alarms raised, of critical ones among them, and of those still open. */
  Alarms: z.object({ Raised: z.number().int(), Critical: z.number().int(), Open: z.number().int() }),
  Findings: z.array(ReportedFinding),
  Carbon: z.array(CarbonFactorUsed),
  /** Age of the built-in plans' prices valid in the month; omitted if none is valid. */
  Prices: PriceReview.optional(),
  /**
   * Energy used from generation and storage, and energy bought for storage or sale, kWh, of the sites whose emissions are not their
   * energy × the factor; omitted if there is no such site.
   */
  OwnEnergy: z.object({ Used: z.number(), Stored: z.number() }).optional(),
})
export type MonthlyReport = z.infer<typeof MonthlyReport>

/** Scope 2 methods: location-based, with the grid average. */
export const SCOPE2_METHODS = ['location'] as const

/** Reason that a year cannot be closed yet. `Have` is the complete share of a month. */
export const ReportGap = z.object({
  Reason: z.enum(['notOver', 'noData', 'computing', 'coverage', 'factor']),
  HomeID: HomeID.nullable(),
  Month: z.string().nullable(),
  Have: Share.nullable(),
})
export type ReportGap = z.infer<typeof ReportGap>

const Sum = {
  /** Purchased energy; null if unknown. */
  kWh: z.number().nullable(),
  /**
   * Complete share of a month; of a site, of the elapsed year, with the time before its first reading as unknown; in total, the mean of
   * the sites.
   */
  Complete: Share,
  /** Share of the time that was entered by a person or imported. */
  Corrected: Share,
  /** kg CO2e, kWh × factor. */
  CarbonKg: z.number().nullable(),
}

export const CarbonReport = z.object({
  Kind: z.literal('carbon'),
  ...Head,
  Method: z.enum(SCOPE2_METHODS),
  Factor: CarbonFactorUsed,
  ...Sum,
  Sites: z.array(
    Site.extend({
      ...Sum,
      /** First day with data if later than the first of the year; earlier days are not counted. */
      Since: DateText.nullable(),
      /** Months of the year that have begun; IsMetered is whether there was a meter. */
      Months: z.array(z.object({ Month: z.string(), IsMetered: z.boolean(), ...Sum })),
    }),
  ),
  /** Empty if the report can be closed, or is. */
  Lacks: z.array(ReportGap),
  /** Whether the report is provisional: data is missing, or its factor is that of an earlier year. */
  IsProvisional: z.boolean(),
  /** For a closed report, which is a stored copy; null for an open one. */
  Closed: z
    .object({
      At: Millis,
      By: CognitoId,
      ByName: z.string(),
      /** SHA-256 of the stored copy, in hex. */
      Hash: z.string(),
      /** Whether the copy still matches the hash. */
      IsIntact: z.boolean(),
      /** Totals that the report would have now; null if unchanged. */
      Differs: z.object({ kWh: z.number().nullable(), CarbonKg: z.number().nullable() }).nullable(),
    })
    .nullable(),
})
export type CarbonReport = z.infer<typeof CarbonReport>

export const Report = z.discriminatedUnion('Kind', [MonthlyReport, CarbonReport])
export type Report = z.infer<typeof Report>

/** Reasons to skip a recipient: no right to read electricity, or deleted or disabled. */
export const DELIVERY_SKIP_REASONS = ['right', 'gone'] as const

/** Minimum completeness of each month of a closed carbon report. */
export const CLOSED_COMPLETE = 0.95

/** Maximum number of recipients of an email or plan. */
export const MAX_REPORT_RECIPIENTS = 50

const Closable = { ...Whose, Kind: z.enum(CLOSABLE_KINDS) }

export const reports = {
  getReport: defineEndpoint({
    path: '/GetReport',
    summary:
      'Figures of a report, each with its coverage, factor, source and time of computation. A closed report returns the stored figures and the present ones for comparison.',
    access: right('electricity', 'Read'),
    sites: 'orCompany',
    input: z.object({ ...Whose, Language: Language.default('zh-TW') }),
    results: Report,
    errors: ['NOT_FOUND'],
    shows: [...ENERGY, 'room', 'alarm', 'company', 'report'],
    freshFor: 60_000,
  }),
  closeReport: defineEndpoint({
    path: '/CloseReport',
    summary:
      'Closes a report: stores its present figures, with a hash. Rejected while a month has less than 95 % of its data, while the year is not over, and while its factor is of an earlier year (INVALID names what is missing).',
    access: right('electricity', 'Update'),
    sites: 'orCompany',
    input: z.object(Closable),
    results: CarbonReport,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['report'],
  }),
  reopenReport: defineEndpoint({
    path: '/ReopenReport',
    summary: 'Reopens a closed report; the stored copy remains in the database, for the audit.',
    access: right('electricity', 'Delete'),
    sites: 'orCompany',
    input: z.object(Closable),
    results: z.object(Closable),
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['report'],
  }),
  sendReport: defineEndpoint({
    path: '/SendReport',
    summary:
      'Emails a report to users of the company, each in their own language. Users without electricity Read are skipped and listed.',
    access: right('electricity_download', 'Export'),
    sites: 'orCompany',
    input: z.object({
      ...Whose,
      Recipients: z.array(CognitoId).min(1, 'required').max(MAX_REPORT_RECIPIENTS, 'tooManyRecipients'),
    }),
    results: z.object({
      /** Number of queued emails. */
      Letters: z.number().int(),
      Skipped: z.array(z.object({ Name: z.string(), Reason: z.enum(DELIVERY_SKIP_REASONS) })),
    }),
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: [],
    why: 'A manually sent email is in no list.',
  }),
}
