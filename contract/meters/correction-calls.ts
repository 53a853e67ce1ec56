import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { Cursor, pageOf, HomeID, MeterID, Millis } from '../kernel/scalars.ts'
import { QUARTER_MS } from '../time/periods.ts'
import { LimitKw } from './fact-calls.ts'

/** Kinds of corrections: energy of a range, or a meter replacement. */
export const CORRECTION_KINDS = ['interval', 'replacement'] as const
/** Distribution of energy over intervals: in proportion to the readings, or evenly. */
export const DISTRIBUTION_METHODS = ['shape', 'even'] as const

/** Maximum range of one correction, in ms: a leap year. */
export const MAX_CORRECTION_RANGE_MS = 366 * 86_400_000
const Kwh = z.number().min(0).max(1e12)
const CorrectionID = z.uuid()

/** Entry in a home's journal of corrections: never edited, only undone. */
export const MeterCorrection = z.object({
  CorrectionID,
  HomeID,
  PeripheralUID: MeterID,
  /** Present or last name; null if no longer known. */
  PeripheralName: z.string().nullable(),
  Kind: z.enum(CORRECTION_KINDS),
  From: Millis,
  /** Exclusive; for a replacement equal to From. */
  To: Millis,
  /** Energy of the whole range; null for a replacement. */
  kWh: Kwh.nullable(),
  Sharing: z.enum(DISTRIBUTION_METHODS).nullable(),
  /** Last value of the old meter and first value of the new one; null for a range. */
  OldKwh: Kwh.nullable(),
  NewKwh: Kwh.nullable(),
  Note: z.string(),
  AuthorName: z.string(),
  CreatedAt: Millis,
  /** Null while active. */
  UndoneAt: Millis.nullable(),
  UndoneBy: z.string().nullable(),
})
export type MeterCorrection = z.infer<typeof MeterCorrection>

/** Reasons for which a reading waits for a person's decision (contract/meters/validate-readings.ts). */
export const QUARANTINE_REASONS = ['jump', 'glitch', 'conflict', 'invalid'] as const

/** Decision on a quarantined reading: count it, or drop it permanently. */
const QuarantineDecision = z.enum(['accepted', 'dropped'])

/** Reading that waits for a person's decision. */
export const QuarantinedReading = z.object({
  PeripheralUID: MeterID,
  PeripheralName: z.string().nullable(),
  Timestamp: Millis,
  /** kWh as reported. */
  Value: z.number(),
  Reason: z.enum(QUARANTINE_REASONS),
  /** For a conflict: the value that counts, in kWh. */
  Stored: z.number().nullable(),
  /** Previous reading that counts; null if this would be the first. */
  Before: z.object({ Timestamp: Millis, kWh: z.number() }).nullable(),
})
export type QuarantinedReading = z.infer<typeof QuarantinedReading>

/** Explanation of a lasting jump of a meter, accepted as a whole instead of reading by reading. */
export const MeterProposal = z.object({
  PeripheralUID: MeterID,
  PeripheralName: z.string().nullable(),
  /** `limit`: raise the meter's maximum power. `replacements`: its counter fell and returned, entered as two replacements. */
  Kind: z.enum(['limit', 'replacements']),
  /** Start time and number of the quarantined readings. */
  Since: Millis,
  Count: z.number().int(),
  /** First of these readings: accepting it with `LimitKw` makes all count. */
  First: z.object({ Timestamp: Millis, Value: z.number() }),
  /** Energy that counts if the proposal is accepted. */
  kWh: z.number(),
  /** Observed maximum power and the proposed limit; null for replacements. */
  Kw: z.number().nullable(),
  LimitKw: LimitKw.nullable(),
  /** Corrections of the kind `replacement` to enter; empty for a limit. */
  Replacements: z.array(z.object({ At: Millis, OldKwh: z.number(), NewKwh: z.number() })),
})
export type MeterProposal = z.infer<typeof MeterProposal>

const read = right('electricity', 'Read')
const update = right('electricity', 'Update')

export const meterCorrections = {
  listMeterCorrection: defineEndpoint({
    path: '/ListMeterCorrection',
    summary:
      "Corrections of a home's or a meter's energy by people, newest first; excludes the rows of imports.",
    access: read,
    input: z.object({
      HomeID,
      PeripheralUID: MeterID.optional(),
      /** Only older entries, for the next page. */
      Before: Millis.optional(),
      Limit: z.number().int().min(1).max(1_000).default(200),
    }),
    results: z.array(MeterCorrection),
    errors: ['NOT_FOUND'],
    shows: ['metering', 'peripheral'],
  }),
  createMeterCorrection: defineEndpoint({
    path: '/CreateMeterCorrection',
    summary:
      'Records the energy of a meter in whole quarters of an hour, or its replacement at From, and recomputes all totals.',
    access: update,
    input: z
      .object({
        HomeID,
        PeripheralUID: MeterID,
        Kind: z.enum(CORRECTION_KINDS),
        From: Millis,
        To: Millis.optional(),
        kWh: Kwh.optional(),
        Sharing: z.enum(DISTRIBUTION_METHODS).default('shape'),
        OldKwh: Kwh.optional(),
        NewKwh: Kwh.optional(),
        Note: z.string().trim().max(500, 'tooLong').default(''),
      })
      .superRefine(({ Kind, From, To, kWh, OldKwh, NewKwh }, context) => {
        const refuse = (path: string, message: string) =>
          context.addIssue({ code: 'custom', path: [path], message })
        const ownFields = Kind === 'interval' ? { To, kWh } : { OldKwh, NewKwh }
        const needless = Kind === 'interval' ? { OldKwh, NewKwh } : { To, kWh }
        for (const [path, value] of Object.entries(ownFields))
          if (value === undefined) refuse(path, 'required')
        for (const [path, value] of Object.entries(needless)) if (value !== undefined) refuse(path, 'unknown')
        if (Kind !== 'interval' || To === undefined) return
        if (From % QUARTER_MS !== 0) refuse('From', 'quarter')
        if (To % QUARTER_MS !== 0) refuse('To', 'quarter')
        if (To <= From) refuse('To', 'endBeforeStart')
        else if (To - From > MAX_CORRECTION_RANGE_MS) refuse('To', 'tooBig')
      }),
    results: MeterCorrection,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['metering'],
  }),
  undoMeterCorrection: defineEndpoint({
    path: '/UndoMeterCorrection',
    summary: 'Reverts a correction; it remains in the journal.',
    access: update,
    input: z.object({ HomeID, CorrectionID }),
    results: MeterCorrection,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['metering'],
  }),
  listQuarantinedReading: defineEndpoint({
    path: '/ListQuarantinedReading',
    summary: 'Quarantined readings of a home, newest first, paged, and their number.',
    access: read,
    input: z.object({
      HomeID,
      PeripheralUID: MeterID.optional(),
      Cursor: Cursor.optional(),
      Limit: z.number().int().min(1).max(1_000).default(200),
    }),
    results: pageOf(QuarantinedReading).extend({
      /** At most one per meter; only on the first page. */
      Proposals: z.array(MeterProposal),
    }),
    errors: ['NOT_FOUND'],
    shows: ['quarantinedReading', 'metering', 'peripheral'],
  }),
  decideQuarantinedReading: defineEndpoint({
    path: '/DecideQuarantinedReading',
    summary:
      "Accepts or discards quarantined readings. Accepting one side of a conflict replaces the other; later readings after an accepted jump are accepted with it. LimitKw raises the meter's limit from then on. Rejected as a whole if another user decided differently meanwhile.",
    access: update,
    input: z
      .object({
        HomeID,
        Readings: z
          .array(
            z.object({
              PeripheralUID: MeterID,
              Timestamp: Millis,
              /** Value that the caller saw; not checked if omitted. */
              Value: z.number().optional(),
              /** Decision that the caller saw. */
              Decided: QuarantineDecision.nullable().default(null),
            }),
          )
          .min(1)
          .max(1_000),
        Decision: QuarantineDecision,
        /** New maximum power of the meter in kW, from the day of the earliest reading; only when accepting readings of one meter. */
        LimitKw: LimitKw.optional(),
      })
      .superRefine(({ Readings, Decision, LimitKw: limit }, context) => {
        if (limit === undefined) return
        const meters = new Set(Readings.map(({ PeripheralUID: uid }) => uid))
        if (Decision !== 'accepted' || meters.size > 1)
          context.addIssue({ code: 'custom', path: ['LimitKw'], message: 'unknown' })
      }),
    results: z.object({ Decided: z.number().int() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['metering'],
  }),
}
