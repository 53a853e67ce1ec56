import { readRules, type RuleRow } from '../rules/rule-rows.ts'
import { bookingMoment, EARLY_PRESENCE_MS } from '../logic/schedule-clock.ts'
import type { ConditionTrace } from '../../../../contract/automation/run-calls.ts'
import type { BookingTrigger } from '../../../../contract/automation/schedule.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { ruleKey, sourceOf, isActiveRule } from './compile.ts'
import type { Engine } from './engine.ts'
import {
  createRunPlanner,
  planRuns,
  type RunOfRule,
  waitsUntil,
  type RunPlanner,
  planRun,
} from './plan-run.ts'
import { pausedHomes, endSkipReason, bookingSkipReason } from './why-not-run.ts'
import { homeKeyOf } from './places.ts'
import { resumeRule } from './loops.ts'
import { claimDueTimers, type TimerKind, type Timer } from './timers.ts'
import type { BookingDetail, PlacedTime } from './booking-timers.ts'
import { valueAt } from './condition-index.ts'
import { readCurrentStatus } from './log.ts'
import { ON_TIME_TOLERANCE_MS, readSetFields } from './schedules.ts'

/** Maximum number of rules whose timers are processed in one transaction. */
const BATCH = 100
/** Kinds of timers that are independent of conditions. */
const KINDS: readonly TimerKind[] = ['off', 'booking', 'resume']

/**
 * Runs due timers that are independent of conditions: switch-offs, bookings, and the resumption of suspended rules.
 *
 * returns  whether more timers may be due
 */
export async function runDueTimers(engine: Engine, now: number): Promise<boolean> {
  const count = await createRunPlanner(engine, async (planner) => {
    const timers = await claimDueTimers(planner.tx, KINDS, now, BATCH)
    if (timers.length === 0) return 0
    const rules = new Map((await readRules(planner.tx, timers)).map((row) => [ruleKey(row), row]))
    const paused = await pausedHomes(planner.tx, [...rules.values()], now)
    const offs: RunOfRule[] = []
    for (const timer of timers.toSorted((a, b) => a.dueAt - b.dueAt)) {
      const row = rules.get(ruleKey(timer))
      if (!row) continue
      engine.metrics.lag.observe(Math.max(0, now - timer.dueAt) / 1000)
      if (timer.kind === 'resume') {
        if (await resumeRule(engine, planner.tx, timer, now)) planner.changed.push(row)
        continue
      }
      const due = { timer, row, now, isPaused: paused.has(homeKeyOf(row)) }
      if (timer.kind === 'off') offs.push(switchOff(due))
      else await runBooking(engine, planner, due)
    }
    await planRuns(engine, planner, offs, now)
    return timers.length
  })
  return count >= BATCH
}

/** Switches off what a run switched on, whatever has happened to its rule since. */
function switchOff({ timer, row, now, isPaused }: DueTimer): RunOfRule {
  const notRun = endSkipReason(isPaused)
  return {
    row,
    run: {
      cause: 'off',
      plannedAt: timer.dueAt,
      actions: [],
      restores: timer.key,
      catchUpUntil: waitsUntil(row.rule, now, now),
      ...(notRun && { notRun }),
    },
  }
}

/** A due timer with its rule. */
interface DueTimer {
  timer: Timer
  row: RuleRow
  now: number
  isPaused: boolean
}

/**
 * Runs a rule for a booking, unless the booking has changed, someone was present, the room is booked again immediately, or it is too late.
 */
async function runBooking(
  engine: Engine,
  planner: RunPlanner,
  { timer, row, now, isPaused }: DueTimer,
): Promise<void> {
  const { Booking: trigger } = row.rule
  if (!isActiveRule(row) || !trigger) return
  const detail = timer.detail as unknown as BookingDetail
  const booking = await bookingNow(planner.tx, row.tenant, trigger, detail)
  if (!booking) return
  const presence = trigger.When === 'noShow' ? await readPresence(planner.tx, row, booking, now) : undefined
  if (presence?.Verdict === false) return
  const notRun = bookingSkipReason(row, {
    isMissed: now - timer.dueAt > (await readGrace(planner.tx, row)),
    isPaused,
    isPresenceUnknown: presence?.Verdict === null,
    isBookedAgain: trigger.When === 'release' && (await isBooked(planner.tx, row.tenant, booking, now)),
  })
  await planRun(engine, planner, row, {
    now,
    cause: 'booking',
    plannedAt: timer.dueAt,
    ...(presence && { conditions: [presence] }),
    ...(notRun && { notRun }),
  })
}

/** Maximum delay of a run, ms; a minute counts as on time, as for schedules. Actions that may hurt someone are never run late. */
async function readGrace(tx: Db, row: RuleRow): Promise<number> {
  const { Grace, Catching, Actions } = row.rule
  if (Catching === 'skip') return ON_TIME_TOLERANCE_MS
  const [set] = await readSetFields(tx, row, [Actions])
  return set?.needsConfirmation ? ON_TIME_TOLERANCE_MS : Math.max(ON_TIME_TOLERANCE_MS, Grace * 1000)
}

type Found = Pick<PlacedTime, 'RecordID' | 'ConferenceRoomID' | 'StartTimestamp'> & {
  CheckedInAt: number | null
}

/** Booking of a timer; undefined if it was cancelled or has moved. */
async function bookingNow(
  tx: Db,
  tenant: string,
  trigger: BookingTrigger,
  { RecordID, Moment, Left }: BookingDetail,
): Promise<Found | undefined> {
  const { ConferenceRoomID } = trigger
  if (Left) return { RecordID, ConferenceRoomID, StartTimestamp: Moment, CheckedInAt: null }
  const [found] = await tx.query<PlacedTime & Found>(sql`
    select record_id as "RecordID", conference_room_id as "ConferenceRoomID", start_timestamp as "StartTimestamp",
      end_timestamp as "EndTimestamp", released_at as "ReleasedAt", checked_in_at as "CheckedInAt"
    from reservations
    where tenant = ${tenant} and record_id = ${RecordID} and conference_room_id = ${ConferenceRoomID}`)
  return found && bookingMoment(trigger, found) === Moment ? found : undefined
}

/** Whether any booking occupies the room at a time, because its people would be left in the dark. */
async function isBooked(tx: Db, tenant: string, { ConferenceRoomID }: Found, now: number): Promise<boolean> {
  const found = await tx.query(sql`select 1 from reservations
    where tenant = ${tenant} and conference_room_id = ${ConferenceRoomID}
      and start_timestamp <= ${now}::bigint and end_timestamp > ${now}::bigint limit 1`)
  return found.length > 0
}

/**
 * Determines a no-show: the sensor has reported no presence since shortly before the start, and was online all the time.
 *
 * returns  verdict: true if no one was present, false if someone was or has checked in, null if unknown
 */
async function readPresence(tx: Db, row: RuleRow, booking: Found, now: number): Promise<ConditionTrace> {
  const { PeripheralUID = '', Field = '' } = row.rule.Booking?.Presence ?? {}
  const since = booking.StartTimestamp - EARLY_PRESENCE_MS
  const [device] = await readCurrentStatus(tx, row.tenant, [PeripheralUID])
  const Value = (device?.values && valueAt(device.values, Field)) ?? null
  const Needed = { Logical: '!=', Status: 1 } as const
  const trace = { PeripheralUID, Field, Value, At: device?.timestamp ?? null, Needed }
  if (booking.CheckedInAt !== null || Value === 1) return { ...trace, Verdict: false }
  const [history] = await tx.query<{ wasPresent: boolean; wasOffline: boolean }>(sql`
    select exists (select from device_events e where e.tenant = ${row.tenant} and e.peripheral_uid = ${PeripheralUID}
        and e.field = ${Field} and e.timestamp >= ${since}::bigint and (e.value = 1 or e.before = 1)) as "wasPresent",
      exists (select from hub_absences a join peripherals p on p.thing_name = a.thing_name
        where p.tenant = ${row.tenant} and p.peripheral_uid = ${PeripheralUID}
          and coalesce(a.until, ${now}::bigint) > ${since}::bigint and a.since <= ${now}::bigint) as "wasOffline"`)
  if (history?.wasPresent) return { ...trace, Verdict: false }
  const isKnown =
    Value !== null &&
    device?.isOnline === true &&
    !history?.wasOffline &&
    // Only states have a complete log of changes.
    sourceOf({ PeripheralUID, Field }) === 'event'
  return { ...trace, Verdict: isKnown ? true : null }
}
