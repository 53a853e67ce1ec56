import type { FormInstance } from 'antd'
import { useState } from 'react'
import {
  bookings,
  type Scope,
  type BookingWithDetails,
  MAX_BOOKING_RANGE_MS,
} from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { occurrencesOf } from '../../../contract/bookings/booking-series.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { callErrorIn } from '../../data/post.ts'
import { useAction, type Send } from '../../data/use-action.ts'
import type { TrackedRecord } from '../../record-kit/use-tracked-record.ts'
import { type BookingValues, repeatOf, sentOf } from './booking-values.ts'
import { periodText } from './booking-words.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { call } from '../../data/api.ts'

/** Maximum number of conflicts that are listed. */
const MAX_CONFLICTS = 3

/**
 * First conflicting bookings; empty if they cannot be loaded.
 *
 * periods  one period or those of a series, ascending
 * ownBooking     the booking that is changed, which does not conflict with itself
 */
export async function describeConflicts(
  ConferenceRoomID: string,
  periods: readonly Period[],
  ownBooking: BookingWithDetails | undefined,
): Promise<BookingWithDetails[]> {
  const conflicts: BookingWithDetails[] = []
  let remaining = periods
  while (remaining.length > 0 && conflicts.length < MAX_CONFLICTS) {
    const StartTimestamp = remaining[0]?.StartTimestamp ?? 0
    const inRange = remaining.filter((period) => period.EndTimestamp <= StartTimestamp + MAX_BOOKING_RANGE_MS)
    const EndTimestamp = inRange.at(-1)?.EndTimestamp ?? StartTimestamp
    const savedBooking = await call(bookings.getByStartTimestamp, {
      ConferenceRoomID,
      StartTimestamp,
      EndTimestamp,
    }).catch(() => [])
    conflicts.push(
      ...savedBooking.filter(
        (booking) =>
          booking.RecordID !== ownBooking?.RecordID &&
          inRange.some(
            (period) =>
              booking.StartTimestamp < period.EndTimestamp && period.StartTimestamp < booking.EndTimestamp,
          ),
      ),
    )
    remaining = remaining.slice(inRange.length)
  }
  return conflicts.slice(0, MAX_CONFLICTS)
}

/** Error message with the conflicts. */
export interface Refusal {
  text: string
  /** Whether skipping the conflicting days would help. */
  skippable: boolean
}

/** Room and times of a new booking. */
export type NewBooking = Period & { ConferenceRoomID: string }

interface Options {
  form: FormInstance<BookingValues>
  rooms: readonly ConferenceRoomWithClock[]
  /** The booking that is changed, if any. */
  tracked: TrackedRecord<BookingWithDetails>
  scope: Scope
  /** Receives the first new booking, if any. */
  saved: (booked?: NewBooking) => void
}

/** Form field of each path in the call's errors. */
const FIELD_OF: Record<string, keyof BookingValues> = {
  StartTimestamp: 'start',
  EndTimestamp: 'end',
  'Repeat.Until': 'until',
}

/** Creates or changes the booking of the form; shows errors and conflicts at their fields. */
export function useSaveBooking({ form, rooms, tracked, scope, saved }: Options) {
  const t = useT()
  const language = useLanguage()
  const [refusal, setRefusal] = useState<Refusal>()
  const { base, changes } = tracked

  /** Resolves false if another user has changed it meanwhile. */
  const change = async (
    { RecordID, SeriesID, Sequence }: BookingWithDetails,
    send: Send,
  ): Promise<boolean> => {
    const { changed, seen } = changes()
    if (Object.keys(changed).length === 0) return true
    const Seen = scope === 'one' ? seen : { ...seen, SeriesID, Sequence }
    return tracked.save(async () => {
      const updated = await send(bookings.update, { RecordID, Scope: scope, ...changed, Seen })
      notices.success(() => t('bookings:changed', { count: updated.length }))
    })
  }

  const book = async (
    now: BookingValues,
    { ConferenceRoomName, TimeZone }: ConferenceRoomWithClock,
    SkipTaken: boolean,
    send: Send,
  ): Promise<NewBooking | undefined> => {
    const repeat = repeatOf(now)
    const created = await send(bookings.add, {
      ...sentOf(now, TimeZone),
      ...(repeat && { Repeat: repeat }),
      ...(SkipTaken && { SkipTaken }),
    })
    const [first] = created
    notices.success(() =>
      first && created.length === 1
        ? t('bookings:bookedOne', {
            room: ConferenceRoomName,
            when: periodText(first, TimeZone, language),
          })
        : t('bookings:booked', { count: created.length }),
    )
    return first
  }

  /** Shows an error with the conflicts, at the affected fields. */
  const refuse = async (error: unknown, now: BookingValues, at: ConferenceRoomWithClock) => {
    const fields = callErrorIn(error)?.fields ?? {}
    const isTaken = fields['StartTimestamp'] === 'booked'
    const repeat = repeatOf(now)
    const input = sentOf(now, at.TimeZone, base)
    const periods = repeat ? occurrencesOf(input, repeat, at.TimeZone) : [input]
    const conflicts = isTaken ? await describeConflicts(at.ConferenceRoomID, periods, base) : []
    const reason = Object.values(fields)[0]
    const names = conflicts.map((conflict) => {
      const conflictPeriod = periodText(conflict, at.TimeZone, language)
      return conflict.Hidden
        ? t('bookings:privateAt', { when: conflictPeriod })
        : t('bookings:takenBy', {
            when: conflictPeriod,
            subject: conflict.Subject,
            who: conflict.Host || conflict.BookedByEmail,
          })
    })
    setRefusal({
      text: [reason ? describeField(reason) : describeFailure(error), ...names].join(' · '),
      skippable: isTaken && repeat !== undefined,
    })
    form.setFields(
      Object.entries(fields).flatMap(([path, cause]) => {
        const name = FIELD_OF[path] ?? path.split('.')[0]
        return name && name in now
          ? [{ name: name as keyof BookingValues, errors: [describeField(cause)] }]
          : []
      }),
    )
  }

  const { busy, run: save } = useAction(async (SkipTaken: boolean, send) => {
    const now = form.getFieldsValue(true) as BookingValues
    const at = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === now.ConferenceRoomID)
    if (!at) return
    setRefusal(undefined)
    try {
      if (!base) saved(await book(now, at, SkipTaken, send))
      // Otherwise the refetch brings the other user's version.
      else if (await change(base, send)) saved()
    } catch (error) {
      await refuse(error, now, at)
    }
  })
  return { busy, refusal, save }
}
