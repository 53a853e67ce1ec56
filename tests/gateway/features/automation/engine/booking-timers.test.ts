import { beforeEach, describe, expect, it } from 'vitest'
import type { BookingTrigger } from '../../../../../contract/automation/schedule.ts'
import {
  BOOKING_HORIZON_MS,
  rescheduleBookings,
  type PlacedTime,
  extendBookingSchedule,
} from '../../../../../gateway/features/automation/engine/booking-timers.ts'
import { runDueTimers } from '../../../../../gateway/features/automation/engine/run-due-timers.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { openDb } from '../../../../../gateway/store/db.ts'
import type { HeldClock } from '../../../../support/clock.ts'
import { createKillPoints, points } from '../../../../support/kill-points.ts'
import { silentLog, testSocketDir } from '../../../../support/postgres.ts'
import {
  addAutomation,
  createTestEngine,
  holdBuilding,
  HOME,
  HUB,
  replanNow,
  report,
  storedRuns,
  TENANT,
} from './support.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Monday, 9:00 in Taipei. */
const START = Date.UTC(2026, 0, 5, 1)
const ROOM = 'jade'

let db: Db
let name: string
let clock: HeldClock

holdBuilding(START, ['sensor'], (held) => void ({ db, name, clock } = held))
beforeEach(async () => {
  await db.query(sql`insert into conference_rooms (tenant, conference_room_id, conference_room_name, capacity, home_id,
      equipment, active, release_after) values (${TENANT}, ${ROOM}, 'Jade', 8, ${HOME}, '', true, 0)`)
})

const isOf = (RecordID: string, from: number, more: Partial<PlacedTime> = {}): PlacedTime => ({
  RecordID,
  ConferenceRoomID: ROOM,
  StartTimestamp: START + from,
  EndTimestamp: START + from + HOUR,
  ReleasedAt: null,
  ...more,
})

const insert = (tx: Db, booking: PlacedTime) =>
  tx.query(sql`insert into reservations (tenant, record_id, conference_room_id, room_no, start_timestamp, end_timestamp,
      subject, description, host, attendees, private, booked_by_email, released_at, sequence)
    select ${TENANT}, ${booking.RecordID}, ${ROOM}, room_no, ${booking.StartTimestamp}, ${booking.EndTimestamp}, '', '', '',
      '[]', false, 'a@x.tw', ${booking.ReleasedAt}, 0 from conference_rooms`)

/** Stores a booking, as the calls do. */
async function book(RecordID: string, from: number, more: Partial<PlacedTime> = {}): Promise<PlacedTime> {
  const booking = isOf(RecordID, from, more)
  await db.transaction(async (tx) => {
    await insert(tx, booking)
    await rescheduleBookings(tx, TENANT, { before: [], after: [booking] }, clock.now())
  })
  return booking
}

async function follow(id: string, Booking: Partial<BookingTrigger> & Pick<BookingTrigger, 'When'>) {
  const automationId = await addAutomation(db, {
    id,
    Booking: { ConferenceRoomID: ROOM, Minutes: 0, ...Booking },
  })
  await replanNow(db, clock, automationId)
  return automationId
}

/** Timers of rules, in minutes from the start. */
const waits = async () =>
  (
    await db.query<{ id: string; key: string; at: number }>(sql`select automation_id as id, key, due_at as at
      from automation_waits where kind = 'booking' order by due_at, automation_id`)
  ).map(({ id, key, at }) => `${(at - START) / MINUTE} ${id} ${key}`)

async function runDue(gateway = createTestEngine(db, clock)) {
  while (await runDueTimers(gateway.engine, clock.now()));
  return gateway
}

const told = async () =>
  (await storedRuns(db)).map(({ automationId, plannedAt, state, reason }) =>
    [automationId, ((plannedAt ?? 0) - START) / MINUTE, reason ?? state].join(' '),
  )

describe('a rule of a meeting room', () => {
  it('schedules existing bookings within its horizon at startup, and later ones in time', async () => {
    await book('soon', HOUR)
    await book('far', BOOKING_HORIZON_MS + DAY)
    await follow('lights', { When: 'start' })
    expect(await waits()).toEqual(['60 lights soon/start'])
    clock.advance(2 * DAY)
    await extendBookingSchedule(db, clock.now())
    expect((await waits()).map((one) => one.split(' ')[2])).toEqual(['soon/start', 'far/start'])
  })

  it('has no timers while disabled, and skips past bookings when enabled', async () => {
    await book('first', 0)
    await book('second', 2 * HOUR)
    await follow('climate', { When: 'before', Minutes: 15 })
    await db.query(sql`update automations set enabled = false`)
    await replanNow(db, clock, 'climate')
    await book('third', 4 * HOUR)
    expect(await waits()).toEqual([])
    await db.query(sql`update automations set enabled = true`)
    await replanNow(db, clock, 'climate')
    expect(await waits()).toEqual(['105 climate second/before', '225 climate third/before'])
  })

  it('runs once whichever gateways evaluate it', async () => {
    await follow('lights', { When: 'start' })
    await book('one', HOUR)
    clock.advance(HOUR)
    const gateways = [1, 2, 3].map(() => createTestEngine(db, clock))
    await Promise.all(gateways.map((gateway) => runDue(gateway)))
    expect(await told()).toEqual(['lights 60 planned'])
    expect(gateways.flatMap(({ runs }) => runs.begun)).toHaveLength(1)
  })

  it('runs a little late, and reports as missed what is later than allowed', async () => {
    await follow('lights', { When: 'start' })
    await book('one', HOUR)
    await book('two', 3 * HOUR)
    clock.advance(HOUR + 10 * MINUTE)
    await runDue()
    clock.advance(2 * HOUR + 10 * MINUTE)
    await runDue()
    expect(await told()).toEqual(['lights 60 planned', 'lights 180 missed'])
  })

  it('does not run for a booking that has changed, even with a timer set', async () => {
    await follow('lights', { When: 'start' })
    await book('moved', HOUR)
    await book('gone', 3 * HOUR)
    await db.query(sql`update reservations set start_timestamp = start_timestamp + ${HOUR}::bigint,
      end_timestamp = end_timestamp + ${HOUR}::bigint where record_id = 'moved'`)
    await db.query(sql`delete from reservations where record_id = 'gone'`)
    for (const hours of [1, 2]) {
      clock.advance(hours * HOUR)
      await runDue()
    }
    expect(await told()).toEqual([])
  })

  it('runs immediately for a booking made too late for its time', async () => {
    await follow('climate', { When: 'before', Minutes: 30 })
    clock.advance(50 * MINUTE)
    await book('now', 60 * MINUTE)
    await runDue()
    expect(await told()).toEqual(['climate 50 planned'])
  })

  it('is released by the last of several back-to-back bookings', async () => {
    await follow('off', { When: 'release' })
    await book('one', 0)
    await book('two', HOUR)
    for (let i = 0; i < 2; i++) {
      clock.advance(HOUR)
      await runDue()
    }
    expect(await told()).toEqual(['off 60 bookedAgain', 'off 120 planned'])
  })

  it('is released when a current booking is canceled or moved, but not a future one', async () => {
    await follow('off', { When: 'release', Minutes: 5 })
    const [now, later] = [await book('now', 0), await book('later', 2 * HOUR)]
    clock.advance(10 * MINUTE)
    const remove = (booking: PlacedTime) =>
      db.transaction(async (tx) => {
        await tx.query(sql`delete from reservations where record_id = ${booking.RecordID}`)
        await rescheduleBookings(tx, TENANT, { before: [booking], after: [] }, clock.now())
      })
    await remove(now)
    await remove(later)
    expect(await waits()).toEqual([`15 off now/release/${clock.now()}`])
    clock.advance(5 * MINUTE)
    await runDue()
    expect(await told()).toEqual(['off 15 planned'])
  })

  it('is released if saved after a current booking was canceled, by its time as it is then', async () => {
    await follow('off', { When: 'release', Minutes: 5 })
    const booking = await book('now', 0)
    clock.advance(10 * MINUTE)
    await db.query(sql`delete from reservations`)
    await db.transaction((tx) =>
      rescheduleBookings(tx, TENANT, { before: [booking], after: [] }, clock.now()),
    )
    clock.advance(MINUTE)
    await replanNow(db, clock, 'off')
    expect(await waits()).toMatchObject([expect.stringMatching(/^15 off now/)])
    const save = async (change: Partial<BookingTrigger>) => {
      await db.query(
        sql`update automations set rule = jsonb_set(rule, '{Booking}', rule -> 'Booking' || ${JSON.stringify(
          change,
        )}::jsonb)`,
      )
      await replanNow(db, clock, 'off')
    }
    await save({ Minutes: 8 })
    clock.advance(7 * MINUTE)
    await runDue()
    expect(await told()).toEqual(['off 18 planned'])
  })

  it('drops the timer of a past booking once its rule is about something else', async () => {
    await follow('off', { When: 'release', Minutes: 5 })
    const booking = await book('now', 0)
    clock.advance(10 * MINUTE)
    await db.query(sql`delete from reservations`)
    await db.transaction((tx) =>
      rescheduleBookings(tx, TENANT, { before: [booking], after: [] }, clock.now()),
    )
    await db.query(sql`update automations set rule = jsonb_set(rule, '{Booking,When}', '"start"')`)
    await replanNow(db, clock, 'off')
    expect(await waits()).toEqual([])
  })

  it('of a paused home runs nothing and reports so', async () => {
    await follow('lights', { When: 'start' })
    await book('one', HOUR)
    await db.query(sql`insert into automation_pauses (tenant, home_id, until, reason, by_name, at)
      values (${TENANT}, ${HOME}, null, 'x', 'x', 0)`)
    clock.advance(HOUR)
    await runDue()
    expect(await told()).toEqual(['lights 60 paused'])
  })

  it('runs once although a gateway is killed at any of its statements', async () => {
    const killed = openDb({ socketDir: testSocketDir(), database: name, max: 2, log: silentLog })
    const kills = createKillPoints({ db: killed, name })
    await follow('lights', { When: 'start' })
    const mortal = createTestEngine(killed, clock)
    let count = 0
    for (const point of points()) {
      await book(`booking-${(count += 1)}`, (count - 1) * 2 * HOUR + HOUR)
      clock.advance(START + (count - 1) * 2 * HOUR + HOUR - clock.now())
      const reached = await kills.kill(point, () => runDueTimers(mortal.engine, clock.now()).catch(() => {}))
      await runDue()
      expect({ ...point, runs: (await told()).length }).toEqual({ ...point, runs: count })
      if (!reached) break
    }
    expect(count).toBeGreaterThan(6)
    await kills.close()
    await killed.close()
  })

  it('has no partial booking if the gateway is killed while booking', async () => {
    const killed = openDb({ socketDir: testSocketDir(), database: name, max: 2, log: silentLog })
    const kills = createKillPoints({ db: killed, name })
    await follow('lights', { When: 'start' })
    let count = 0
    for (const point of points()) {
      const booking = isOf(`booking-${(count += 1)}`, count * 2 * HOUR)
      const reached = await kills.kill(point, () =>
        killed
          .transaction(async (tx) => {
            await insert(tx, booking)
            await rescheduleBookings(tx, TENANT, { before: [], after: [booking] }, clock.now())
          })
          .catch(() => {}),
      )
      const booked = await db.query<{ key: string }>(
        sql`select record_id || '/start' as key from reservations order by start_timestamp`,
      )
      expect((await waits()).map((one) => one.split(' ')[2])).toEqual(booked.map(({ key }) => key))
      if (!reached) break
    }
    expect(count).toBeGreaterThan(6)
    await kills.close()
    await killed.close()
  })
})

describe('a no-show', () => {
  const Presence = { PeripheralUID: 'sensor', Field: 'Switch1' }
  const say = (Switch1: number) => report(db, 'sensor', { Switch1 }, clock.now())
  /** Result for a booking at 10:00 without a check-in, ten minutes after its start. */
  const judged = async () => {
    clock.advance(START + 70 * MINUTE - clock.now())
    await runDue()
    return told()
  }

  beforeEach(async () => {
    await follow('off', { When: 'noShow', Minutes: 10, Presence })
    await book('one', HOUR)
  })

  it('is detected if the sensor saw no one since five minutes before the start', async () => {
    await say(1)
    clock.advance(50 * MINUTE)
    await say(0)
    expect(await judged()).toEqual(['off 70 planned'])
    const [run] = await db.query<{ conditions: object }>(sql`select conditions from automation_runs`)
    expect(run?.conditions).toMatchObject([{ ...Presence, Value: 0, Verdict: true }])
  })

  it('is not detected if someone was there briefly', async () => {
    await say(1)
    clock.advance(57 * MINUTE)
    await say(0)
    expect(await judged()).toEqual([])
  })

  it('is not detected if someone has checked in', async () => {
    await say(0)
    await db.query(sql`update reservations set checked_in_at = ${START + HOUR}`)
    expect(await judged()).toEqual([])
  })

  it('is unknown if the sensor has not reported', async () => {
    expect(await judged()).toEqual(['off 70 unknown'])
  })

  it('is unknown while the hub was offline', async () => {
    await say(0)
    await db.query(sql`insert into hub_absences (tenant, thing_name, since, until)
      values (${TENANT}, ${HUB}, ${START + HOUR}, ${START + HOUR + MINUTE})`)
    expect(await judged()).toEqual(['off 70 unknown'])
  })
})
