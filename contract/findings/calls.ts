import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import {
  pageOf,
  PageInput,
  CognitoId,
  HomeID,
  MeterID,
  Name,
  RoomID,
  TariffID,
  Version,
} from '../kernel/scalars.ts'
import {
  DISMISS_REASONS,
  FINDING_KINDS,
  FINDING_STATES,
  TO_DO_KEYS,
  FINDING_VERDICTS,
} from './finding-life.ts'
import { PriceReview } from '../tariffs/price-review.ts'
import { DateText } from '../time/date-text.ts'
import { DAY_TYPES } from '../time/periods.ts'
import { Capacities } from '../tariffs/home-tariff-calls.ts'

/** NT$ per month of 30 days; null if unknown. */
const Amount = z.number().nullable()

/** Confidence of a finding; low ones are not part of any headline. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const

/** Place: a meter or other device, a room, or with both null the whole home. */
export const FindingPlace = z.object({ RoomID: RoomID.nullable(), MeterID: MeterID.nullable() })

/** Saving measured after the measure was done (gateway/features/insight/logic/baseline.ts); all values per month of 30 days. */
export const MeasuredSaving = z.object({
  Verdict: z.enum(FINDING_VERDICTS),
  /** Measured days after DoneOn, both inclusive: 28, then 56, then 84. */
  From: DateText,
  Through: DateText,
  /** Measured saving with its range. */
  kWh: z.number(),
  LowKwh: z.number(),
  HighKwh: z.number(),
  Amount,
  Low: Amount,
  High: Amount,
})
export type MeasuredSaving = z.infer<typeof MeasuredSaving>

/** Avoidable cost, or a fault that hides one. */
export const Finding = z.object({
  FindingID: z.uuid(),
  HomeID,
  Kind: z.enum(FINDING_KINDS),
  Place: FindingPlace,
  /** Name of the device, meter or room in Place; null for a home, and if no longer known. */
  PlaceName: z.string().nullable(),
  /** Days it was observed in, both inclusive: 28 whole days, or the compared bills. */
  From: DateText,
  Through: DateText,
  /** Avoidable energy per month of 30 days, kWh; null if the finding is not about energy. */
  kWh: z.number().nullable(),
  /** Avoidable cost per month with its range, NT$. For `silent`, the cost that is paid but not measured. */
  Amount,
  Low: Amount,
  High: Amount,
  /**
   * This finding's share of the home's headline, NT$ a month, at most its Amount: the shares add up to Exact, except for what findings
   * save only together. Omitted if the finding is not part of the headline.
   */
  Counted: z.number().optional(),
  Confidence: z.enum(CONFIDENCES),
  /** Sentence `insight:findings.why.<Key>` with its values. */
  Why: z.object({ Key: z.string(), Values: z.record(z.string(), z.union([z.number(), z.string()])) }),
  /** Path of the screen that shows the evidence. */
  Evidence: z.string(),
  /** Recommended actions, most important first. */
  ToDo: z.array(z.enum(TO_DO_KEYS)),
  State: z.enum(FINDING_STATES),
  /** Assigned user and their name. */
  Owner: CognitoId.nullable(),
  OwnerName: z.string().nullable(),
  Due: DateText.nullable(),
  /** For a dismissed finding: the reason, and with `later` and `wanted` the first day on which it may be reported again. */
  Reason: z.enum(DISMISS_REASONS).nullable(),
  Until: DateText.nullable(),
  /** Last day before the effect; measuring starts on the next day. Null unless done. */
  DoneOn: DateText.nullable(),
  FirstSeen: DateText,
  LastSeen: DateText,
  /** Null until measured. */
  Verified: MeasuredSaving.nullable(),
  Version,
})
export type Finding = z.infer<typeof Finding>

/**
 * Reasons for a missing headline of a home, or for a part that was not analyzed (gateway/features/insight/logic/detected.ts).
 *
 * notYet    nothing has been computed       days      fewer than 28 whole days have data
 * coverage  too little was measured         tariff    no valid tariff, so no prices
 * meters    too few meters with measured days for an analysis per meter
 * nights    too few meters with measured hours from 0 to 6 for a base load analysis
 * loading   readings of past days are still arriving or being aggregated, so that any number or date would be preliminary
 */
export const HEADLINE_GAPS = ['notYet', 'loading', 'days', 'coverage', 'tariff', 'meters', 'nights'] as const
export const HeadlineGap = z.object({
  HomeID,
  Reason: z.enum(HEADLINE_GAPS),
  /** Days, shares of intervals (0 to 1), or meters. */
  Have: z.number(),
  Needed: z.number(),
  /** First day on which the data may suffice; null if unknown. */
  EnoughOn: DateText.nullable(),
})
export type HeadlineGap = z.infer<typeof HeadlineGap>

/** Energy removed by the union of all claims, per 15 minutes of a day type, kWh. */
const UnionDay = z.object({ Class: z.enum(DAY_TYPES), kWh: z.array(z.number()).length(96) })

/** One bill of the headline, actual and without the findings. NT$; null if a day has no price. */
const BilledTwice = z.object({
  From: DateText,
  Through: DateText,
  Months: z.number(),
  Was: z.number(),
  Without: z.number(),
})

/** Inputs to recompute the headline of a home by hand (docs/energy.md). */
export const SavingProof = z.object({
  /** `year`: bills of 12 months. `days`: the last 28 whole days × 30/28, if the bills of 12 months do not allow advice. */
  Basis: z.enum(['year', 'days']),
  Bills: z.array(BilledTwice),
  /**
   * Terms of the first bills and of the second: the present plan and contract, or with IsBestContract the best contract of the present
   * plan, if the headline includes a plan and not that contract.
   */
  Now: z.object({ PlanID: TariffID, Capacities, PowerFactor: z.number().nullable() }),
  IsBestContract: z.literal(true).optional(),
  Then: z.object({ PlanID: TariffID, Capacities, PowerFactor: z.number().nullable() }),
  /** For `year`: mean of the 28 days by day type. */
  Union: z.array(UnionDay),
  /** For `days`: energy removed by the union per 15 minutes of each of the 28 days, kWh. */
  UnionDays: z.array(z.object({ Date: DateText, kWh: z.array(z.number()) })),
  /** Energy of the union in the 28 days, kWh. */
  UnionKwh: z.number(),
  Findings: z.array(z.uuid()),
})
export type SavingProof = z.infer<typeof SavingProof>

/** Potential monthly saving of a home, or of all homes of the company. */
export const SavingHeadline = z.object({
  /**
   * `found`: Amount is set. `none`: no worthwhile finding in a completely analyzed home. `tooLittle`: no findings, and too little data
   * for every home, see Lacks.
   */
  State: z.enum(['found', 'none', 'tooLittle']),
  /** NT$ a month to two significant digits, with its range. Null unless found. */
  Amount,
  Low: Amount,
  High: Amount,
  /** Amount to the cent. */
  Exact: Amount,
  /** `Counted` of each finding that is in Amount. Omitted unless found, and for a headline that an earlier release computed. */
  Parts: z.array(z.object({ FindingID: z.uuid(), Amount: z.number() })).optional(),
  /** Last whole day included, the earliest of all homes; null if nothing was computed. */
  AsOf: DateText.nullable(),
  /** Whether some kind could not be analyzed, or the computation timed out. */
  Partly: z.boolean(),
  /** Open findings with an amount: those in the headline first, then others, each group largest first. At most five. */
  Top: z.array(Finding),
  Counts: z.object({ open: z.number().int(), accepted: z.number().int(), done: z.number().int() }),
  /** Sum of the measured savings, NT$ a month, and the number of findings. */
  Verified: z.object({ Amount: z.number(), Count: z.number().int() }),
  Lacks: z.array(HeadlineGap),
  /** Present age of the prices in Proof; omitted for several homes, and if the company entered its prices itself. */
  Prices: PriceReview.optional(),
  /** For one home only; null for several, and without a headline. */
  Proof: SavingProof.nullable(),
})
export type SavingHeadline = z.infer<typeof SavingHeadline>

export const EvidenceDay = z.object({
  Date: DateText,
  /** Measured value; null if too little is known. */
  Value: z.number().nullable(),
  /** Usual value and its range. */
  Usual: z.number().nullable(),
  Low: z.number().nullable(),
  High: z.number().nullable(),
})

/** Filter of findings; `current` means open, accepted and done. */
export const FINDING_FILTERS = ['current', ...FINDING_STATES] as const

const read = right('electricity', 'Read')

export const findings = {
  getSaving: defineEndpoint({
    path: '/GetSaving',
    summary:
      'Potential monthly savings from the findings of a home or of all homes of the company: one bill without the union of all avoidable energy.',
    access: read,
    sites: 'mixed',
    input: z.object({ HomeID: HomeID.optional() }),
    results: SavingHeadline,
    errors: ['NOT_FOUND'],
    shows: ['finding', 'home', 'pricing'],
  }),
  listFinding: defineEndpoint({
    path: '/ListFinding',
    summary:
      'Findings of a home or of all homes of the company: those that count in the headline first, then by amount, largest first.',
    access: read,
    sites: 'mixed',
    input: PageInput.extend({
      HomeID: HomeID.optional(),
      Filter: z.enum(FINDING_FILTERS).default('current'),
      Kind: z.enum(FINDING_KINDS).optional(),
      /** A user, or null for unassigned findings. */
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
      'Evidence of a finding: measured and usual energy by day, and the avoidable share of its 28 days.',
    access: read,
    input: z.object({ HomeID, FindingID: z.uuid() }),
    results: z.object({
      Finding,
      Unit: z.enum(['kW', 'kWh', 'hours', 'TWD', 'percent']),
      Days: z.array(EvidenceDay),
      /** Avoidable kWh by meter and day; empty if the finding is not about energy. */
      Claims: z.array(
        z.object({
          MeterID,
          Name: z.string().nullable(),
          Days: z.array(z.object({ Date: DateText, kWh: z.number() })),
        }),
      ),
      /** Bill of the 28 days, actual and without the claims; null if there is none, and if the amount is of 12 months. NT$. */
      Bill: z.object({ Was: z.number(), Without: z.number() }).nullable(),
    }),
    errors: ['NOT_FOUND'],
    shows: ['finding', 'home', 'room', 'peripheral', 'user'],
    key: ['HomeID', 'FindingID'],
  }),
  recordMeasure: defineEndpoint({
    path: '/RecordMeasure',
    summary:
      'Records an energy-saving measure without a previous finding: creates a finding of the kind measure in the state done, so that its saving is measured. Rejected with CONFLICT at MeterID while another measure on that meter is not yet measured.',
    access: right('electricity', 'Update'),
    input: z.object({
      HomeID,
      /** Smallest meter that covers the change. */
      MeterID,
      MeasureName: Name,
      /** Last day before the effect; not after today in local time. */
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
      'Changes a finding: its owner, due date, and state (open, accepted, done or dismissed). Rejected with CONFLICT if it was changed meanwhile, and if its state does not allow the change.',
    access: right('electricity', 'Update'),
    input: z.object({
      HomeID,
      FindingID: z.uuid(),
      Version,
      State: z.enum(['open', 'accepted', 'done', 'dismissed']).optional(),
      Owner: CognitoId.nullable().optional(),
      Due: DateText.nullable().optional(),
      /** For `done`; defaults to today in local time, and not later. */
      DoneOn: DateText.optional(),
      /** Required for `dismissed`. */
      Reason: z.enum(DISMISS_REASONS).optional(),
      /** Required for `later`: after today, at most a year ahead. */
      Until: DateText.optional(),
    }),
    results: Finding,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['finding'],
  }),
}
