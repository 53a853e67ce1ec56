import type { ConferenceRoomWithClock } from '../../contract/bookings/conference-room.ts'

/** Meeting room in Taipei that any user may book. */
export const aConferenceRoom = (
  overrides: Partial<ConferenceRoomWithClock> = {},
): ConferenceRoomWithClock => ({
  ConferenceRoomID: '11111111-1111-4111-8111-111111111111',
  ConferenceRoomName: '玉山',
  Capacity: 8,
  HomeID: null,
  RoomID: null,
  Equipment: '',
  Active: true,
  ReleaseAfter: 0,
  Version: 1,
  TimeZone: 'Asia/Taipei',
  ...overrides,
})
