import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { pageOf, PageInput } from '../kernel/page.ts'
import { CognitoId, HomeID, MeterID, Name, RoomID, TariffID, Version } from '../kernel/scalars.ts'
import {
  DISMISS_REASONS,
  FINDING_KINDS,
  FINDING_STATES,
  TO_DO_KEYS,
  FINDING_VERDICTS,
} from './finding-life.ts'
import { PriceReview } from '../tariffs/price-review.ts'
import { DateText, DAY_TYPES } from '../tariffs/tariff-terms.ts'
import { Capacities } from '../tariffs/home-tariff-calls.ts'

/** NT$ a month of 30 days; null where nothing can be said of it. */
const Amount = z.number().nullable()

/** How sure a finding is; one of low confidence is in no headline. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const

/** Where it is: a meter or another device, a room, or with both null the home as a whole. */
export const FindingPlace = z.object({ RoomID: RoomID.nullable(), MeterID: MeterID.nullable() })
export type FindingPlace = z.infer<typeof FindingPlace>

/** What a measurement after it was done came to (gateway/features/insight/logic/baseline.ts); all of it by the month of 30 days. */
export const MeasuredSaving = z.object({
  Verdict: z.enum(FINDING_VERDICTS),
  /** The days after DoneOn that were measured, both inclusive: 28, then 56, then 84. */
  From: DateText,
  Through: DateText,
  /** What was saved, and between which it lies. */
  kWh: z.number(),
  LowKwh: z.number(),
  HighKwh: z.number(),
  Amount,
  Low: Amount,
  High: Amount,
})
export type MeasuredSaving = z.infer<typeof MeasuredSaving>

/** Something that costs money and need not, or that hides what does. */
export const Finding = z.object({
  FindingID: z.uuid(),
  HomeID,
  Kind: z.enum(FINDING_KINDS),
  Place: FindingPlace,
  /** What the device, meter or room of Place is called; null of a home, and of what nobody remembers. */
  PlaceName: z.string().nullable(),
  /** The days that it was seen in, both inclusive: 28 whole days, or the bills that were compared. */
  From: DateText,
  Through: DateText,
  /** What would not be used, a month of 30 days; null where it is not about energy. */
  kWh: z.number().nullable(),
  /** What would not be paid, NT$ a month, and between which it lies. Of `silent` what is paid for and not seen. */
  Amount,
  Low: Amount,
  High: Amount,
  /**
   * This finding's share of the home's headline, NT$ a month: the shares add up to its Exact, as findings that overlap share one amount.
   * Absent if the finding is in no headline.
   */
  Counted: z.number().optional(),
  Confidence: z.enum(CONFIDENCES),
  /** A sentence `insight:findings.why.<Key>` with its values. */
  Why: z.object({ Key: z.string(), Values: z.record(z.string(), z.union([z.number(), z.string()])) }),
  /** The path of the screen that shows the proof. */
  Evidence: z.string(),
  /** What can be done, the first thing first. */
  ToDo: z.array(z.enum(TO_DO_KEYS)),
  State: z.enum(FINDING_STATES),
  /** Who sees to it, and what they are called. */
  Owner: CognitoId.nullable(),
  OwnerName: z.string().nullable(),
  Due: DateText.nullable(),
  /** Of one that was dismissed: why, and with `later` and `wanted` the first day on which it may be said again. */
  Reason: z.enum(DISMISS_REASONS).nullable(),
  Until: DateText.nullable(),
  /** The last day before its effect: it is measured from the next day on. Null unless it was done. */
  DoneOn: DateText.nullable(),
  FirstSeen: DateText,
  LastSeen: DateText,
  /** Null until it was measured. */
  Verified: MeasuredSaving.nullable(),
  Version,
})
export type Finding = z.infer<typeof Finding>

/**
 * Why there is no headline of a home, or which part of it could not be looked at (gateway/features/insight/logic/evidence.ts).
 *
 * notYet    nothing has been computed       days      fewer than 28 whole days were counted
 * coverage  too little of them was measured tariff    no tariff holds, so nothing has a price
 * meters    of too few meters the days were measured, so that they could not be looked at one by one
 * nights    of too few meters the hours from 0 to 6 were measured, so that their base load could not
 */
/** `loading`: readings of past days are still arriving or being summed up, so that neither a number nor a date would hold. */
export const HEADLINE_GAPS = ['notYet', 'loading', 'days', 'coverage', 'tariff', 'meters', 'nights'] as const
export const HeadlineGap = z.object({
  HomeID,
  Reason: z.enum(HEADLINE_GAPS),
  /** Days, parts of intervals (0 to 1), or meters. */
  Have: z.number(),
  Needed: z.number(),
  /** The first day on which it may be enough; null where that is not known. */
  EnoughOn: DateText.nullable(),
})
export type HeadlineGap = z.infer<typeof HeadlineGap>

/** kWh of each 15 minutes of a day of a kind, which the union of all claims takes away. */
const UnionDay = z.object({ Class: z.enum(DAY_TYPES), kWh: z.array(z.number()).length(96) })

/** One bill of the headline, as it is and without what is found. NT$; null where a day has no price. */
const BilledTwice = z.object({
  From: DateText,
  Through: DateText,
  Months: z.number(),
  Was: z.number(),
  Without: z.number(),
})

/** From what the headline of a home can be computed again by hand (docs/energy.md). */
export const SavingProof = z.object({
  /** `year`: the bills of 12 months. `days`: the last 28 whole days, × 30/28, where the bills of 12 months do not allow advice. */
  Basis: z.enum(['year', 'days']),
  Bills: z.array(BilledTwice),
  /**
   * Inputs of the first bills and of the second: the present plan and contract, or with IsBestContract the best contract of the
   * present plan, if a plan is in the headline and that contract is not.
   */
  Now: z.object({ PlanID: TariffID, Capacities, PowerFactor: z.number().nullable() }),
  IsBestContract: z.literal(true).optional(),
  Then: z.object({ PlanID: TariffID, Capacities, PowerFactor: z.number().nullable() }),
  /** Of `year`: the mean of the 28 days by kind of day. */
  Union: z.array(UnionDay),
  /** Of `days`: kWh of each 15 minutes of each of the 28 days, which the union takes away. */
  UnionDays: z.array(z.object({ Date: DateText, kWh: z.array(z.number()) })),
  /** kWh of the union in the 28 days. */
  UnionKwh: z.number(),
  /** The findings that are in it. */
  Findings: z.array(z.uuid()),
})
export type SavingProof = z.infer<typeof SavingProof>

/** What a home, or all homes of the company together, could save a month. */
export const SavingHeadline = z.object({
  /**
   * `found`: Amount says how much. `none`: nothing worth doing, in a home that could be looked at as a whole. `tooLittle`: nothing was
   * found, and too little is known of every home, see Lacks.
   */
  State: z.enum(['found', 'none', 'tooLittle']),
  /** NT$ a month to two significant digits, and between which it lies. Null unless found. */
  Amount,
  Low: Amount,
  High: Amount,
  /** The same to the cent. */
  Exact: Amount,
  /** The last whole day that is in it, the earliest of all homes; null where nothing was computed. */
  AsOf: DateText.nullable(),
  /** Whether some kind could not be looked for, or the computation ran out of time. */
  Partly: z.boolean(),
  /** The open findings with an amount: those that make the headline first, then others, in each the largest first. At most five. */
  Top: z.array(Finding),
  /** How many are open, accepted and done. */
  Counts: z.object({ open: z.number().int(), accepted: z.number().int(), done: z.number().int() }),
  /** What measured savings come to, NT$ a month, and of how many findings. */
  Verified: z.object({ Amount: z.number(), Count: z.number().int() }),
  Lacks: z.array(HeadlineGap),
  /** Age of the prices in Proof as of today; absent for several homes, and if the company entered its prices itself. */
  Prices: PriceReview.optional(),
  /** Of one home; null of several, and where there is no headline. */
  Proof: SavingProof.nullable(),
})
export type SavingHeadline = z.infer<typeof SavingHeadline>

/** A day of a finding's evidence. */
export const EvidenceDay = z.object({
  Date: DateText,
  /** What was measured; null where too little is known. */
  Value: z.number().nullable(),
  /** What is usual: the middle, and between which it lies. */
  Usual: z.number().nullable(),
  Low: z.number().nullable(),
  High: z.number().nullable(),
})

/** Which findings: `current` are open, accepted and done. */
export const FINDING_FILTERS = ['current', ...FINDING_STATES] as const

const read = right('electricity', 'Read')

export const findings = {
  getSaving: defineEndpoint({
    path: '/GetSaving',
    summary:
      'What a home, or all homes of the company, could save a month by what was found: one bill without the union of all that need not be used.',
    access: read,
    input: z.object({ HomeID: HomeID.optional() }),
    results: SavingHeadline,
    errors: ['NOT_FOUND'],
    shows: ['finding', 'home', 'pricing'],
  }),
  listFinding: defineEndpoint({
    path: '/ListFinding',
    summary:
      'What was found in a home, or in all homes of the company: what makes the headline first, in each the largest amount.',
    access: read,
    input: PageInput.extend({
      HomeID: HomeID.optional(),
      Filter: z.enum(FINDING_FILTERS).default('current'),
      Kind: z.enum(FINDING_KINDS).optional(),
      /** A person, or null for those that nobody sees to. */
      Owner: CognitoId.nullable().optional(),
      FindingID: z.uuid().optional(),
    }),
    results: pageOf(Finding),
    errors: ['NOT_FOUND'],
    shows: ['finding', 'home', 'room', 'peripheral', 'user'],
  }),
  getFindingEvidence: defineEndpoint({
    path: '/GetFindingEvidence',
    summary:
      'The proof of a finding: what was measured by day beside what is usual, and what of its 28 days counts as need not be.',
    access: read,
    input: z.object({ HomeID, FindingID: z.uuid() }),
    results: z.object({
      Finding,
      /** What Days say. */
      Unit: z.enum(['kW', 'kWh', 'hours', 'TWD', 'percent']),
      Days: z.array(EvidenceDay),
      /** kWh by meter and day that need not be used; empty where it is not about energy. */
      Claims: z.array(
        z.object({
          MeterID,
          Name: z.string().nullable(),
          Days: z.array(z.object({ Date: DateText, kWh: z.number() })),
        }),
      ),
      /** The 28 days as one bill, as it was and without the claims; null where no bill was made. NT$. */
      Bill: z.object({ Was: z.number(), Without: z.number() }).nullable(),
    }),
    errors: ['NOT_FOUND'],
    shows: ['finding', 'home', 'room', 'peripheral', 'user'],
    key: ['HomeID', 'FindingID'],
  }),
  recordMeasure: defineEndpoint({
    path: '/RecordMeasure',
    summary:
      'Records what was done to save energy where nothing had been found: a finding of the kind measure that is done, so that its saving is measured. Refused with CONFLICT at MeterID while another one on that meter is not measured yet.',
    access: right('electricity', 'Update'),
    input: z.object({
      HomeID,
      /** The smallest meter that holds what was changed. */
      MeterID,
      /** What was done. */
      MeasureName: Name,
      /** The last day before its effect: not after today, by the home's clock. */
      DoneOn: DateText,
    }),
    results: Finding,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['finding'],
  }),
  updateFinding: defineEndpoint({
    path: '/UpdateFinding',
    summary:
      'Says what becomes of a finding: who sees to it, until when, and that it is accepted, done, put aside or open again. Refused with CONFLICT if it has changed meanwhile, and where its state does not allow that.',
    access: right('electricity', 'Update'),
    input: z.object({
      HomeID,
      FindingID: z.uuid(),
      Version,
      State: z.enum(['open', 'accepted', 'done', 'dismissed']).optional(),
      Owner: CognitoId.nullable().optional(),
      Due: DateText.nullable().optional(),
      /** Of `done`; today by the home's clock when left out, and not after it. */
      DoneOn: DateText.optional(),
      /** Of `dismissed`, which needs one. */
      Reason: z.enum(DISMISS_REASONS).optional(),
      /** Of `later`, which needs one: after today, at most a year ahead. */
      Until: DateText.optional(),
    }),
    results: Finding,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['finding'],
  }),
}
