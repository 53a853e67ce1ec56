import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { CognitoId, ConferenceRoomID, Email, Millis, RecordID, requiredText } from '../kernel/scalars.ts'
import { BookingRepeat } from './booking-series.ts'
import { MAX_BOOKING_MINUTES } from '../time/booking.ts'

/**
 * Booking of a conference room (§3), [StartTimestamp, EndTimestamp) on whole minutes, in the room's local time.
 *
 * Attendees      email addresses (§5), also external ones
 * Private        whether only the organizer, attendees and users who may change others' bookings see more than the period
 * Hidden         whether the booking is private and the caller is none of those: texts and people are omitted
 * SeriesID       series of a repeated booking; null for a single one
 * Sequence       number of changes, for calendars (RFC 5545); for a series that is a single calendar event, of all its bookings together
 * BookedBy       null if that user was deleted
 * CheckedInAt    time of the check-in at the door or on a screen
 * ReleasedAt     time of an early end, manual or for lack of a check-in; EndTimestamp is the earlier end
 */
export const Booking = z.object({
  RecordID,
  ConferenceRoomID,
  StartTimestamp: Millis,
  EndTimestamp: Millis,
  Subject: requiredText(128),
  Description: z.string().trim().max(2000, 'tooLong'),
  Host: z.string().trim().max(64, 'tooLong'),
  Attendees: z.array(Email).min(1, 'required').max(100, 'tooManyRows'),
  Private: z.boolean(),
  SeriesID: RecordID.nullable(),
  Sequence: z.number().int().min(0),
  BookedBy: CognitoId.nullable(),
  BookedByEmail: z.string(),
  CheckedInAt: Millis.nullable(),
  ReleasedAt: Millis.nullable(),
})
export type Booking = z.infer<typeof Booking>

/** Booking as visible to the caller. */
export const BookingWithDetails = Booking.extend({
  Subject: z.string(),
  Attendees: z.array(z.string()),
  Hidden: z.boolean(),
})
export type BookingWithDetails = z.infer<typeof BookingWithDetails>

export const BookingKey = Booking.pick({ RecordID: true })

/** Part of a series that a change applies to: this booking, this and later ones, or all that are not over. */
export const SCOPES = ['one', 'following', 'all'] as const
export type Scope = (typeof SCOPES)[number]
const WithScope = BookingKey.extend({ Scope: z.enum(SCOPES).default('one') })

const Words = Booking.pick({
  Subject: true,
  Description: true,
  Host: true,
  Attendees: true,
  Private: true,
})
const When = Booking.pick({ ConferenceRoomID: true, StartTimestamp: true, EndTimestamp: true })

/**
 * Booking as the caller saw it before editing: its changed fields, and if the change affects more of a series, the series and its
 * Sequence.
 */
const Seen = Booking.pick({ SeriesID: true, Sequence: true }).extend(When.shape).extend(Words.shape).partial()

/** Maximum range of one call in ms: two months, for a calendar month with its margins. */
export const MAX_BOOKING_RANGE_MS = 62 * 86_400_000
const Span = z
  .object({ StartTimestamp: Millis, EndTimestamp: Millis })
  .refine((span) => span.EndTimestamp > span.StartTimestamp, {
    path: ['EndTimestamp'],
    error: 'endBeforeStart',
  })
  .refine((span) => span.EndTimestamp - span.StartTimestamp <= MAX_BOOKING_RANGE_MS, {
    path: ['EndTimestamp'],
    error: 'tooBig',
  })

/** User of the company who can be invited. Department is null if there is none. */
export const Colleague = z.object({
  Email,
  Name: z.string(),
  Department: z.string().nullable(),
})

/** Calendar feed of a user or a room, or the page at a room's door; its secret address is shown once. */
export const BookingLink = z.object({
  LinkID: RecordID,
  Kind: z.enum(['person', 'room', 'door']),
  ConferenceRoomID: ConferenceRoomID.nullable(),
  CreatedAt: Millis,
})
export type BookingLink = z.infer<typeof BookingLink>

/** Bookings of conference rooms (§7 Conference). A user may always change and cancel their own; others' require the right to update. */
export const bookings = {
  getByEmail: defineEndpoint({
    path: '/GetReservationByEmail',
    summary:
      "Bookings that a user made or attends, by start; past ones only if Past is true. An Email other than the caller's requires Update on conference rooms.",
    access: right('conference_room', 'Read'),
    sites: 'mixed',
    input: z.object({ Email, Past: z.boolean().optional() }),
    results: z.array(BookingWithDetails),
    errors: ['PERMISSION_DENIED'],
    shows: ['conferenceRoom'],
    freshFor: 0,
  }),
  getByStartTimestamp: defineEndpoint({
    path: '/GetReservationByStartTimestamp',
    summary: 'Bookings that overlap a period of at most 62 days, by start; of one room or of all.',
    access: right('conference_room', 'Read'),
    sites: 'mixed',
    input: Span.safeExtend({ ConferenceRoomID: ConferenceRoomID.optional() }),
    results: z.array(BookingWithDetails),
    shows: ['conferenceRoom'],
    freshFor: 0,
  }),
  availableSlots: defineEndpoint({
    path: '/AvailableSlots',
    summary:
      'Periods in which conference rooms are free for at least the given number of minutes, by start, then by capacity, smallest first.',
    access: right('conference_room', 'Read'),
    sites: 'mixed',
    input: Span.safeExtend({
      Minutes: z.number().int().min(1, 'tooSmall').max(MAX_BOOKING_MINUTES, 'tooBig'),
      Capacity: z.number().int().min(1, 'tooSmall').max(10_000, 'tooBig').default(1),
      ConferenceRoomID: ConferenceRoomID.optional(),
    }),
    results: z.array(When),
    shows: ['conferenceRoom'],
    freshFor: 0,
  }),
  searchColleague: defineEndpoint({
    path: '/SearchColleague',
    summary:
      'People of the company whose name, address or department contains the search text, by name; those whose name begins with it first. Excludes disabled users.',
    access: right('conference_room', 'Create'),
    sites: 'company',
    input: z.object({
      Search: z.string().trim().min(1, 'required').max(100, 'tooLong'),
      Limit: z.number().int().min(1).max(20).default(8),
    }),
    results: z.array(Colleague),
    shows: ['user', 'department'],
  }),
  add: defineEndpoint({
    path: '/AddReservation',
    summary:
      'Books a conference room, once or as a series, and invites attendees. If the period is taken, CONFLICT names the existing booking; for a series, SkipTaken skips taken periods.',
    access: right('conference_room', 'Create'),
    sites: 'record',
    input: When.extend(Words.partial().required({ Subject: true, Attendees: true }).shape).extend({
      Repeat: BookingRepeat.optional(),
      SkipTaken: z.boolean().optional(),
    }),
    results: z.array(Booking),
    errors: ['CONFLICT', 'NOT_FOUND'],
    mutates: true,
    changes: ['conferenceRoom'],
  }),
  update: defineEndpoint({
    path: '/UpdateReservation',
    summary:
      'Changes a booking, or several of its series; omitted fields keep their values. Bookings of other users require Update on conference rooms. Rejected if a field differs from its value in Seen.',
    access: right('conference_room', 'Read'),
    sites: 'record',
    input: WithScope.extend(When.partial().shape).extend(Words.partial().shape).extend({
      Seen: Seen.optional(),
    }),
    results: z.array(Booking),
    errors: ['CONFLICT', 'NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['conferenceRoom'],
  }),
  remove: defineEndpoint({
    path: '/DeleteReservation',
    summary:
      'Cancels a booking, or several of its series, and notifies attendees. Bookings of other users require Delete on conference rooms.',
    access: right('conference_room', 'Read'),
    sites: 'record',
    input: WithScope,
    results: z.array(BookingKey),
    errors: ['CONFLICT', 'NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['conferenceRoom'],
  }),
  checkIn: defineEndpoint({
    path: '/CheckInReservation',
    summary:
      'Checks in to a booking, which confirms that it takes place; possible from 15 minutes before its start until its end.',
    access: right('conference_room', 'Read'),
    sites: 'record',
    input: BookingKey,
    results: Booking,
    errors: ['CONFLICT', 'NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['conferenceRoom'],
  }),
  listLinks: defineEndpoint({
    path: '/ListBookingLink',
    summary: 'Calendar feeds of the caller and, with Update on conference rooms, of rooms and door displays.',
    access: right('conference_room', 'Read'),
    sites: 'mixed',
    input: z.object({}),
    results: z.array(BookingLink),
    shows: ['bookingLink', 'conferenceRoom'],
    freshFor: 0,
  }),
  createLink: defineEndpoint({
    path: '/CreateBookingLink',
    summary:
      "Creates a secret URL, returned only once: the caller's bookings as a calendar feed, or, with Update on conference rooms, a room's bookings or its door display. An earlier URL for the same is revoked.",
    access: right('conference_room', 'Read'),
    sites: 'record',
    input: BookingLink.pick({ Kind: true }).extend({ ConferenceRoomID: ConferenceRoomID.optional() }),
    results: BookingLink.extend({ Path: credential(z.string()) }),
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['bookingLink'],
  }),
  revokeLink: defineEndpoint({
    path: '/RevokeBookingLink',
    summary: 'Revokes a secret URL; those of rooms require Update on conference rooms.',
    access: right('conference_room', 'Read'),
    sites: 'record',
    input: BookingLink.pick({ LinkID: true }),
    results: BookingLink.pick({ LinkID: true }),
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    mutates: true,
    changes: ['bookingLink'],
  }),
}
