import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { ENERGY } from '../kernel/entities.ts'
import { CognitoId, HomeID, Language, Millis } from '../kernel/scalars.ts'
import { FINDING_KINDS } from '../findings/finding-life.ts'
import { PriceReview } from '../tariffs/price-review.ts'
import { DateText } from '../tariffs/tariff-terms.ts'
import { bills } from '../tariffs/bill-calls.ts'
import { BalancePoint, CarbonFactorUsed, ComputedPercent, Coverage } from '../energy/meter-data-calls.ts'

/**
 * monthly  a month of a site, or of every site of the company: `2026-10`
 * carbon   a year of Scope 2: `2026`
 */
export const REPORT_KINDS = ['monthly', 'carbon'] as const
export const ReportKind = z.enum(REPORT_KINDS)
export type ReportKind = z.infer<typeof ReportKind>

/** What can be closed: kept as it is, whatever comes later. */
export const CLOSABLE_KINDS = ['carbon'] as const

/** A month or a year of the home's clock, as its kind has it. */
export const ReportPeriod = z.string().regex(/^20\d\d(-(0[1-9]|1[0-2]))?$/, 'invalid')

/** Whose report: a home's, or with null that of every home of the company. */
const Whose = { HomeID: HomeID.nullable(), Kind: ReportKind, Period: ReportPeriod }

const Share = z.number().min(0).max(1)

/** A figure beside the same one a year before; each null where nothing is known of it. */
export const ComparedFigure = z.object({
  Now: z.number().nullable(),
  Before: z.number().nullable(),
  /** Part of Before by which Now is more; null where it may not be said, as one of them is not complete enough. */
  Change: z.number().nullable(),
  /** How it may be said: plainly, about, or not at all (`percentageOf`). */
  Said: z.enum(['plain', 'about', 'none']),
})
export type ComparedFigure = z.infer<typeof ComparedFigure>

/** What a month came to. */
export const ReportFigures = z.object({
  kWh: ComparedFigure,
  /** NT$ of the energy, without what is charged by the month. */
  Cost: ComparedFigure,
  /** kg CO2e of what was bought. */
  CarbonKg: ComparedFigure,
  /**
   * Which part of its time is known well enough, and of the year before: as `completeShare`, and days before the first reading are not
   * known either.
   */
  Complete: Share,
  CompleteBefore: Share,
})
export type ReportFigures = z.infer<typeof ReportFigures>

const Site = z.object({ HomeID, HomeName: z.string(), TimeZone: z.string() })

/** A line of a ranking, the largest first. */
export const RankedLine = z.object({
  /** A RoomID or a PeripheralUID; `untracked` what no sub-meter saw; `rest` those beyond the first ten. */
  Key: z.string(),
  /** Null of what has none, and of what is gone. */
  Name: z.string().nullable(),
  kWh: z.number(),
  /** Of the whole; null where that is nothing. */
  Share: z.number().nullable(),
  Cost: z.number().nullable(),
  Complete: Share,
})
export type RankedLine = z.infer<typeof RankedLine>

/** What of a site costs money that need not be spent: one of the largest. */
export const ReportedFinding = z.object({
  FindingID: z.string(),
  HomeID,
  Kind: z.enum(FINDING_KINDS),
  Place: z.string().nullable(),
  /** NT$ a month; null where it has no price. */
  Amount: z.number().nullable(),
})
export type ReportedFinding = z.infer<typeof ReportedFinding>

/** Of a month of one site, beside its figures. */
export const SiteDetail = z.object({
  Days: z.array(z.object({ Date: DateText, kWh: z.number().nullable(), Before: z.number().nullable() })),
  /** Null where nothing is known of it. */
  Demand: z
    .object({
      PeakKw: z.number(),
      At: Millis,
      /** What the contract allowed then, kW; null without one. */
      Limit: z.number().nullable(),
      /** Whether a higher one may have been, as too little of the month was measured by the quarter of an hour. */
      IsAtLeast: z.boolean(),
    })
    .nullable(),
  /** The bill that ended in the month, or else the one that was running at its end. */
  Bill: bills.getBill.results.extend({ IsOver: z.boolean() }),
  Rooms: z.array(RankedLine),
  Machines: z.array(RankedLine),
  /** Null of a site without generation or storage. */
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
  /** Of the consumption. */
  Coverage,
  /** How many times a counter fell: meters replaced or reset. */
  Resets: z.number().int(),
})
export type SiteDetail = z.infer<typeof SiteDetail>

const Head = {
  Period: ReportPeriod,
  Language,
  HomeID: HomeID.nullable(),
  Company: z.string(),
  /** When it was computed: readings that came later are not in it. */
  AsOf: Millis,
  /** Percentage of the site with the least computed. */
  ComputedPercent,
  /**
   * The last year up to that of the report whose carbon factor should be published and is neither built in nor entered; left out if none
   * is.
   */
  MissingFactor: z.number().int().optional(),
}

export const MonthlyReport = z.object({
  Kind: z.literal('monthly'),
  ...Head,
  /** The whole days that are over, both inclusive; null where none is. */
  From: DateText.nullable(),
  Through: DateText.nullable(),
  IsOver: z.boolean(),
  /** Of all sites; Cost is null where one of them has no price. */
  Total: ReportFigures,
  Sites: z.array(Site.extend({ Figures: ReportFigures, Alarms: z.number().int() })),
  /** Of a report of one site. */
  Detail: SiteDetail.nullable(),
  /** Alarms that were raised, of them critical, and those still open. */
  Alarms: z.object({ Raised: z.number().int(), Critical: z.number().int(), Open: z.number().int() }),
  Findings: z.array(ReportedFinding),
  Carbon: z.array(CarbonFactorUsed),
  /** Age of the prices of the plans built in that hold in the month; left out if none does. */
  Prices: PriceReview.optional(),
  /**
   * Energy used from generation and storage, and energy bought to be stored or sold, kWh, of the sites whose emissions are not their
   * energy times the factor; absent if there is no such site.
   */
  OwnEnergy: z.object({ Used: z.number(), Stored: z.number() }).optional(),
})
export type MonthlyReport = z.infer<typeof MonthlyReport>

/** How Scope 2 is counted: by the mean of the grid. */
export const SCOPE2_METHODS = ['location'] as const

/** Why a year cannot be closed yet. `Have` is the complete part of a month. */
export const ReportGap = z.object({
  Reason: z.enum(['notOver', 'noData', 'computing', 'coverage', 'factor']),
  HomeID: HomeID.nullable(),
  Month: z.string().nullable(),
  Have: Share.nullable(),
})
export type ReportGap = z.infer<typeof ReportGap>

const Sum = {
  /** Bought; null where nothing is known. */
  kWh: z.number().nullable(),
  Complete: Share,
  /** Which part of the time a person said, or an import. */
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
      /** The first day with data, where that is after the year's first: nothing is counted for what was before. */
      Since: DateText.nullable(),
      /** Of the year that have begun; IsMetered says whether there was a meter in it. */
      Months: z.array(z.object({ Month: z.string(), IsMetered: z.boolean(), ...Sum })),
    }),
  ),
  /** Empty where it can be closed, or is. */
  Lacks: z.array(ReportGap),
  /** Whether it is not final: something lacks, or its factor is that of an earlier year. */
  IsProvisional: z.boolean(),
  /** Of a closed report, which is a copy; null of an open one. */
  Closed: z
    .object({
      At: Millis,
      By: CognitoId,
      ByName: z.string(),
      /** SHA-256 of the copy as it is stored, in hex. */
      Hash: z.string(),
      /** Whether the copy is still the one that was hashed. */
      IsIntact: z.boolean(),
      /** What the same report would say now; null where it is the same. */
      Differs: z.object({ kWh: z.number().nullable(), CarbonKg: z.number().nullable() }).nullable(),
    })
    .nullable(),
})
export type CarbonReport = z.infer<typeof CarbonReport>

export const Report = z.discriminatedUnion('Kind', [MonthlyReport, CarbonReport])
export type Report = z.infer<typeof Report>

/** Why somebody is not sent a report: without the right to read electricity, gone, or disabled. */
export const DELIVERY_SKIP_REASONS = ['right', 'gone'] as const

/** Each month of a carbon report must be complete to this. */
export const CLOSED_COMPLETE = 0.95

/** Most people of one letter or plan. */
export const MAX_REPORT_RECIPIENTS = 50

const Closable = { ...Whose, Kind: z.enum(CLOSABLE_KINDS) }

export const reports = {
  getReport: defineEndpoint({
    path: '/GetReport',
    summary:
      'The figures of a report, each with its coverage, factor, source and the moment it was computed. A closed one is answered as it was kept, and says what the present figures would be.',
    access: right('electricity', 'Read'),
    input: z.object({ ...Whose, Language: Language.default('zh-TW') }),
    results: Report,
    errors: ['NOT_FOUND'],
    shows: [...ENERGY, 'room', 'alarm', 'company', 'report'],
    freshFor: 60_000,
  }),
  closeReport: defineEndpoint({
    path: '/CloseReport',
    summary:
      'Keeps a report as it is now, with a hash. Refused while a month is known to less than 95 %, while the year runs, and while its factor is that of an earlier year (INVALID names what lacks).',
    access: right('electricity', 'Update'),
    input: z.object(Closable),
    results: CarbonReport,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['report'],
  }),
  reopenReport: defineEndpoint({
    path: '/ReopenReport',
    summary: 'Ends that a report is closed; the copy stays in the database, for the audit.',
    access: right('electricity', 'Delete'),
    input: z.object(Closable),
    results: z.object(Closable),
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['report'],
  }),
  sendReport: defineEndpoint({
    path: '/SendReport',
    summary:
      'Mails a report to people of the company, each in their own language. Who may not read electricity is skipped and named.',
    access: right('electricity_download', 'Export'),
    input: z.object({
      ...Whose,
      Recipients: z.array(CognitoId).min(1, 'required').max(MAX_REPORT_RECIPIENTS, 'tooManyRecipients'),
    }),
    results: z.object({
      /** Letters that are on their way. */
      Letters: z.number().int(),
      Skipped: z.array(z.object({ Name: z.string(), Reason: z.enum(DELIVERY_SKIP_REASONS) })),
    }),
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: [],
    why: 'A letter by hand is in no list.',
  }),
}
