import type { z } from 'zod'
import type { ImageType, UploadTarget } from '../../../contract/homes/upload-calls.ts'
import type { SignedIn } from '../../kernel/context.ts'
import type { Grant } from '../../domain/identity/grant.ts'

export interface RoomPorts {
  /** Updates the conference rooms that refer to a room which is about to be deleted. */
  detachRoom(context: SignedIn, HomeID: string, RoomID: number): Promise<void>
  /** Requires the right to control if scenes or automations set these rooms. Errors: PERMISSION_DENIED. */
  assertControlOfRooms(
    context: SignedIn,
    homeId: string,
    changes: readonly { PeripheralType: string; rooms: readonly number[] }[],
  ): Promise<void>
  /** Updates the automations that name a room which was just deleted. */
  onRoomDeleted(context: SignedIn, HomeID: string, RoomID: number): Promise<void>
}

export interface FloorPorts {
  /** Creates a one-time upload address for the plan of a floor, valid while its grant is. */
  createPlanTicket(
    grant: Grant,
    floor: { tenant: string; HomeID: string; FloorID: number },
    contentType: z.infer<typeof ImageType>,
  ): Promise<z.infer<typeof UploadTarget>>
}
