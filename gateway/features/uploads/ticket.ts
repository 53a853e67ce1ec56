import type { IMAGE_TYPES } from '../../../contract/homes/upload-calls.ts'
import type { Grant } from '../../domain/identity/grant.ts'
import { readSigned, writeSigned } from '../../lib/signed.ts'

/** Whose picture an upload is. */
export type UploadPurpose =
  | { kind: 'peripheral'; tenant: string; HomeID: string; PeripheralUID: string }
  | { kind: 'employee'; tenant: string; EmployeeID: string }
  | { kind: 'logo'; tenant: string }
  | { kind: 'floorPlan'; tenant: string; HomeID: string; FloorID: number }

/** One promise to take one picture, signed so that nothing has to be stored for it. */
export interface Ticket {
  grant: Grant
  purpose: UploadPurpose
  contentType: (typeof IMAGE_TYPES)[number]
  /** Where the picture goes; a key that is taken means the ticket was used. */
  key: string
  /** Epoch ms. */
  expiresAt: number
}

/** The ticket as it stands in the upload URL. */
export const writeTicket = (ticket: Ticket, key: Uint8Array): string => writeSigned(ticket, key)

/** The ticket if it is ours and not a bit of it was changed, else undefined. */
export const readTicket = (text: string, key: Uint8Array): Ticket | undefined => readSigned<Ticket>(text, key)
