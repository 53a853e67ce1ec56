import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Millis, RoomID } from '../kernel/scalars.ts'
import { DAY_KINDS, Weekdays } from '../automation/schedule.ts'
import { PLACE_FACTS, type PlaceFactName } from './place-facts.ts'
import { DateText } from '../time/date-text.ts'

/** Minutes since midnight in local time. */
const Minute = z.number().int().min(0, 'tooSmall').max(1439, 'tooBig')

/** Weekly working hours. If To is not after From, the window ends on the next day and belongs to the day on which it began. */
const OpeningWindow = z.strictObject({
  Weekdays: Weekdays.min(1, 'required'),
  From: Minute,
  To: Minute,
  Days: z.enum(DAY_KINDS),
})

export const MAX_WINDOWS = 21
export const OpeningHours = z.array(OpeningWindow).max(MAX_WINDOWS, 'tooBig')
export type OpeningHours = z.infer<typeof OpeningHours>

/** Values of each fact (contract/homes/place-facts.ts): m² without parking, and weekly opening hours. */
export const PLACE_FACT_VALUES = {
  area: z.number().positive('tooSmall').max(10_000_000, 'tooBig'),
  hours: OpeningHours.nullable(),
} as const satisfies Record<PlaceFactName, z.ZodType>

const Fact = z.enum(PLACE_FACTS)
/** First day of a fact in local time; null if it was always valid. */
const From = DateText.nullable()
const Value = z.union([z.number(), z.null(), OpeningHours])
/** Null means the whole home. */
const Where = RoomID.nullable()

/** Fact about a home or room that is valid from a day until the next entry of the same fact. */
export const PlaceFact = z.object({
  RoomID: Where,
  Fact,
  From,
  Value,
  By: z.string(),
  At: Millis,
})
export type PlaceFact = z.infer<typeof PlaceFact>

/** History as the caller saw it, in chronological order. */
const Seen = z.array(PlaceFact.pick({ From: true, Value: true })).optional()

export const placeFacts = {
  listPlaceFact: defineEndpoint({
    path: '/ListPlaceFact',
    summary:
      'Facts about a home and its rooms, each with its first day: area without parking (m²) and opening hours. A room without opening hours has those of its home.',
    access: right('electricity', 'Read'),
    input: z.object({ HomeID }),
    results: z.array(PlaceFact),
    errors: ['NOT_FOUND'],
    shows: ['metering'],
  }),
  setPlaceFact: defineEndpoint({
    path: '/SetPlaceFact',
    summary:
      'Sets a fact about a home (RoomID null) or a room from a day on, until the next entry. With From null it replaces the whole history of that fact. Returns the history of the fact. Rejected if Seen is given and differs from the current history.',
    access: right('electricity', 'Update'),
    input: z
      .object({ HomeID, RoomID: Where, Fact, Value, From, Seen })
      .superRefine(({ Fact: fact, Value: value }, context) => {
        for (const issue of PLACE_FACT_VALUES[fact].safeParse(value).error?.issues ?? [])
          context.addIssue({ code: 'custom', path: ['Value', ...issue.path], message: issue.message })
      }),
    results: z.array(PlaceFact),
    errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    mutates: true,
    changes: ['metering'],
  }),
  deletePlaceFact: defineEndpoint({
    path: '/DeletePlaceFact',
    summary:
      'Deletes the entry of a fact about a home or room that begins on the given day; the previous entry then continues. Returns the history of the fact. Rejected if Seen is given and differs from the current history.',
    access: right('electricity', 'Delete'),
    input: z.object({ HomeID, RoomID: Where, Fact, From, Seen }),
    results: z.array(PlaceFact),
    errors: ['NOT_FOUND', 'CONFLICT'],
    mutates: true,
    changes: ['metering'],
  }),
}
