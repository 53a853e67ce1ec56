import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { Cursor, pageOf } from '../kernel/page.ts'
import { HomeID, MeterID, Millis } from '../kernel/scalars.ts'
import { QUARTER_MS } from '../time/periods.ts'
import { LimitKw } from './fact-calls.ts'

/** What a person may say of a meter's energy: how much it was, or that another meter took its place. */
export const CORRECTION_KINDS = ['interval', 'replacement'] as const
/** How the energy of several intervals is shared: by what the readings say, or in equal parts. */
export const DISTRIBUTION_METHODS = ['shape', 'even'] as const

/** Longest range of one correction, in ms: a leap year. */
export const MAX_CORRECTION_RANGE_MS = 366 * 86_400_000
const Kwh = z.number().min(0).max(1e12)
const CorrectionID = z.uuid()

/** One entry of a home's journal of corrections: never edited, only undone. */
export const MeterCorrection = z.object({
  CorrectionID,
  HomeID,
  PeripheralUID: MeterID,
  /** As it is now called, or was last; null when nobody remembers. */
  PeripheralName: z.string().nullable(),
  Kind: z.enum(CORRECTION_KINDS),
  From: Millis,
  /** Exclusive; of a replacement the same moment. */
  To: Millis,
  /** Of the whole range; null for a replacement. */
  kWh: Kwh.nullable(),
  Sharing: z.enum(DISTRIBUTION_METHODS).nullable(),
  /** What the old meter showed last and the new one first; null for a range. */
  OldKwh: Kwh.nullable(),
  NewKwh: Kwh.nullable(),
  Note: z.string(),
  AuthorName: z.string(),
  CreatedAt: Millis,
  /** Null while it counts. */
  UndoneAt: Millis.nullable(),
  UndoneBy: z.string().nullable(),
})
export type MeterCorrection = z.infer<typeof MeterCorrection>

/** Why a reading does not count until a person decides (contract/meters/validate-readings.ts). */
export const QUARANTINE_REASONS = ['jump', 'glitch', 'conflict', 'invalid'] as const

/** What a person says of a quarantined reading: it counts after all, or never. */
const QuarantineDecision = z.enum(['accepted', 'dropped'])

/** A reading that waits for a person's word. */
export const QuarantinedReading = z.object({
  PeripheralUID: MeterID,
  PeripheralName: z.string().nullable(),
  Timestamp: Millis,
  /** kWh as it was reported. */
  Value: z.number(),
  Reason: z.enum(QUARANTINE_REASONS),
  /** Of a conflict: the value that counts, in kWh. */
  Stored: z.number().nullable(),
  /** The last reading before it that counts; null when it would be the first. */
  Before: z.object({ Timestamp: Millis, kWh: z.number() }).nullable(),
})
export type QuarantinedReading = z.infer<typeof QuarantinedReading>

/** Explanation of a lasting jump of a meter, accepted as a whole instead of reading by reading. */
export const MeterProposal = z.object({
  PeripheralUID: MeterID,
  PeripheralName: z.string().nullable(),
  /** `limit`: the meter may pass more; `replacements`: its counter fell and came back, which is entered as two replacements. */
  Kind: z.enum(['limit', 'replacements']),
  /** Since when, and how many readings do not count. */
  Since: Millis,
  Count: z.number().int(),
  /** The first of them: accepted with `LimitKw`, all count. */
  First: z.object({ Timestamp: Millis, Value: z.number() }),
  /** Energy that counts once the proposal is accepted. */
  kWh: z.number(),
  /** The most that the meter passed, and what it may pass then; null for replacements. */
  Kw: z.number().nullable(),
  LimitKw: LimitKw.nullable(),
  /** To be entered as corrections of the kind `replacement`; none for a limit. */
  Replacements: z.array(z.object({ At: Millis, OldKwh: z.number(), NewKwh: z.number() })),
})
export type MeterProposal = z.infer<typeof MeterProposal>

const read = right('electricity', 'Read')
const update = right('electricity', 'Update')

export const meterCorrections = {
  listMeterCorrection: defineEndpoint({
    path: '/ListMeterCorrection',
    summary:
      'What people corrected in the energy of a home or a meter, newest first; without the rows of imports.',
    access: read,
    input: z.object({
      HomeID,
      PeripheralUID: MeterID.optional(),
      /** Only older ones, for the next page. */
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
      'Says how much energy a meter counted in whole quarters of an hour, or that it was replaced at From: every total follows.',
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
        const wanted = Kind === 'interval' ? { To, kWh } : { OldKwh, NewKwh }
        const needless = Kind === 'interval' ? { OldKwh, NewKwh } : { To, kWh }
        for (const [path, value] of Object.entries(wanted)) if (value === undefined) refuse(path, 'required')
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
    summary: 'Takes a correction back; it stays in the journal.',
    access: update,
    input: z.object({ HomeID, CorrectionID }),
    results: MeterCorrection,
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['metering'],
  }),
  listQuarantinedReading: defineEndpoint({
    path: '/ListQuarantinedReading',
    summary:
      'Readings of a home that cannot be true and wait for a decision, newest first, a page at a time, and how many there are.',
    access: read,
    input: z.object({
      HomeID,
      PeripheralUID: MeterID.optional(),
      Cursor: Cursor.optional(),
      Limit: z.number().int().min(1).max(1_000).default(200),
    }),
    results: pageOf(QuarantinedReading).extend({
      /** At most one a meter; only with the first page. */
      Proposals: z.array(MeterProposal),
    }),
    errors: ['NOT_FOUND'],
    shows: ['quarantinedReading', 'metering', 'peripheral'],
  }),
  decideQuarantinedReading: defineEndpoint({
    path: '/DecideQuarantinedReading',
    summary:
      'Counts quarantined readings after all, or drops them for good. An accepted one of a conflict takes the place of the other; those that follow an accepted jump count with it. With LimitKw the meter may pass more from then on. Refused, and none is decided, where somebody else decided otherwise meanwhile.',
    access: update,
    input: z
      .object({
        HomeID,
        Readings: z
          .array(
            z.object({
              PeripheralUID: MeterID,
              Timestamp: Millis,
              /** As whoever decides saw it; any when left out. */
              Value: z.number().optional(),
              /** What was decided of it as far as whoever decides knows. */
              Decided: QuarantineDecision.nullable().default(null),
            }),
          )
          .min(1)
          .max(1_000),
        Decision: QuarantineDecision,
        /** The most that the meter of these readings may pass from the day of the earliest on, in kW; only of accepted ones of one meter. */
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
