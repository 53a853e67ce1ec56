import type { Booking } from '../../contract/bookings/calls.ts'
import type { Caller, World } from './world.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Adds a meeting room of a company; returns its id. */
export async function addConferenceRoom(root: Caller, name: string, overrides: object = {}): Promise<string> {
  const answer = await root.post('/AddConferenceRoom', {
    ConferenceRoomName: name,
    Capacity: 8,
    ...overrides,
  })
  if (answer.status.code !== 0) throw new Error(JSON.stringify(answer.status))
  return answer.results.ConferenceRoomID
}

/** Input of a booking of one hour, `from` ms after the world's clock. */
export const bookingAt = (world: World, ConferenceRoomID: string, from: number, overrides: object = {}) => ({
  ConferenceRoomID,
  StartTimestamp: world.clock.now() + from,
  EndTimestamp: world.clock.now() + from + HOUR,
  Subject: 'Planning',
  Attendees: ['guest@example.com'],
  ...overrides,
})

export async function book(caller: Caller, ...input: Parameters<typeof bookingAt>): Promise<Booking[]> {
  const { status, results } = await caller.post('/AddReservation', bookingAt(...input))
  if (status.code !== 0) throw new Error(JSON.stringify(status))
  return results
}
