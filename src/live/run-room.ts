import type { RoomValues } from '../../contract/devices/room-values.ts'
import type { RoomDevices } from '../../contract/devices/room-devices.ts'
import { runs } from './runs.ts'
import { notifyRunEnd } from './run-scene.ts'

/** Sets the lights or the climate of a room as one, and shows the outcome as a notice on any screen. */
export function runRoomAndNotify(
  HomeID: string,
  RoomID: number,
  Only: RoomDevices,
  values: RoomValues,
): void {
  void notifyRunEnd(HomeID, runs.send(HomeID, { RoomID, Only }, values))
}
