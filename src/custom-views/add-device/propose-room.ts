import type { Room } from '../../../contract/homes/room.ts'

/** Names alike but for case, blanks and what separates words. */
const bare = (text: string) => text.toLowerCase().replace(/[\s\-_.·/]+/g, '')

/**
 * The room that a device is named after: of those whose name stands in the device's, the one with the longest name. The default
 * room is nobody's guess.
 */
export function proposeRoom(deviceName: string, rooms: readonly Room[]): number | undefined {
  const name = bare(deviceName)
  const [longest] = rooms
    .filter(({ RoomID, RoomName }) => RoomID !== 0 && bare(RoomName) !== '' && name.includes(bare(RoomName)))
    .toSorted((a, b) => bare(b.RoomName).length - bare(a.RoomName).length)
  return longest?.RoomID
}
