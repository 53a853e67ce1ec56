import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Booking } from '../../../../contract/bookings/calls.ts'
import { parseDay, toEpoch } from '../../../../contract/time/periods.ts'
import { POLL_INTERVAL_MS } from '../../../../gateway/features/bookings/bookings.ts'
import { addConferenceRoom, book, HOUR, MINUTE } from '../../../support/bookings.ts'
import { createCalendarProgram, type Entry } from '../../../support/calendar-program.ts'
import { type Caller, PASSWORD, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

const ZONE = 'Europe/Berlin'
const [ANN, BO, CY, DI, EVE] = ['ann', 'bo', 'cy', 'di', 'eve'].map((name) => `${name}@example.com`) as [
  string,
  string,
  string,
  string,
  string,
]

let world: World
let root: Caller
let HomeID: string
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'Berlin', TimeZone: ZONE })).results.HomeID
})
afterAll(() => world.close())

let rooms = 0
const addRoom = () => addConferenceRoom(root, `Berlin ${++rooms}`, { HomeID })
const at = (date: string, minute: number) => toEpoch(parseDay(date), minute, ZONE)

/** Mails that people receive, each person with a calendar program that reads them all. */
function createPost() {
  const programs = new Map<string, ReturnType<typeof createCalendarProgram>>()
  let read = world.mails.length
  const programOf = (person: string) => {
    const program = programs.get(person) ?? createCalendarProgram()
    programs.set(person, program)
    return program
  }
  return {
    /** Waits until every mail is sent; returns each person's mails as METHOD and parts. */
    async delivered(): Promise<Record<string, string[]>> {
      await vi.waitFor(async () => {
        world.clock.advance(POLL_INTERVAL_MS)
        const { rows } = await world.db.pool.query('select 1 from deliveries')
        expect(rows).toEqual([])
      }, PATIENT)
      // A busy machine takes many polls of 15 s each: the hour of a session would pass.
      root = await world.signIn(root.email, PASSWORD)
      const got: Record<string, string[]> = {}
      for (const { to, calendar } of world.mails.slice(read)) {
        if (!calendar || calendar.method === 'PUBLISH') continue
        programOf(to).receive(calendar.content)
        const parts = calendar.content.match(/^(RRULE|RECURRENCE-ID)/gm) ?? []
        got[to] = [...(got[to] ?? []), [calendar.method, ...parts].join(' ')]
      }
      read = world.mails.length
      return got
    },
    /** Future entries of a person's calendar. */
    shownTo: (person: string): Entry[] =>
      programOf(person)
        .shown()
        .filter(({ end }) => end > world.clock.now()),
  }
}

/** Future bookings of a person, as their calendar should show them. */
async function bookedFor(person: string): Promise<Entry[]> {
  const list = (await root.post('/ListConferenceRoom')).results as {
    ConferenceRoomID: string
    ConferenceRoomName: string
  }[]
  const { status, results } = await root.post('/GetReservationByEmail', { Email: person })
  expect(status.code).toBe(0)
  return (results as Booking[]).map((one) => ({
    start: one.StartTimestamp,
    end: one.EndTimestamp,
    subject: one.Subject,
    place: list.find((room) => room.ConferenceRoomID === one.ConferenceRoomID)?.ConferenceRoomName ?? '',
  }))
}

/** Tuesdays and Thursdays at nine for an hour, from 17 March to 9 April; clocks change on 29 March. */
const bookSeries = (ConferenceRoomID: string, more: object = {}) =>
  book(root, world, ConferenceRoomID, 0, {
    StartTimestamp: at('2026-03-17', 540),
    EndTimestamp: at('2026-03-17', 600),
    Subject: 'Stand-up; daily, "short"',
    Attendees: [ANN, BO],
    Repeat: { Every: 'week', Interval: 1, Weekdays: [2, 4], Until: '2026-04-09' },
    ...more,
  })

const idOf = (made: readonly Booking[], i: number) => made[i]?.RecordID as string

describe("A series in an invitee's calendar", () => {
  it('arrives as one event with one email, and follows every change and cancellation', async () => {
    const id = await addRoom()
    const post = createPost()
    const everybody = async (...mails: string[]) =>
      expect(await post.delivered()).toEqual({ [ANN]: mails, [BO]: mails, [root.email]: mails })
    const agree = async () => {
      for (const person of [ANN, BO, CY, root.email])
        expect(post.shownTo(person), person).toEqual(await bookedFor(person))
    }
    const change = async (body: object) => {
      const { status } = await root.post('/UpdateReservation', body)
      expect(status).toMatchObject({ code: 0 })
    }
    const cancel = async (body: object) =>
      expect((await root.post('/DeleteReservation', body)).status).toMatchObject({ code: 0 })

    const made = await bookSeries(id)
    expect(made).toHaveLength(8)
    await everybody('REQUEST RRULE')
    await agree()

    const third = made[2]?.StartTimestamp as number
    await change({
      RecordID: idOf(made, 2),
      StartTimestamp: third + HOUR,
      EndTimestamp: third + 3 * HOUR,
      Subject: '一次',
    })
    await everybody('REQUEST RECURRENCE-ID')
    await agree()

    await cancel({ RecordID: idOf(made, 3) })
    await everybody('CANCEL RECURRENCE-ID')
    await agree()

    // One person is removed from a single booking, another is invited to it alone.
    await change({ RecordID: idOf(made, 4), Attendees: [ANN, CY] })
    expect(await post.delivered()).toEqual({
      [ANN]: ['REQUEST RECURRENCE-ID'],
      [BO]: ['CANCEL RECURRENCE-ID'],
      [CY]: ['REQUEST'],
      [root.email]: ['REQUEST RECURRENCE-ID'],
    })
    await agree()

    // A new subject for all: one mail, with the exceptions listed next to the rule.
    await change({ RecordID: idOf(made, 0), Scope: 'all', Subject: 'Weekly' })
    const told = await post.delivered()
    expect(told[ANN]).toEqual([expect.stringMatching(/^REQUEST RRULE/)])
    expect(told[CY]).toEqual(['REQUEST'])
    await agree()

    // The seventh and later bookings move by a day and half an hour: the old series ends, and a new one begins.
    const seventh = made[6]?.StartTimestamp as number
    const DAY = 24 * HOUR
    await change({
      RecordID: idOf(made, 6),
      Scope: 'following',
      StartTimestamp: seventh + DAY + 30 * MINUTE,
      EndTimestamp: seventh + DAY + 90 * MINUTE,
    })
    expect((await post.delivered())[ANN]).toHaveLength(2)
    await agree()

    await cancel({ RecordID: idOf(made, 1), Scope: 'following' })
    expect((await post.delivered())[ANN]).toHaveLength(1)
    await agree()
    expect(post.shownTo(ANN)).toHaveLength(3)

    await cancel({ RecordID: idOf(made, 6), Scope: 'all' })
    await everybody('CANCEL')
    await cancel({ RecordID: idOf(made, 0), Scope: 'all' })
    expect(await post.delivered()).toMatchObject({ [ANN]: ['CANCEL'], [BO]: ['CANCEL'] })
    await agree()
    expect(post.shownTo(ANN)).toEqual([])
  })

  it('excludes days on which the room was taken', async () => {
    const id = await addRoom()
    await book(root, world, id, 0, {
      StartTimestamp: at('2026-03-24', 570),
      EndTimestamp: at('2026-03-24', 580),
      Attendees: [CY],
    })
    const post = createPost()
    await bookSeries(id, { SkipTaken: true })
    expect(await post.delivered()).toMatchObject({ [ANN]: ['REQUEST RRULE'] })
    expect(post.shownTo(ANN)).toHaveLength(7)
    expect(post.shownTo(ANN)).toEqual(await bookedFor(ANN))
    await root.post('/RemoveConferenceRoom', { ConferenceRoomID: id, CancelBookings: true })
    expect(await post.delivered()).toMatchObject({ [ANN]: ['CANCEL'] })
    expect(post.shownTo(ANN)).toEqual([])
  })

  it('stays one event per booking if it was made before series were one event', async () => {
    const post = createPost()
    const made = await bookSeries(await addRoom(), { Attendees: [EVE] })
    await post.delivered()
    await world.db.pool.query('update reservations set recurrence_id = null where series_id = $1', [
      made[0]?.SeriesID,
    ])
    await root.post('/UpdateReservation', { RecordID: idOf(made, 0), Scope: 'all', Subject: 'As before' })
    expect((await post.delivered())[EVE]).toEqual(made.map(() => 'REQUEST'))
    const uids = world.mails.slice(-2 * made.length).flatMap(({ to, calendar }) => {
      const uid = /^UID:(.+)@building-dashboard$/m.exec(calendar?.content.replaceAll('\r\n', '\n') ?? '')
      return to === EVE ? [uid?.[1]] : []
    })
    expect(uids).toEqual(made.map(({ RecordID }) => RecordID))
    await root.post('/DeleteReservation', { RecordID: idOf(made, 0), Scope: 'all' })
    await post.delivered()
  })

  it.each([1, 2, 3, 4])('matches the bookings after random changes (%i)', async (seed) => {
    const [first, second] = [await addRoom(), await addRoom()]
    const places = [`Berlin ${rooms - 1}`, `Berlin ${rooms}`]
    const post = createPost()
    const next = randomFrom(seed)
    const pick = <T>(values: readonly T[]): T => values[next(values.length)] as T
    const repeats = [
      { Every: 'day', Interval: 1, Weekdays: [], Until: '2026-04-02' },
      { Every: 'week', Interval: 2, Weekdays: [1, 5], Until: '2026-05-20' },
      { Every: 'month', Interval: 1, Weekdays: [], Until: '2026-09-30' },
    ]
    await bookSeries(first, { Repeat: pick(repeats), Attendees: [ANN, BO, CY] })
    for (let step = 0; step < 8; step++) {
      const span = { StartTimestamp: at('2026-03-10', 0), EndTimestamp: at('2026-05-10', 0) }
      const all = [first, second].map((ConferenceRoomID) =>
        root.post('/GetReservationByStartTimestamp', { ...span, ConferenceRoomID }),
      )
      const booked = (await Promise.all(all)).flatMap(({ results }) => results as Booking[])
      if (booked.length === 0) break
      const one = pick(booked)
      const Scope = pick(['one', 'one', 'following', 'all'])
      const moved = pick([-30, 15, 24 * 60, 7 * 24 * 60 + 45]) * MINUTE
      const what = pick([
        { Subject: `Words ${step}` },
        { Attendees: pick([[ANN], [ANN, BO], [BO, CY]]) },
        { StartTimestamp: one.StartTimestamp + moved, EndTimestamp: one.EndTimestamp + moved },
        { EndTimestamp: one.EndTimestamp + 15 * MINUTE },
        { ConferenceRoomID: second },
        undefined,
      ])
      const body = { RecordID: one.RecordID, Scope }
      // An overlapping booking is rejected without a mail.
      const { status } = what
        ? await root.post('/UpdateReservation', { ...body, ...what })
        : await root.post('/DeleteReservation', body)
      const did = `${Scope} ${JSON.stringify(what)} ${status.error ?? ''}`
      await post.delivered()
      for (const person of [ANN, BO, CY]) {
        const due = (await bookedFor(person)).filter(({ place }) => places.includes(place))
        expect(post.shownTo(person), `${person} after ${did}`).toEqual(due)
      }
    }
  })

  it('stays one event if moved when partly over, and sends nothing for changes without effect', async () => {
    const post = createPost()
    const made = await bookSeries(await addRoom(), {
      StartTimestamp: at('2026-01-13', 540),
      EndTimestamp: at('2026-01-13', 600),
      Attendees: [DI],
      Repeat: { Every: 'week', Interval: 1, Weekdays: [2, 4], Until: '2026-02-05' },
    })
    expect((await post.delivered())[DI]).toEqual(['REQUEST RRULE'])
    world.clock.advance((made[2]?.StartTimestamp ?? 0) - 24 * HOUR - world.clock.now())
    root = await world.signIn(root.email, PASSWORD)
    const body = { RecordID: idOf(made, 4), Scope: 'all' }
    await root.post('/UpdateReservation', { ...body, Subject: made[4]?.Subject })
    expect(await post.delivered()).toEqual({})
    const start = made[4]?.StartTimestamp as number
    const later = { StartTimestamp: start + 2 * HOUR, EndTimestamp: start + 3 * HOUR }
    await root.post('/UpdateReservation', { ...body, ...later })
    expect((await post.delivered())[DI]).toEqual(['REQUEST RRULE'])
    expect(post.shownTo(DI)).toHaveLength(6)
    expect(post.shownTo(DI)).toEqual(await bookedFor(DI))
    await root.post('/DeleteReservation', body)
    expect((await post.delivered())[DI]).toEqual(['CANCEL'])
    expect(post.shownTo(DI)).toEqual([])
  })
})

/** Pseudorandom numbers below a limit that repeat for a seed. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
