import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Booking } from '../../../../../contract/bookings/calls.ts'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { addConferenceRoom, book, DAY, HOUR, MINUTE } from '../../../../support/bookings.ts'
import { type Caller, PASSWORD, rights, type World } from '../../../../support/world.ts'
import { schedule, startBuilding } from '../records/support.ts'

let world: World
let root: Caller
let HomeID: string
let room: string
let count = 0

beforeAll(async () => {
  ;({ world, root, HomeID } = await startBuilding())
})
afterAll(() => world.close())
/** Signs in again after the token has expired. */
const signInAgain = async () => {
  root = await world.signIn(root.email, PASSWORD)
}

beforeEach(async () => {
  await signInAgain()
  room = await addConferenceRoom(root, `Room ${(count += 1)}`, { HomeID, ReleaseAfter: 10 })
  // Whole minutes, so that bookings may begin now.
  world.clock.advance((MINUTE - (world.clock.now() % MINUTE)) % MINUTE)
})

const asked = (Booking: object, more: object = {}) =>
  schedule(HomeID, { Schedule: undefined, Booking: { ConferenceRoomID: room, ...Booking }, ...more })

/** Creates a rule for the room; returns its AutomationID. */
async function follow(Booking: object, more: object = {}): Promise<string> {
  const { status, results } = await root.post('/CreateAutomation', asked(Booking, more))
  expect(status).toMatchObject({ code: 0 })
  return results.AutomationID
}

const find = async (id: string) =>
  (await root.post('/ListAutomation', { AutomationType: 1, HomeID })).results.find(
    ({ AutomationID }: { AutomationID: string }) => AutomationID === id,
  )
const nextOf = async (id: string) => (await find(id)).NextRunAt

/** All timers of a rule, epoch ms. */
const waitsOf = async (id: string): Promise<number[]> =>
  (
    await world.db.query<{ at: number }>(sql`select due_at as at from automation_waits
      where automation_id = ${id} and kind = 'booking' order by 1`)
  ).map(({ at }) => at)

const runsOf = async (AutomationID: string) =>
  (await root.post('/ListAutomationRun', { HomeID, AutomationID, Limit: 50 })).results.Rows as object[]

/** Advances the clock until a rule has run; returns its runs. */
async function ran(id: string, ms: number) {
  world.clock.advance(ms)
  await signInAgain()
  await expect
    .poll(
      async () => {
        world.clock.advance(1_000)
        return (await runsOf(id)).length
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0)
  return runsOf(id)
}

const change = (booking: Booking | undefined, input: object) =>
  root.post('/UpdateReservation', { RecordID: booking?.RecordID, ...input })
const cancel = (booking: Booking | undefined, input: object = {}) =>
  root.post('/DeleteReservation', { RecordID: booking?.RecordID, ...input })

describe('A rule of a meeting room', () => {
  it('runs before and at the start of its bookings, and when the room is released', async () => {
    const before = await follow({ When: 'before', Minutes: 15 })
    const start = await follow({ When: 'start' })
    const release = await follow({ When: 'release', Minutes: 5 })
    const [made] = await book(root, world, room, HOUR)
    const { RecordID, StartTimestamp: from = 0, EndTimestamp: to = 0 } = made ?? {}
    expect([await nextOf(before), await nextOf(start), await nextOf(release)]).toEqual([
      from - 15 * MINUTE,
      from,
      to + 5 * MINUTE,
    ])
    expect(await ran(before, 45 * MINUTE)).toMatchObject([
      { Cause: 'booking', PlannedAt: from - 15 * MINUTE },
    ])
    expect(await ran(start, 15 * MINUTE)).toMatchObject([{ Cause: 'booking', PlannedAt: from }])
    await root.post('/CheckInReservation', { RecordID })
    expect(await ran(release, HOUR + 5 * MINUTE)).toMatchObject([{ PlannedAt: to + 5 * MINUTE }])
    expect(await waitsOf(before)).toEqual([])
  })

  it('runs when a no-show room is released', async () => {
    const release = await follow({ When: 'release' })
    await book(root, world, room, 0)
    const began = world.clock.now()
    const [run] = await ran(release, 10 * MINUTE)
    expect(run).toMatchObject({ Cause: 'booking', PlannedAt: expect.any(Number) })
    expect((run as { PlannedAt: number }).PlannedAt - began).toBeLessThan(12 * MINUTE)
  })

  it('runs when a meeting is ended at the door', async () => {
    const release = await follow({ When: 'release' })
    const [made] = await book(root, world, room, 0)
    const { Path } = (await root.post('/CreateBookingLink', { Kind: 'door', ConferenceRoomID: room })).results
    world.clock.advance(5 * MINUTE)
    const at = world.clock.now()
    const { statusCode } = await world.gateway.http.inject({
      method: 'POST',
      url: Path.replace('/RoomDoor/', '/room-door/'),
      payload: { RecordID: made?.RecordID, Action: 'release' },
    })
    expect(statusCode).toBe(200)
    expect(await ran(release, 0)).toMatchObject([{ PlannedAt: at }])
  })

  it('follows a booking that is moved, extended or canceled', async () => {
    const [start, release] = [await follow({ When: 'start' }), await follow({ When: 'release' })]
    const [made] = await book(root, world, room, HOUR)
    const { StartTimestamp: from = 0, EndTimestamp: to = 0 } = made ?? {}
    await change(made, { StartTimestamp: from + HOUR, EndTimestamp: to + HOUR })
    expect([await waitsOf(start), await waitsOf(release)]).toEqual([[from + HOUR], [to + HOUR]])
    await change(made, { EndTimestamp: to + 2 * HOUR })
    expect([await waitsOf(start), await waitsOf(release)]).toEqual([[from + HOUR], [to + 2 * HOUR]])
    await change(made, { Subject: 'Another' })
    expect(await waitsOf(start)).toEqual([from + HOUR])
    const other = await addConferenceRoom(root, `Other ${count}`, { HomeID })
    await change(made, { ConferenceRoomID: other })
    expect([await waitsOf(start), await waitsOf(release)]).toEqual([[], []])
    await change(made, { ConferenceRoomID: room })
    expect(await waitsOf(start)).toEqual([from + HOUR])
    await cancel(made)
    expect([await waitsOf(start), await waitsOf(release)]).toEqual([[], []])
    expect(await nextOf(start)).toBeNull()
  })

  it('follows a series and its changes', async () => {
    const start = await follow({ When: 'start' })
    const Repeat = { Every: 'day', Interval: 1, Weekdays: [], Until: '2026-01-09' }
    const first = world.clock.now() + HOUR
    const made = await book(root, world, room, HOUR, { Repeat })
    const days = made.map((_, i) => first + i * DAY)
    expect(await waitsOf(start)).toEqual(days)
    await change(made[1], {
      StartTimestamp: first + DAY + HOUR,
      EndTimestamp: first + DAY + 2 * HOUR,
      Scope: 'one',
    })
    await cancel(made[2], { Scope: 'one' })
    const changed = days.flatMap((at, i) => (i === 2 ? [] : [i === 1 ? at + HOUR : at]))
    expect(await waitsOf(start)).toEqual(changed)
    await cancel(made[3], { Scope: 'following' })
    expect(await waitsOf(start)).toEqual(changed.slice(0, 2))
    await cancel(made[0], { Scope: 'all' })
    expect(await waitsOf(start)).toEqual([])
  })

  it('runs once if a change does not move the booking it has run for', async () => {
    const before = await follow({ When: 'before', Minutes: 15 })
    const [made] = await book(root, world, room, 20 * MINUTE)
    await ran(before, 6 * MINUTE)
    await change(made, { Subject: 'Another', EndTimestamp: (made?.EndTimestamp ?? 0) + HOUR })
    expect(await waitsOf(before)).toEqual([])
  })

  it('has no timers while disabled, and schedules coming bookings when enabled', async () => {
    const start = await follow({ When: 'start' }, { Enabled: false })
    const [made] = await book(root, world, room, HOUR)
    const set = (Enabled: boolean) =>
      root.post('/SetAutomationEnabled', { AutomationType: 1, AutomationID: start, Enabled })
    expect(await waitsOf(start)).toEqual([])
    await set(true)
    expect(await waitsOf(start)).toEqual([made?.StartTimestamp])
    await set(false)
    expect(await waitsOf(start)).toEqual([])
  })

  it('is broken while the room is closed, and follows current bookings when it reopens', async () => {
    const start = await follow({ When: 'start' })
    const [made] = await book(root, world, room, HOUR)
    const open = (Active: boolean) => root.post('/UpdateConferenceRoom', { ConferenceRoomID: room, Active })
    await open(false)
    expect(await find(start)).toMatchObject({
      State: 'broken',
      Problem: { Reason: 'conferenceRoomGone', Subject: room },
      NextRunAt: null,
    })
    await open(true)
    expect(await find(start)).toMatchObject({ State: 'ready', NextRunAt: made?.StartTimestamp })
  })

  it('can be created only by users who can read the bookings', async () => {
    const may = [rights('schedule', 'Create', 'Read'), rights('device_control', 'Control')]
    const blind = await world.createUser(root, may)
    const refused = await blind.post('/CreateAutomation', asked({ When: 'start' }))
    expect(refused.status).toMatchObject({ code: ERRORS.PERMISSION_DENIED.code })
    expect(refused.status.error).toContain('conference_room')
    const person = await world.createUser(root, [...may, rights('conference_room', 'Read')])
    const made = await person.post('/CreateAutomation', asked({ When: 'start' }))
    expect(made.status).toMatchObject({ code: 0 })
  })
})
