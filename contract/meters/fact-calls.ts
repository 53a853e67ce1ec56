import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, MeterID, Millis, Name, RoomID } from '../kernel/scalars.ts'
import { CEILING_KW } from './validate-readings.ts'
import { METER_FACTS, METER_USES, type MeterFactName } from './meter-facts.ts'
import { METER_ROLES } from '../devices/meter-roles.ts'
import { DateText } from '../time/date-text.ts'
import { VirtualMeter } from './virtual-meter.ts'

/** Maximum power of a meter, in kW. */
export const LimitKw = z.number().positive('tooSmall').max(CEILING_KW, 'tooBig')

/** Values of each fact (contract/meters/meter-facts.ts). */
export const FACT_VALUES = {
  role: z.enum(METER_ROLES),
  room: RoomID,
  parent: MeterID.nullable(),
  use: z.enum(METER_USES),
  terms: VirtualMeter.shape.Terms,
  limit: LimitKw.nullable(),
} as const satisfies Record<MeterFactName, z.ZodType>

const Fact = z.enum(METER_FACTS)
/** First day of a fact in local time; null if it was always valid. */
const From = DateText.nullable()
const Value = z.union([z.string(), z.number(), z.null(), VirtualMeter.shape.Terms])

/** Fact about a meter that is valid from a day until the next entry of the same fact. */
export const MeterFact = z.object({
  MeterID,
  /** `rated` is a limit derived from the device, `learnt` one derived from its readings. */
  Fact: z.enum([...METER_FACTS, 'rated', 'learnt']),
  From,
  Value,
  /** Author; null for initial and learnt values. */
  By: z.string().nullable(),
  At: Millis,
})
export type MeterFact = z.infer<typeof MeterFact>

/** History as the caller saw it, in chronological order. */
const Seen = z.array(MeterFact.pick({ From: true, Value: true })).optional()

export const MAX_HISTORY_ENTRIES = 200

export const MAX_FACTS_PER_CALL = 500

const Said = z.strictObject({ MeterID, Fact, Value, From })

/** Validates the value against its fact's schema. */
function checkSaid({ Fact: fact, Value: value }: z.output<typeof Said>, context: z.RefinementCtx): void {
  for (const issue of FACT_VALUES[fact].safeParse(value).error?.issues ?? [])
    context.addIssue({ code: 'custom', path: ['Value', ...issue.path], message: issue.message })
}

/** Deleted room that once had meters. */
const EndedRoom = z.object({ RoomID, RoomName: Name, RemovedAt: Millis })
export type EndedRoom = z.infer<typeof EndedRoom>

export const meterFacts = {
  listEndedRoom: defineEndpoint({
    path: '/ListEndedRoom',
    summary: "Deleted rooms of a home in which meters counted, for the names of their meters' locations.",
    access: right('electricity', 'Read'),
    input: z.object({ HomeID }),
    results: z.array(EndedRoom),
    errors: ['NOT_FOUND'],
    shows: ['room'],
  }),
  listMeterFact: defineEndpoint({
    path: '/ListMeterFact',
    summary:
      'Facts about all meters of a home or about one meter, each with its first day, all of them or one: role, room, parent meter, use, terms and limit. A meter without a room or a parent here has those of its device.',
    access: right('electricity', 'Read'),
    input: z.object({ HomeID, MeterID: MeterID.optional(), Fact: Fact.optional() }),
    results: z.array(MeterFact),
    errors: ['NOT_FOUND'],
    shows: ['metering', 'peripheral', 'virtualMeter'],
  }),
  setMeterFact: defineEndpoint({
    path: '/SetMeterFact',
    summary:
      'Sets a fact about a meter from a day on, until the next entry. With From null it replaces the whole history of that fact. Returns the history of the fact. Rejected if Seen is given and differs from the current history, and if a virtual meter would count a register twice: `countedTwice` or `takenAway` at `Terms.<MeterID>.<first day>/<last day>`.',
    access: right('electricity', 'Update'),
    input: z.object({ HomeID, ...Said.shape, Seen }).superRefine(checkSaid),
    results: z.array(MeterFact),
    errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    mutates: true,
    // The device record also contains today's room and parent.
    changes: ['metering', 'peripheral', 'virtualMeter'],
  }),
  setMeterFacts: defineEndpoint({
    path: '/SetMeterFacts',
    summary:
      'Sets several facts about meters of a home as /SetMeterFact does, all or none: only the combined result is validated. Returns the histories of these facts.',
    access: right('electricity', 'Update'),
    input: z.object({
      HomeID,
      Facts: z.array(Said.superRefine(checkSaid)).min(1, 'required').max(MAX_FACTS_PER_CALL, 'tooManyRows'),
    }),
    results: z.array(MeterFact),
    errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: ['metering', 'peripheral', 'virtualMeter'],
  }),
  deleteMeterFact: defineEndpoint({
    path: '/DeleteMeterFact',
    summary:
      'Deletes the entry of a fact about a meter that begins on the given day; the previous entry then continues. Returns the history of the fact. Rejected if Seen is given and differs from the current history.',
    access: right('electricity', 'Delete'),
    input: z.object({ HomeID, MeterID, Fact, From, Seen }),
    results: z.array(MeterFact),
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['metering', 'peripheral', 'virtualMeter'],
  }),
}
