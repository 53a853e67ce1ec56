import { z } from 'zod'
import { ConferenceRoomID, Millis, PeripheralUID } from '../kernel/scalars.ts'
import { DateText } from '../time/date-text.ts'

/** Kinds of days: all, workdays, or those that are off-peak as a whole by the company's calendar. */
export const DAY_KINDS = ['all', 'workdays', 'offPeakDays'] as const
export type DayKind = (typeof DAY_KINDS)[number]

/** Time of day in the home's time zone: minutes since midnight, or minutes from sunrise or sunset. */
const Minute = z.number().int().min(0, 'tooSmall').max(1439, 'tooBig')
export const SunMoment = z.strictObject({
  Sun: z.enum(['sunrise', 'sunset']),
  Offset: z.number().int().min(-180, 'tooSmall').max(180, 'tooBig'),
})
export const Moment = z.union([Minute, SunMoment])
export type Moment = z.infer<typeof Moment>

/** Days of the week, 0 is Sunday; unique. */
export const Weekdays = z
  .array(z.number().int().min(0).max(6))
  .max(7)
  .refine((days) => new Set(days).size === days.length, 'taken')

/** Hours after which the schedule switches off what it switched on; 0 never (§9). */
export const OffAfter = z.number().int().min(0, 'tooSmall').max(99, 'tooBig')

/** Recurring schedule (type 1): days, time, and optional first and last day. */
export const Repeating = z
  .strictObject({
    Weekdays: Weekdays.min(1, 'required'),
    At: Moment,
    Days: z.enum(DAY_KINDS).default('all'),
    /** Dates on which it does not run. */
    Except: z.array(DateText).max(100, 'tooManyRows').default([]),
    From: DateText.nullable().default(null),
    Through: DateText.nullable().default(null),
    OffAfter: OffAfter.default(0),
  })
  .refine(({ From, Through }) => From === null || Through === null || From <= Through, {
    path: ['Through'],
    message: 'dateOrder',
  })
export type Repeating = z.output<typeof Repeating>

/** Schedule that runs once (type 2). It is disabled after its run, and can be set again. */
export const Single = z.strictObject({ At: Millis, OffAfter: OffAfter.default(0) })
export type Single = z.output<typeof Single>

/**
 * Schedule of either type. Unknown keys make parsing as `Single` fail completely; otherwise the union would report these keys
 * instead of the problems of a `Repeating`.
 */
export const Schedule = z.union([
  Repeating,
  Single.check(({ issues }) => {
    for (const issue of issues) Object.assign(issue, { continue: false })
  }),
])

/**
 * Times relative to a booking of a conference room. `release` is the end of each booking: as booked, or earlier if it was ended, moved
 * or cancelled while in progress, or if nobody checked in. Of consecutive bookings, only the last releases the room.
 */
export const BOOKING_MOMENTS = ['before', 'start', 'release', 'noShow'] as const

/**
 * Bookings of a conference room as the trigger (type 1 without Schedule).
 *
 * Minutes   before: minutes before the start; noShow: minutes after the start without presence; else minutes after the event
 * Presence  for noShow: sensor and field that is 1 while the room is occupied. It runs only if the room is known to have been
 *           empty since five minutes before the start and nobody checked in
 */
export const BookingTrigger = z
  .strictObject({
    ConferenceRoomID,
    When: z.enum(BOOKING_MOMENTS),
    Minutes: z.number().int().min(0, 'tooSmall').max(120, 'tooBig').default(0),
    Presence: z.strictObject({ PeripheralUID, Field: z.string().max(64) }).optional(),
  })
  .refine(({ When, Presence }) => When !== 'noShow' || Presence !== undefined, {
    path: ['Presence'],
    message: 'required',
  })
export type BookingTrigger = z.output<typeof BookingTrigger>

/**
 * Part of a week in which an automation is active. If To is not after From, it ends on the next day and belongs to the day it
 * began.
 */
export const Window = z.strictObject({
  Weekdays: Weekdays.min(1, 'required'),
  From: Moment,
  To: Moment,
  Days: z.enum(DAY_KINDS).default('all'),
})
export type Window = z.output<typeof Window>
