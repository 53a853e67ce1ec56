import type { SignedIn } from '../../context.ts'

/** What meeting rooms need of others. */
export interface ConferenceRoomPorts {
  /** Sees to the automations that name a meeting room, which was deleted or is in another home now. */
  conferenceRoomMoved(context: SignedIn, ConferenceRoomID: string): Promise<void>
}
