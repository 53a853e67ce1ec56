import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { Booking } from '../../../../contract/bookings/calls.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { addConferenceRoom, book, bookingAt, DAY, HOUR, MINUTE } from '../../../support/bookings.ts'
import { type Caller, PASSWORD, rights, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

let rooms = 0
const room = (more: object = {}) => addConferenceRoom(root, `Room ${++rooms}`, more)
const member = (...operations: Parameters<typeof rights>[1][]) =>
  world.createUser(root, [rights('conference_room', 'Read', 'Create', ...operations)])
const codeOf = async (caller: Caller, path: string, body: object) =>
  (await caller.post(path, body)).status.code
const INVALID = ERRORS.INVALID.code
const CONFLICT = ERRORS.CONFLICT.code
const DENIED = ERRORS.PERMISSION_DENIED.code

describe('A booking', () => {
  it('appears in the calendar of its period and is published to screens', async () => {
    const id = await room()
    const [made] = await book(root, world, id, HOUR, { Host: 'Lin', Description: 'Q3' })
    const span = { StartTimestamp: world.clock.now(), EndTimestamp: world.clock.now() + DAY }
    const { results } = await root.post('/GetReservationByStartTimestamp', { ...span, ConferenceRoomID: id })
    expect(results).toEqual([{ ...made, Hidden: false }])
    expect(made).toMatchObject({ Host: 'Lin', BookedBy: root.cognitoId, SeriesID: null })
    expect(world.events.at(-1)?.event).toMatchObject({ name: 'conferenceRoom.addBooking' })
  })

  it('lists an attendee once who is named twice, regardless of case', async () => {
    const id = await room()
    const Attendees = ['ann@example.com', 'Ann@Example.com', 'bo@example.com']
    const [made] = await book(root, world, id, HOUR, { Attendees })
    expect(made?.Attendees).toEqual(['ann@example.com', 'bo@example.com'])
    const { results } = await root.post('/UpdateReservation', { RecordID: made?.RecordID, Attendees })
    expect(results).toMatchObject([{ Attendees: ['ann@example.com', 'bo@example.com'] }])
  })

  it('can directly follow another, but not overlap it by a minute', async () => {
    const id = await room()
    await book(root, world, id, HOUR)
    await book(root, world, id, 2 * HOUR)
    await book(root, world, id, 0)
    for (const from of [HOUR - MINUTE, HOUR, 2 * HOUR + MINUTE, 3 * HOUR - MINUTE])
      expect((await root.post('/AddReservation', bookingAt(world, id, from))).status).toMatchObject({
        code: CONFLICT,
        fields: { StartTimestamp: 'booked' },
      })
  })

  it('is rejected with the conflicting booking, or only its time if that is private', async () => {
    const id = await room()
    await book(root, world, id, HOUR, { Subject: 'Salaries', Private: true })
    await book(root, world, id, 3 * HOUR, { Subject: 'Lunch' })
    const person = await member()
    const open = (await person.post('/AddReservation', bookingAt(world, id, 3 * HOUR))).status.error
    expect(open).toContain('Lunch')
    expect(open).toContain(root.email)
    const closed = (await person.post('/AddReservation', bookingAt(world, id, HOUR))).status.error
    expect(closed).toContain('2026-01-05 10:00 – 2026-01-05 11:00')
    expect(closed).not.toContain('Salaries')
    expect(closed).not.toContain(root.email)
  })

  it('can cross midnight, but not exceed a day, start in the past or end before it starts', async () => {
    const id = await room()
    await book(root, world, id, 14 * HOUR, { EndTimestamp: world.clock.now() + 18 * HOUR })
    const refused = [
      [{ EndTimestamp: world.clock.now() + 3 * DAY }, { EndTimestamp: 'tooBig' }],
      [
        { StartTimestamp: world.clock.now() - MINUTE, EndTimestamp: world.clock.now() + HOUR },
        { StartTimestamp: 'past' },
      ],
      [{ EndTimestamp: world.clock.now() + DAY }, { EndTimestamp: 'endBeforeStart' }],
      [{ StartTimestamp: world.clock.now() + DAY + 1 }, { StartTimestamp: 'invalid' }],
    ] as const
    for (const [more, fields] of refused)
      expect((await root.post('/AddReservation', bookingAt(world, id, DAY, more))).status).toMatchObject({
        code: INVALID,
        fields,
      })
  })

  it('counts elapsed time in a night with a clock change', async () => {
    const home = await root.post('/CreateHome', { HomeName: 'Wien', TimeZone: 'Europe/Vienna' })
    const id = await room({ HomeID: home.results.HomeID })
    // From midnight to five in local time, which are four hours.
    const StartTimestamp = Date.UTC(2026, 2, 28, 23)
    await book(root, world, id, 0, { StartTimestamp, EndTimestamp: StartTimestamp + 4 * HOUR })
    const after = (from: number) =>
      codeOf(root, '/AddReservation', {
        ...bookingAt(world, id, 0),
        StartTimestamp: StartTimestamp + from,
        EndTimestamp: StartTimestamp + from + HOUR,
      })
    expect(await after(4 * HOUR - MINUTE)).toBe(CONFLICT)
    expect(await after(4 * HOUR)).toBe(0)
  })

  it('requires a room, a subject and valid addresses of attendees', async () => {
    const id = await room()
    const refused = [
      [{ Subject: ' ' }, 'Subject'],
      [{ Attendees: [] }, 'Attendees'],
      [{ Attendees: ['nobody'] }, 'Attendees.0'],
      [{ ConferenceRoomID: undefined }, 'ConferenceRoomID'],
    ] as const
    for (const [more, field] of refused)
      expect(
        (await root.post('/AddReservation', bookingAt(world, id, DAY, more))).status.fields,
      ).toHaveProperty([field])
    expect(await codeOf(root, '/AddReservation', bookingAt(world, 'none', DAY))).toBe(ERRORS.NOT_FOUND.code)
  })

  it('is rejected in a closed room', async () => {
    const id = await room({ Active: false })
    expect((await root.post('/AddReservation', bookingAt(world, id, HOUR))).status).toMatchObject({
      code: CONFLICT,
      fields: { ConferenceRoomID: 'inactive' },
    })
  })

  it('is made by exactly one of two hundred concurrent requests', async () => {
    const id = await room()
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => root.post('/AddReservation', bookingAt(world, id, HOUR))),
    )
    expect(answers.filter(({ status }) => status.code === 0)).toHaveLength(1)
    expect(answers.filter(({ status }) => status.code === CONFLICT)).toHaveLength(199)
  })

  it('cannot overlap in the database, whoever writes it', async () => {
    const id = await room()
    await book(root, world, id, HOUR)
    const copy = (from: number) =>
      world.db.pool.query(
        `insert into reservations select tenant, $2, conference_room_id, room_no, start_timestamp + $3::bigint,
          end_timestamp + $3::bigint, subject, description, host, attendees, private, series_id, booked_by, booked_by_email,
          checked_in_at, released_at, sequence, reminded from reservations where conference_room_id = $1 limit 1`,
        [id, `copy${from}`, from],
      )
    await expect(copy(59 * MINUTE)).rejects.toThrow('reservations_overlap')
    await expect(copy(HOUR)).resolves.toMatchObject({ rowCount: 1 })
  })

  it('is made once if requested twice with one RequestID', async () => {
    const id = await room()
    const body = { ...bookingAt(world, id, HOUR), RequestID: 'once' }
    const [first, second] = [
      await root.post('/AddReservation', body),
      await root.post('/AddReservation', body),
    ]
    expect(second.results).toEqual(first.results)
    // A different RequestID makes it another booking, which conflicts.
    expect((await root.post('/AddReservation', { ...body, RequestID: 'twice' })).status.code).toBe(CONFLICT)
  })

  it('is made by each of many concurrent requests for different hours of one room', async () => {
    const id = await room()
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => codeOf(root, '/AddReservation', bookingAt(world, id, i * HOUR))),
    )
    expect(codes).toEqual(codes.map(() => 0))
  })
})

describe('The user who booked', () => {
  it('moves and cancels it without more rights; others need the right to do so', async () => {
    const id = await room()
    const owner = await member()
    const other = await member()
    const [made] = await book(owner, world, id, HOUR)
    const RecordID = made?.RecordID
    const later = { RecordID, EndTimestamp: (made?.EndTimestamp ?? 0) + HOUR }
    expect(await codeOf(other, '/UpdateReservation', later)).toBe(DENIED)
    expect(await codeOf(other, '/DeleteReservation', { RecordID })).toBe(DENIED)
    expect((await owner.post('/UpdateReservation', later)).results).toMatchObject([later])
    expect(await codeOf(await member('Update'), '/UpdateReservation', { RecordID, Subject: 'B' })).toBe(0)
    expect(await codeOf(await member('Delete'), '/DeleteReservation', { RecordID })).toBe(0)
    expect(await codeOf(owner, '/DeleteReservation', { RecordID })).toBe(ERRORS.NOT_FOUND.code)
  })

  it('cannot move it onto another booking, or to a start in the past', async () => {
    const id = await room()
    const [made] = await book(root, world, id, HOUR)
    await book(root, world, id, 3 * HOUR)
    const move = (from: number) =>
      root.post('/UpdateReservation', {
        RecordID: made?.RecordID,
        StartTimestamp: world.clock.now() + from,
        EndTimestamp: world.clock.now() + from + HOUR,
      })
    expect((await move(2.5 * HOUR)).status.code).toBe(CONFLICT)
    expect((await move(-MINUTE)).status.code).toBe(INVALID)
    // A booking does not overlap itself.
    expect((await move(HOUR + 30 * MINUTE)).status.code).toBe(0)
  })

  it('sees own bookings by address; others need a right', async () => {
    const id = await room()
    const owner = await member()
    const [made] = await book(owner, world, id, 5 * HOUR, { Attendees: ['a.guest@example.com'] })
    const list = async (caller: Caller, Email: string) =>
      (await caller.post('/GetReservationByEmail', { Email })).results
    expect(await list(owner, owner.email)).toMatchObject([{ RecordID: made?.RecordID }])
    expect(await list(root, 'A.Guest@example.com')).toMatchObject([{ RecordID: made?.RecordID }])
    expect(await codeOf(owner, '/GetReservationByEmail', { Email: root.email })).toBe(DENIED)
  })
})

describe('Two users who change one booking', () => {
  const seenOf = ({ Subject, SeriesID, Sequence }: Booking) => ({ Subject, SeriesID, Sequence })
  const daily = (until: string) => ({
    Repeat: { Every: 'day' as const, Interval: 1, Weekdays: [], Until: until },
  })

  it('get a conflict if they change one field, and can overwrite it only knowingly', async () => {
    const [made] = await book(root, world, await room(), HOUR, { Subject: 'Old' })
    const other = await member('Update')
    const change = (caller: Caller, body: object) =>
      caller.post('/UpdateReservation', { RecordID: made?.RecordID, ...body })
    expect((await change(other, { Subject: 'Theirs', Seen: { Subject: 'Old' } })).status.code).toBe(0)
    expect((await change(root, { Subject: 'Mine', Seen: { Subject: 'Old' } })).status).toMatchObject({
      code: CONFLICT,
      fields: { Subject: 'changed' },
    })
    // Fields changed by only one of the two are merged.
    const Attendees = ['bo@example.com']
    const Seen = { Attendees: made?.Attendees }
    expect((await change(root, { Attendees, Seen })).results).toMatchObject([
      { Subject: 'Theirs', Attendees },
    ])
    expect((await change(root, { Subject: 'Mine', Seen: { Subject: 'Theirs' } })).status.code).toBe(0)
  })

  it('get a conflict if the other moved it first', async () => {
    const [made] = await book(root, world, await room(), HOUR)
    const { RecordID, ConferenceRoomID, StartTimestamp = 0, EndTimestamp = 0 } = made ?? {}
    const Seen = { ConferenceRoomID, StartTimestamp, EndTimestamp }
    const later = (by: number) =>
      root.post('/UpdateReservation', {
        RecordID,
        StartTimestamp: StartTimestamp + by,
        EndTimestamp: EndTimestamp + by,
        Seen,
      })
    expect((await later(HOUR)).status.code).toBe(0)
    expect((await later(2 * HOUR)).status).toMatchObject({
      code: CONFLICT,
      fields: { StartTimestamp: 'changed', EndTimestamp: 'changed' },
    })
  })

  it('of a series get a conflict after any change of it if more than one booking is meant', async () => {
    const made = await book(root, world, await room(), DAY, { ...daily('2026-01-10') })
    const [first, , third] = made as [Booking, Booking, Booking]
    const change = (of: Booking, body: object) =>
      root.post('/UpdateReservation', { RecordID: of.RecordID, ...body })
    expect((await change(third, { Subject: 'Only this', Scope: 'one' })).status.code).toBe(0)
    for (const Scope of ['all', 'following'])
      expect((await change(first, { Subject: 'Each', Scope, Seen: seenOf(first) })).status).toMatchObject({
        code: CONFLICT,
        fields: { Sequence: 'changed' },
      })
    // The unchanged booking is as it was seen.
    const one = await change(first, { Subject: 'First', Scope: 'one', Seen: { Subject: first.Subject } })
    expect(one.status.code).toBe(0)
    const [now] = one.results as Booking[]
    expect(
      (await change(first, { Subject: 'Each', Scope: 'all', Seen: seenOf(now as Booking) })).status,
    ).toEqual({ code: 0 })
  })

  it('of a series that the other has split get a conflict that it is another series', async () => {
    const made = await book(root, world, await room(), DAY, { ...daily('2026-01-10') })
    const [, second, third] = made as [Booking, Booking, Booking]
    const split = { RecordID: second.RecordID, Scope: 'following', Host: 'Lin' }
    expect((await root.post('/UpdateReservation', split)).status.code).toBe(0)
    const mine = { RecordID: third.RecordID, Scope: 'all', Subject: 'Each', Seen: seenOf(third) }
    expect((await root.post('/UpdateReservation', mine)).status).toMatchObject({
      code: CONFLICT,
      fields: { SeriesID: 'changed' },
    })
  })

  it('do not move it back into the room that the other moves it out of at the same time', async () => {
    const [from, to] = [await room(), await room()]
    const [made] = await book(root, world, from, HOUR)
    const of = sql`tenant = ${root.tenant} and conference_room_id`
    let late: ReturnType<Caller['post']> | undefined
    await world.db.transaction(async (tx) => {
      await tx.query(sql`select 1 from conference_rooms where ${of} = ${from} for update`)
      late = root.post('/UpdateReservation', { RecordID: made?.RecordID, Subject: 'Late' })
      await vi.waitFor(async () => {
        const waiting = await world.db.query(sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
        expect(waiting).toHaveLength(1)
      }, PATIENT)
      await tx.query(sql`update reservations set conference_room_id = ${to},
          room_no = (select room_no from conference_rooms where ${of} = ${to})
        where tenant = ${root.tenant} and record_id = ${made?.RecordID}`)
    })
    expect((await late)?.status).toMatchObject({ code: CONFLICT, fields: { ConferenceRoomID: 'changed' } })
    const { results } = await root.post('/GetReservationByEmail', { Email: root.email })
    expect(results).toContainEqual(
      expect.objectContaining({ RecordID: made?.RecordID, ConferenceRoomID: to, Subject: 'Planning' }),
    )
  })
})

describe('Free time', () => {
  it('lies between bookings, in rooms that are large enough, the smallest first', async () => {
    const stranger = await world.signUp()
    const [big, small] = [
      await addConferenceRoom(stranger, 'Big', { Capacity: 20 }),
      await addConferenceRoom(stranger, 'Small', { Capacity: 4 }),
    ]
    await addConferenceRoom(stranger, 'Closed', { Active: false })
    await book(stranger, world, small, HOUR)
    const [from, until] = [world.clock.now(), world.clock.now() + 4 * HOUR]
    const ask = async (more: object) =>
      (await stranger.post('/AvailableSlots', { StartTimestamp: from - HOUR, EndTimestamp: until, ...more }))
        .results
    expect(await ask({ Minutes: 90 })).toEqual([
      { ConferenceRoomID: big, StartTimestamp: from, EndTimestamp: until },
      { ConferenceRoomID: small, StartTimestamp: from + 2 * HOUR, EndTimestamp: until },
    ])
    expect(await ask({ Minutes: 30, Capacity: 5 })).toHaveLength(1)
  })
})

describe('A repeated booking', () => {
  it('keeps its local time when clocks change', async () => {
    const home = await root.post('/CreateHome', { HomeName: 'Berlin', TimeZone: 'Europe/Berlin' })
    const id = await room({ HomeID: home.results.HomeID })
    const first = Date.UTC(2026, 2, 27, 8) // Friday 9:00; on Sunday clocks change to summer time.
    const made = await book(root, world, id, 0, {
      StartTimestamp: first,
      EndTimestamp: first + HOUR,
      Repeat: { Every: 'day', Interval: 1, Weekdays: [], Until: '2026-03-31' },
    })
    expect(made.map(({ StartTimestamp }) => new Date(StartTimestamp).toISOString())).toEqual([
      '2026-03-27T08:00:00.000Z',
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
      '2026-03-31T07:00:00.000Z',
    ])
  })

  it('is rejected as a whole if a part is taken, or skips that part on request', async () => {
    const id = await room()
    await book(root, world, id, 3 * DAY)
    const Repeat = { Every: 'day', Interval: 1, Weekdays: [], Until: '2026-01-11' }
    const asked = bookingAt(world, id, DAY, { Repeat })
    const refused = await root.post('/AddReservation', asked)
    expect(refused.status).toMatchObject({ code: CONFLICT })
    expect(refused.status.error).toContain('2026-01-08')
    const { results } = await root.post('/AddReservation', { ...asked, SkipTaken: true })
    expect(results).toHaveLength(5)
  })

  it('changes one booking, this and following ones, or all; never past ones', async () => {
    const id = await room()
    const Repeat = { Every: 'week', Interval: 1, Weekdays: [2, 4], Until: '2026-01-22' }
    const made = await book(root, world, id, DAY, { Repeat })
    expect(made.map(({ StartTimestamp }) => new Date(StartTimestamp).getUTCDate())).toEqual([
      6, 8, 13, 15, 20, 22,
    ])
    const at = (i: number) => made[i]?.RecordID
    const change = async (body: object) => (await root.post('/UpdateReservation', body)).results
    expect(await change({ RecordID: at(1), Subject: 'One' })).toHaveLength(1)
    // An hour later and a day later, onto the days of other bookings of the series.
    const third = made[2]?.StartTimestamp ?? 0
    const following = await change({
      RecordID: at(2),
      Scope: 'following',
      StartTimestamp: third + DAY + HOUR,
      EndTimestamp: third + DAY + 2 * HOUR,
    })
    expect(
      following.map((one: { StartTimestamp: number }) => new Date(one.StartTimestamp).getUTCDate()),
    ).toEqual([14, 16, 21, 23])
    expect(await change({ RecordID: at(0), Scope: 'all', Subject: 'All' })).toHaveLength(2)
    world.clock.advance(2 * DAY)
    root = await world.signIn(root.email, PASSWORD)
    expect((await root.post('/DeleteReservation', { RecordID: at(0), Scope: 'all' })).status.code).toBe(0)
    expect((await root.post('/DeleteReservation', { RecordID: at(2), Scope: 'all' })).results).toHaveLength(4)
  })

  it('cannot end before it begins', async () => {
    const id = await room()
    const Repeat = { Every: 'week', Interval: 1, Weekdays: [], Until: '2026-01-05' }
    const { status } = await root.post('/AddReservation', bookingAt(world, id, 3 * DAY, { Repeat }))
    expect(status).toMatchObject({ code: INVALID, fields: { 'Repeat.Until': 'endBeforeStart' } })
  })

  it('has at most two hundred bookings', async () => {
    const id = await room()
    const Repeat = { Every: 'day', Interval: 1, Weekdays: [], Until: '2026-12-30' }
    expect((await root.post('/AddReservation', bookingAt(world, id, DAY, { Repeat }))).status.fields).toEqual(
      {
        'Repeat.Until': 'tooBig',
      },
    )
  })
})

describe('Checking in', () => {
  it('is available to the organizer and attendees, from 15 minutes before', async () => {
    const id = await room()
    const [guest, other] = [await member(), await member()]
    const [made] = await book(root, world, id, HOUR, { Attendees: [guest.email] })
    const RecordID = made?.RecordID
    expect(await codeOf(guest, '/CheckInReservation', { RecordID })).toBe(CONFLICT)
    world.clock.advance(45 * MINUTE)
    expect(await codeOf(other, '/CheckInReservation', { RecordID })).toBe(DENIED)
    const checkedIn = world.clock.now()
    expect((await guest.post('/CheckInReservation', { RecordID })).results.CheckedInAt).toBe(checkedIn)
    const change = async (more: object) =>
      (await root.post('/UpdateReservation', { RecordID, ...more })).results
    // A longer meeting keeps its check-in; a move to another time clears it.
    const longer = { EndTimestamp: (made?.EndTimestamp ?? 0) + HOUR }
    expect(await change(longer)).toMatchObject([{ ...longer, CheckedInAt: checkedIn }])
    const later = { StartTimestamp: (made?.StartTimestamp ?? 0) + HOUR }
    expect(await change(later)).toMatchObject([{ ...later, CheckedInAt: null }])
  })
})

it('hides bookings of another company', async () => {
  const id = await room()
  const [made] = await book(root, world, id, 10 * HOUR)
  const stranger = await world.signUp()
  const RecordID = made?.RecordID
  for (const [path, body] of [
    ['/AddReservation', bookingAt(world, id, HOUR)],
    ['/UpdateReservation', { RecordID, Subject: 'x' }],
    ['/DeleteReservation', { RecordID }],
    ['/CheckInReservation', { RecordID }],
    ['/CreateBookingLink', { Kind: 'door', ConferenceRoomID: id }],
  ] as const)
    expect(await codeOf(stranger, path, body), path).toBe(ERRORS.NOT_FOUND.code)
  const span = { StartTimestamp: world.clock.now(), EndTimestamp: world.clock.now() + DAY }
  expect((await stranger.post('/GetReservationByStartTimestamp', span)).results).toEqual([])
})

describe('Colleagues', () => {
  it('are found by name, address or department, prefix matches first, in the own company only', async () => {
    const { results: dept } = await root.post('/CreateDepartment', { Department: 'Zebra Works' })
    const { DepartmentID } = dept as { DepartmentID: string }
    const hire = (Email: string, more: object) =>
      root.post('/CreateUser', { Email, password: PASSWORD, Permissions: [], ...more })
    await hire('quokka1@example.com', { FirstName: 'Ann', LastName: 'Quokka', DepartmentID })
    await hire('x.quokka@example.com', { FirstName: 'Quokka', LastName: 'Bo' })
    await hire('ceo%25@example.com', { FirstName: '大明', LastName: '王' })
    const found = async (Search: string, caller = root) =>
      ((await caller.post('/SearchColleague', { Search })).results as { Email: string }[]).map(
        ({ Email }) => Email,
      )
    expect((await found('QUOKKA')).toSorted()).toEqual(['quokka1@example.com', 'x.quokka@example.com'])
    expect(await found('zebra')).toEqual(['quokka1@example.com'])
    expect(await found('王大')).toEqual(['ceo%25@example.com'])
    expect(await found('100%')).toEqual([])
    const stranger = await world.signUp()
    expect(await found('quokka', stranger)).toEqual([])
    expect(
      await codeOf(await world.createUser(root, [rights('conference_room', 'Read')]), '/SearchColleague', {
        Search: 'a',
      }),
    ).toBe(DENIED)
    const [ann] = ((await root.post('/SearchColleague', { Search: 'Ann' })).results ?? []) as object[]
    expect(ann).toEqual({
      Email: 'quokka1@example.com',
      Name: expect.stringContaining('Quokka'),
      Department: 'Zebra Works',
    })
  })
})
