import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { NO_LIMIT } from '../../../../gateway/lib/mail/quota.ts'
import { enqueueBookingMails } from '../../../../gateway/features/bookings/booking-mail-sender.ts'
import { bookingJob, POLL_INTERVAL_MS } from '../../../../gateway/features/bookings/bookings.ts'
import { createBookingMails } from '../../../../gateway/features/bookings/feature.ts'
import { createEvents } from '../../../../gateway/kernel/events.ts'
import { startJobs } from '../../../../gateway/lib/jobs.ts'
import { type Mail, systemRandom } from '../../../../gateway/kernel/ports.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { addConferenceRoom, book, HOUR, MINUTE } from '../../../support/bookings.ts'
import { holdClock } from '../../../support/clock.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createTestDb } from '../../../support/postgres.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

/** Runs the job until `seen` holds. */
const until = (seen: () => unknown) =>
  vi.waitFor(async () => {
    world.clock.advance(POLL_INTERVAL_MS)
    expect(await seen()).toBeTruthy()
  }, PATIENT)
const mailsTo = (to: string) => world.mails.filter((mail) => mail.to === to)

/** Starts mail delivery with a mail server that blocks the first mail until released, and returns a way to start another gateway. */
async function beginSlowly(recipients: readonly string[]) {
  const { db, dropDatabase } = await createTestDb()
  const tenant = systemRandom.uuid()
  await db.query(
    sql`insert into companies (tenant, company_name, created_at) values (${tenant}, 'Slow mail', 0)`,
  )
  const clock = holdClock()
  const booking = {
    RecordID: 'r1',
    CalendarID: 'r1',
    RecurrenceID: null,
    StartTimestamp: clock.now(),
    EndTimestamp: clock.now() + HOUR,
    Subject: 'Slow',
    Description: '',
    Host: '',
    Attendees: [],
    Private: false,
    BookedByEmail: 'host@example.com',
    Sequence: 0,
    Room: 'Slow mail',
    TimeZone: 'Asia/Taipei',
  }
  const mails = recipients.map((recipient) => ({ tenant, kind: 'invite' as const, recipient, booking }))
  await enqueueBookingMails(db, mails, 0)
  const sent: string[] = []
  let goOn = () => {}
  const stuck = new Promise<void>((resolve) => (goOn = resolve))
  const begin = (send: Mail['send']) => {
    const config = { mailQuota: { company: NO_LIMIT, recipient: NO_LIMIT } }
    const parts = {
      db,
      clock,
      log: createLogBook(),
      mail: { isDelivered: true, send },
      config,
      events: createEvents(() => {}),
      onBookingsChanged: async () => {},
    }
    const { job, close } = createBookingMails(parts)
    const jobs = startJobs([bookingJob(parts), job], parts)
    return { close: () => jobs.close().then(close) }
  }
  const slow = begin(async ({ to }) => {
    sent.push(to)
    await stuck
  })
  clock.advance(POLL_INTERVAL_MS)
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENT)
  return { db, drop: dropDatabase, tenant, clock, sent, begin, slow, goOn }
}

describe('Mails on a booking', () => {
  it('are sent for invitations, changes and cancellations, and can be added to a calendar', async () => {
    const id = await addConferenceRoom(root, 'Mails')
    const guest = 'letters@example.com'
    const [made] = await book(root, world, id, HOUR, { Attendees: [guest], Subject: 'Plan; B, "C"' })
    await until(() => mailsTo(guest).length === 1)
    const content = mailsTo(guest)[0]?.calendar?.content ?? ''
    expect(mailsTo(guest)[0]).toMatchObject({ calendar: { method: 'REQUEST' } })
    expect(content).toContain('SUMMARY:Plan\\; B\\, "C"\r\n')
    expect(content.replaceAll('\r\n ', '')).toContain(`mailto:${guest}`)
    await root.post('/UpdateReservation', { RecordID: made?.RecordID, Subject: 'New' })
    await until(() => mailsTo(guest).length === 2)
    expect(mailsTo(guest)[1]?.calendar?.content).toContain('SEQUENCE:1')
    await root.post('/UpdateReservation', { RecordID: made?.RecordID, Attendees: [root.email] })
    await until(() => mailsTo(guest).length === 3)
    expect(mailsTo(guest)[2]).toMatchObject({ calendar: { method: 'CANCEL' } })
    await root.post('/DeleteReservation', { RecordID: made?.RecordID })
    await until(() => mailsTo(root.email).at(-1)?.calendar?.method === 'CANCEL')
  })

  it('are sent once by several gateways, however slow the mail server is', async () => {
    const { db, drop, clock, sent, begin, slow, goOn } = await beginSlowly([
      'a@example.com',
      'b@example.com',
      'c@example.com',
    ])
    const quick = begin(async ({ to }) => void sent.push(to))
    clock.advance(2 * MINUTE)
    await vi.waitFor(() => expect(sent).toHaveLength(3), PATIENT)
    goOn()
    const left = () => db.query(sql`select 1 from deliveries`)
    await vi.waitFor(async () => expect(await left()).toEqual([]), PATIENT)
    await Promise.all([slow.close(), quick.close()])
    expect(sent.toSorted()).toEqual(['a@example.com', 'b@example.com', 'c@example.com'])
    await drop()
  })

  it('remind everyone once, 15 minutes before', async () => {
    const id = await addConferenceRoom(root, 'Remind')
    const guest = 'remind@example.com'
    const reminders = () => mailsTo(guest).filter(({ subject }) => subject.startsWith('會議提醒'))
    const [made] = await book(root, world, id, 20 * MINUTE - (world.clock.now() % MINUTE), {
      Attendees: [guest],
    })
    await until(() => mailsTo(guest).length === 1)
    expect(reminders()).toHaveLength(0)
    world.clock.advance(6 * MINUTE)
    await until(() => reminders().length > 0)
    await until(() => world.clock.now() > 0)
    expect(reminders()).toHaveLength(1)
    expect(reminders()[0]?.calendar).toMatchObject({ method: 'PUBLISH' })
    // A changed subject is announced but triggers no second reminder.
    await root.post('/UpdateReservation', { RecordID: made?.RecordID, Subject: 'Other words' })
    await until(() => mailsTo(guest).some(({ subject }) => subject === '會議變更：Other words'))
    await until(async () => (await world.db.pool.query('select 1 from deliveries')).rowCount === 0)
    expect(reminders()).toHaveLength(1)
  })
})

describe('A no-show room', () => {
  it('is released in time, however slow the mail server is', async () => {
    const { db, drop, tenant, clock, slow, goOn } = await beginSlowly(['a@example.com'])
    const [start, end] = [clock.now() - 20 * MINUTE, clock.now() + 40 * MINUTE].map(
      (at) => at - (at % MINUTE),
    )
    await db.query(sql`insert into conference_rooms (tenant, conference_room_id, conference_room_name, capacity, equipment,
        active, release_after)
      values (${tenant}, 'c1', 'No-show', 8, '', true, 10)`)
    await db.query(sql`insert into reservations (tenant, record_id, conference_room_id, room_no, start_timestamp,
        end_timestamp, subject, description, host, attendees, private, booked_by_email, sequence)
      select ${tenant}, 'r2', 'c1', room_no, ${start}, ${end}, 'Nobody', '', '', '[]', false, 'host@example.com', 0
      from conference_rooms where tenant = ${tenant}`)
    clock.advance(POLL_INTERVAL_MS)
    const released = () => db.query(sql`select 1 from reservations where released_at is not null`)
    await vi.waitFor(async () => expect(await released()).toHaveLength(1), PATIENT)
    goOn()
    await slow.close()
    await drop()
  })

  it('is released after its minutes, unless someone checked in', async () => {
    const first = await addConferenceRoom(root, 'No-show', { ReleaseAfter: 10 })
    const second = await addConferenceRoom(root, 'Show', { ReleaseAfter: 10 })
    const soon = MINUTE - (world.clock.now() % MINUTE)
    const [gone] = await book(root, world, first, soon)
    const [kept] = await book(root, world, second, soon)
    expect((await root.post('/CheckInReservation', { RecordID: kept?.RecordID })).status.code).toBe(0)
    world.clock.advance(12 * MINUTE)
    const read = async () => {
      const { results } = await root.post('/GetReservationByEmail', { Email: root.email, Past: true })
      const of = (id?: string) => results.find(({ RecordID }: { RecordID: string }) => RecordID === id)
      return { gone: of(gone?.RecordID), kept: of(kept?.RecordID) }
    }
    await until(async () => (await read()).gone.ReleasedAt !== null)
    const { gone: released, kept: still } = await read()
    expect(released.EndTimestamp).toBeLessThan(gone?.EndTimestamp ?? 0)
    expect(still).toMatchObject({ ReleasedAt: null, EndTimestamp: kept?.EndTimestamp })
    const next = MINUTE - (world.clock.now() % MINUTE)
    expect(await book(root, world, first, next)).toHaveLength(1)
    expect(world.events.some(({ event }) => 'by' in event && event.by === null)).toBe(true)
  })
})

describe('A calendar feed', () => {
  const fetchFeed = (url: string) => world.gateway.http.inject({ method: 'GET', url })
  const link = async (caller: Caller, body: object) => (await caller.post('/CreateBookingLink', body)).results

  it('shows own bookings to anyone with its address, until it is renewed or disabled', async () => {
    const id = await addConferenceRoom(root, 'Feed')
    await book(root, world, id, 2 * HOUR - (world.clock.now() % MINUTE), {
      Subject: 'Feed me',
      Private: true,
    })
    const first = await link(root, { Kind: 'person' })
    const feed = await fetchFeed(first.Path)
    expect(feed.headers['content-type']).toContain('text/calendar')
    expect(feed.body).toContain('SUMMARY:Feed me')
    const room = await link(root, { Kind: 'room', ConferenceRoomID: id })
    expect((await fetchFeed(room.Path)).body).not.toContain('Feed me')
    const empty = await addConferenceRoom(root, 'Never booked')
    const unbooked = await link(root, { Kind: 'room', ConferenceRoomID: empty })
    expect((await fetchFeed(unbooked.Path)).body).toContain('X-WR-CALNAME:Never booked\r\n')
    await root.post('/RevokeBookingLink', { LinkID: unbooked.LinkID })
    const second = await link(root, { Kind: 'person' })
    expect((await fetchFeed(first.Path)).statusCode).toBe(404)
    expect((await root.post('/ListBookingLink')).results).toHaveLength(2)
    await root.post('/RevokeBookingLink', { LinkID: second.LinkID })
    expect((await fetchFeed(second.Path)).statusCode).toBe(404)
  })

  it('never stores its address in clear text, not even for a repeated RequestID', async () => {
    const body = { Kind: 'person', RequestID: 'secret-address' }
    const first = await link(root, body)
    expect(await link(root, body)).toEqual(first)
    const [, token] = /booking-feeds\/(.+)\.ics/.exec(first.Path) as RegExpExecArray
    const { rows } = await world.db.pool.query(`select row_to_json(r)::text as row from request_results r
      union all select row_to_json(a)::text from audit_log a union all select row_to_json(l)::text from booking_links l`)
    expect(JSON.stringify(rows)).toContain(first.LinkID)
    expect(JSON.stringify(rows)).not.toContain(token)
    await root.post('/RevokeBookingLink', { LinkID: first.LinkID })
  })

  it('of a room requires Update, hides those of others, and ends when the right is lost', async () => {
    const id = await addConferenceRoom(root, 'Rights')
    const person = await world.createUser(root, [rights('conference_room', 'Read')])
    const denied = await person.post('/CreateBookingLink', { Kind: 'door', ConferenceRoomID: id })
    expect(denied.status.code).toBe(ERRORS.PERMISSION_DENIED.code)
    const own = await link(person, { Kind: 'person' })
    expect((await root.post('/RevokeBookingLink', { LinkID: own.LinkID })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
    expect((await fetchFeed(own.Path)).statusCode).toBe(200)
    await root.post('/UpdateUserInfo', { Email: person.email, Permissions: [] })
    expect((await fetchFeed(own.Path)).statusCode).toBe(404)
  })
})

describe('The door display', () => {
  it('shows the room to anyone with its address, checks in, and releases it', async () => {
    const id = await addConferenceRoom(root, 'Door')
    const soon = MINUTE - (world.clock.now() % MINUTE)
    const [made] = await book(root, world, id, soon, { Subject: 'Secret', Private: true })
    const body = { Kind: 'door', ConferenceRoomID: id }
    const { Path } = (await root.post('/CreateBookingLink', body)).results
    const url = Path.replace('/RoomDoor/', '/room-door/')
    const act = (Action: string) =>
      world.gateway.http.inject({ method: 'POST', url, payload: { RecordID: made?.RecordID, Action } })
    expect((await world.gateway.http.inject({ method: 'GET', url })).json().results).toMatchObject({
      ConferenceRoomName: 'Door',
      Bookings: [{ RecordID: made?.RecordID, Subject: '', CheckedInAt: null }],
    })
    expect((await act('release')).statusCode).toBe(409)
    expect((await act('checkIn')).json().results.Bookings).toMatchObject([{ CheckedInAt: world.clock.now() }])
    world.clock.advance(10 * MINUTE)
    expect((await act('release')).json().results.Bookings).toEqual([])
    const { Rows } = (await root.post('/ListAuditLog', { Path: '/RoomDoor' })).results
    const record = expect.objectContaining({ RecordID: made?.RecordID })
    expect(Rows).toMatchObject([
      { ByName: 'Door', CognitoId: null, Input: { Action: 'release' }, Before: record, After: record },
      { Before: { CheckedInAt: null }, After: { CheckedInAt: expect.any(Number) } },
    ])
    expect(await book(root, world, id, MINUTE - (world.clock.now() % MINUTE))).toHaveLength(1)
    expect((await world.gateway.http.inject({ method: 'GET', url: '/room-door/none' })).statusCode).toBe(404)
  })
})
