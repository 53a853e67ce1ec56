import type { SignedIn } from '../../context.ts'

/** What rooms need of others. */
export interface RoomPorts {
  /** Sees to the meeting rooms that are a room which is about to be deleted. */
  leaveRoom(context: SignedIn, HomeID: string, RoomID: number): Promise<void>
  /** Sees to the automations that name a room which was just deleted. */
  roomGone(context: SignedIn, HomeID: string, RoomID: number): Promise<void>
}
