import { type BookedTime, bookingMoment, dueFrom, dueOfBooking } from '../logic/schedule-clock.ts'
import type { BookingTrigger } from '../../../../contract/automation/schedule.ts'
import { idArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { RuleRow } from '../rules/rule-rows.ts'
import { isActiveRule } from './compile.ts'
import { RULE_COLUMNS, type RuleKey } from '../rules/rule-rows.ts'

const DAY = 86_400_000
/** Period ahead for which bookings have timers, ms; later bookings get theirs from `extendBookingSchedule`. */
export const BOOKING_HORIZON_MS = 92 * DAY
/** Maximum delay between the end of a booking and a timer, ms. */
const MAX_DELAY_AFTER_END_MS = 120 * 60_000

/** Place and time of a booking. */
export interface PlacedTime extends BookedTime {
  RecordID: string
  ConferenceRoomID: string
}

/**
 * Detail of a timer of kind booking. Its key is `RecordID/When`, with a third part if the booking has left its room.
 *
 * Moment  time of the booking that the delay counts from, epoch ms; if it has changed, the timer is void
 * Left    room that the booking has left, cancelled or moved while in progress, so that there is no booking to compare with
 */
export interface BookingDetail {
  RecordID: string
  Moment: number
  Left?: string
}

interface NewBookingTimer extends RuleKey {
  key: string
  dueAt: number
  detail: BookingDetail
}

/** A rule that is triggered by bookings. */
type BookingRule = RuleRow & { rule: { Booking: BookingTrigger } }
const ofBookings = (row: RuleRow): row is BookingRule => row.rule.Booking !== undefined

const keyOf = (RecordID: string, { When }: BookingTrigger): string => `${RecordID}/${When}`

/**
 * Replaces the timers of rules by those of the upcoming bookings of their rooms, in the transaction that created, changed or switched the
 * rules. Times in the past are skipped. The rooms are locked, so that no concurrent booking is missed. Timers for the end of a booking that
 * has left its room are kept and moved to the delay that the rule has now, as they cannot be recreated.
 */
export async function scheduleBookings(tx: Db, rows: readonly RuleRow[], now: number): Promise<void> {
  await deleteBookingTimers(tx, rows)
  await rescheduleLeftTimers(tx, rows)
  const rules = rows.filter(isActiveRule).filter(ofBookings)
  if (rules.length === 0) return
  await tx.query(sql`select 1 from conference_rooms where (tenant, conference_room_id) in (select * from unnest(
      ${idArray(rules.map(({ tenant }) => tenant))}::uuid[], ${roomsOf(rules)}::text[]))
    order by tenant, conference_room_id for share`)
  await addTimers(tx, await upcomingTimers(tx, rules, now), 'keep')
}

/**
 * Adds missing timers: for bookings that have come within the horizon, and any others. A void timer is harmless, as each is checked when
 * due.
 */
export async function extendBookingSchedule(db: Db, now: number): Promise<void> {
  const rows = await db.query<RuleRow>(sql`select ${RULE_COLUMNS} from automations a
    where a.rule ? 'Booking' and a.enabled order by a.tenant, a.automation_id`)
  for (const rule of rows.filter(ofBookings))
    await addTimers(db, await upcomingTimers(db, [rule], now), 'keep')
}

/**
 * Updates the booking timers of rules in the transaction that added, moved, released or cancelled bookings; the caller has locked the
 * rooms. A timer whose time has passed, for example for a booking that begins now, is due immediately.
 *
 * before, after  the bookings before and after the change; a new or cancelled one is in only one of them
 * returns        due time of the first new timer, epoch ms
 */
export async function rescheduleBookings(
  tx: Db,
  tenant: string,
  { before, after }: { before: readonly PlacedTime[]; after: readonly PlacedTime[] },
  now: number,
): Promise<number | undefined> {
  const rooms = new Set([...before, ...after].map(({ ConferenceRoomID }) => ConferenceRoomID))
  if (rooms.size === 0) return undefined
  // Key share: does not block updates that leave the keys unchanged.
  const rules = (
    await tx.query<RuleRow>(sql`select ${RULE_COLUMNS} from automations a where a.tenant = ${tenant} and a.rule ? 'Booking'
        and a.rule -> 'Booking' ->> 'ConferenceRoomID' = any(${[...rooms]}::text[])
      order by a.automation_id for key share`)
  ).filter(ofBookings)
  if (rules.length === 0) return undefined
  const [previous, present] = [byRecord(before), byRecord(after)]
  const changed = [...new Set([...previous.keys(), ...present.keys()])].map((id) => ({
    before: previous.get(id),
    after: present.get(id),
  }))
  const changes = rules.map((rule) => changed.map((booking) => changeOf(rule, booking, now)))
  const cancelled = changes.flat().flatMap((change) => change.cancelled)
  if (cancelled.length > 0)
    await tx.query(sql`delete from automation_waits where tenant = ${tenant} and kind = 'booking'
      and (automation_id, key) in (select * from unnest(
        ${cancelled.map(({ automationId }) => automationId)}::text[], ${cancelled.map(({ key }) => key)}::text[]))`)
  const added = changes.flat().flatMap((change) => change.added)
  await addTimers(tx, added, 'move')
  return added.length > 0 ? Math.min(...added.map(({ dueAt }) => dueAt)) : undefined
}

const byRecord = (bookings: readonly PlacedTime[]) =>
  new Map(bookings.map((booking) => [booking.RecordID, booking]))

interface Change {
  cancelled: (RuleKey & { key: string })[]
  added: NewBookingTimer[]
}

/** Timers of a rule to delete and to add when a booking changes. */
function changeOf(
  row: BookingRule,
  booking: { before: PlacedTime | undefined; after: PlacedTime | undefined },
  now: number,
): Change {
  const { tenant, automationId, rule } = row
  const { Booking: trigger } = rule
  const inRoom = (one: PlacedTime | undefined) =>
    one?.ConferenceRoomID === trigger.ConferenceRoomID ? one : undefined
  const [before, after] = [inRoom(booking.before), inRoom(booking.after)]
  const [previousDue, next] = [before && dueOfBooking(trigger, before), after && dueOfBooking(trigger, after)]
  const change: Change = { cancelled: [], added: [] }
  const add = (key: string, dueAt: number, detail: BookingDetail) => {
    if (isActiveRule(row))
      change.added.push({ tenant, automationId, key, dueAt: Math.max(dueAt, now), detail })
  }
  if (
    before &&
    trigger.When === 'release' &&
    isUnderWay(before, now) &&
    !(after && after.StartTimestamp <= now)
  )
    add(`${keyOf(before.RecordID, trigger)}/${now}`, dueFrom(trigger, now), {
      RecordID: before.RecordID,
      Moment: now,
      Left: before.ConferenceRoomID,
    })
  if (previousDue === next) return change
  if (before) change.cancelled.push({ tenant, automationId, key: keyOf(before.RecordID, trigger) })
  // A booking that has only just moved into a room is no no-show.
  const isTooLate = trigger.When === 'noShow' && next !== undefined && next < now
  if (after && next !== undefined && !isTooLate && next <= now + BOOKING_HORIZON_MS)
    add(keyOf(after.RecordID, trigger), next, {
      RecordID: after.RecordID,
      Moment: bookingMoment(trigger, after),
    })
  return change
}

const isUnderWay = ({ StartTimestamp, EndTimestamp, ReleasedAt }: PlacedTime, now: number): boolean =>
  StartTimestamp <= now && EndTimestamp > now && ReleasedAt === null

const roomsOf = (rules: readonly BookingRule[]): string[] =>
  rules.map(({ rule }) => rule.Booking.ConferenceRoomID)

const ofRules = (rows: readonly RuleRow[]) => sql`(w.tenant, w.automation_id) in (select * from unnest(
    ${idArray(rows.map(({ tenant }) => tenant))}::uuid[], ${rows.map(({ automationId }) => automationId)}::text[]))`

/** Deletes booking timers of rules, except those for the end of a booking that has left the rule's room. */
const deleteBookingTimers = (tx: Db, rows: readonly RuleRow[]) =>
  tx.query(sql`delete from automation_waits w using automations a
    where w.kind = 'booking' and ${ofRules(rows)} and a.tenant = w.tenant and a.automation_id = w.automation_id
      and (a.enabled and a.rule -> 'Booking' ->> 'When' = 'release'
        and a.rule -> 'Booking' ->> 'ConferenceRoomID' = w.detail ->> 'Left') is not true`)

const rescheduleLeftTimers = (tx: Db, rows: readonly RuleRow[]) =>
  tx.query(sql`update automation_waits w
    set due_at = (w.detail ->> 'Moment')::bigint + (a.rule -> 'Booking' ->> 'Minutes')::bigint * 60000
    from automations a where w.kind = 'booking' and w.detail ? 'Left' and ${ofRules(rows)}
      and a.tenant = w.tenant and a.automation_id = w.automation_id`)

/** Timers of rules for the upcoming bookings of their rooms, within the horizon. */
async function upcomingTimers(
  db: Db,
  rules: readonly BookingRule[],
  now: number,
): Promise<NewBookingTimer[]> {
  const booked = await db.query<PlacedTime & { tenant: string }>(sql`
    select tenant, record_id as "RecordID", conference_room_id as "ConferenceRoomID", start_timestamp as "StartTimestamp",
      end_timestamp as "EndTimestamp", released_at as "ReleasedAt"
    from reservations where (tenant, conference_room_id) in (select * from unnest(
      ${idArray(rules.map(({ tenant }) => tenant))}::uuid[], ${roomsOf(rules)}::text[]))
      and end_timestamp > ${now - MAX_DELAY_AFTER_END_MS}::bigint and start_timestamp < ${now + BOOKING_HORIZON_MS}::bigint`)
  return rules.flatMap(({ tenant, automationId, rule: { Booking: trigger } }) =>
    booked
      .filter((one) => one.tenant === tenant && one.ConferenceRoomID === trigger.ConferenceRoomID)
      .map((one) => ({
        tenant,
        automationId,
        key: keyOf(one.RecordID, trigger),
        dueAt: dueOfBooking(trigger, one),
        detail: { RecordID: one.RecordID, Moment: bookingMoment(trigger, one) },
      }))
      .filter(({ dueAt }) => dueAt > now),
  )
}

/** Inserts timers; an existing one with the same key is kept or moved. Ordered by key, so that two gateways cannot deadlock. */
async function addTimers(
  db: Db,
  timers: readonly NewBookingTimer[],
  existing: 'keep' | 'move',
): Promise<void> {
  if (timers.length === 0) return
  const rows = timers.map(({ tenant, automationId, key, dueAt, detail }) => ({
    tenant,
    automation_id: automationId,
    key,
    due_at: dueAt,
    detail,
  }))
  await db.query(sql`
    insert into automation_waits (tenant, automation_id, kind, key, due_at, detail)
    select w.tenant, w.automation_id, 'booking', w.key, w.due_at, w.detail
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as w (tenant uuid, automation_id text, key text, due_at bigint, detail jsonb)
    where exists (select from automations a where a.tenant = w.tenant and a.automation_id = w.automation_id)
    order by w.tenant, w.automation_id, w.key
    on conflict (tenant, automation_id, kind, key) do update set due_at = excluded.due_at, detail = excluded.detail
      where ${existing === 'move'}::boolean`)
}
