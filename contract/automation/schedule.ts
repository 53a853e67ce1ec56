import { z } from 'zod'
import { ConferenceRoomID, Millis, PeripheralUID } from '../kernel/scalars.ts'
import { DateText } from '../tariffs/tariff-terms.ts'

/** Which days count: all, those on which people work, or those that are off-peak as a whole by the company's calendar. */
export const DAY_KINDS = ['all', 'workdays', 'offPeakDays'] as const
export type DayKind = (typeof DAY_KINDS)[number]

/** A moment of a day by the home's clock: minutes since midnight, or minutes from sunrise or sunset. */
const Minute = z.number().int().min(0, 'tooSmall').max(1439, 'tooBig')
export const SunMoment = z.strictObject({
  Sun: z.enum(['sunrise', 'sunset']),
  Offset: z.number().int().min(-180, 'tooSmall').max(180, 'tooBig'),
})
export type SunMoment = z.infer<typeof SunMoment>
export const Moment = z.union([Minute, SunMoment])
export type Moment = z.infer<typeof Moment>

/** Days of the week, 0 is Sunday; each once. */
export const Weekdays = z
  .array(z.number().int().min(0).max(6))
  .max(7)
  .refine((days) => new Set(days).size === days.length, 'taken')

/** Hours after which what a schedule switched on is switched off; 0 never (§9). */
export const OffAfter = z.number().int().min(0, 'tooSmall').max(99, 'tooBig')

/** A schedule that comes again (type 1): on which days, when, and between which days if it has an end. */
export const Repeating = z
  .strictObject({
    Weekdays: Weekdays.min(1, 'required'),
    At: Moment,
    Days: z.enum(DAY_KINDS).default('all'),
    /** Days on which it does not run. */
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

/** A schedule that runs once (type 2). It is disabled when it has run, and stays to be set again. */
export const Single = z.strictObject({ At: Millis, OffAfter: OffAfter.default(0) })
export type Single = z.output<typeof Single>

/**
 * A schedule of either sort. Keys too many let one that comes once fail as a whole: else the union would answer with these keys instead of
 * the reasons of the one that comes again.
 */
export const Schedule = z.union([
  Repeating,
  Single.check(({ issues }) => {
    for (const issue of issues) Object.assign(issue, { continue: false })
  }),
])

/**
 * When around a booking of a meeting room something happens. A room is released at the end of each booking: the one that was
 * booked, or an earlier one because somebody ended, moved or cancelled it under way or nobody checked in. Of bookings back to back
 * only the last one releases it.
 */
export const BOOKING_MOMENTS = ['before', 'start', 'release', 'noShow'] as const

/**
 * A meeting room's bookings as the trigger (type 1 without Schedule).
 *
 * Minutes   before: how long before the start; noShow: how long after the start nobody was there; else after the moment
 * Presence  of noShow: the sensor and field that is 1 while somebody is there. Nobody must have been since five minutes before the
 *           start, nor have checked in; when that is not known it does not run
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

/** A part of a week in which an automation is awake. One whose To is not after its From ends on the next day, and belongs to the day it began. */
export const Window = z.strictObject({
  Weekdays: Weekdays.min(1, 'required'),
  From: Moment,
  To: Moment,
  Days: z.enum(DAY_KINDS).default('all'),
})
export type Window = z.output<typeof Window>
