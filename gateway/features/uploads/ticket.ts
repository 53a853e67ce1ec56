import type { IMAGE_TYPES } from '../../../contract/homes/upload-calls.ts'
import type { Grant } from '../../domain/identity/grant.ts'
import { readSigned, writeSigned } from '../../lib/seal.ts'

/** Record that an uploaded picture belongs to. */
export type UploadPurpose =
  | { kind: 'peripheral'; tenant: string; HomeID: string; PeripheralUID: string }
  | { kind: 'employee'; tenant: string; EmployeeID: string }
  | { kind: 'logo'; tenant: string }
  | { kind: 'floorPlan'; tenant: string; HomeID: string; FloorID: number }

/** Right to upload one picture, signed so that nothing has to be stored for it. */
export interface Ticket {
  grant: Grant
  purpose: UploadPurpose
  contentType: (typeof IMAGE_TYPES)[number]
  /** Storage key of the picture; an existing key means that the ticket was used. */
  key: string
  /** Epoch ms. */
  expiresAt: number
}

/** Ticket as it appears in the upload URL. */
export const writeTicket = (ticket: Ticket, key: Uint8Array): string => writeSigned(ticket, key)

/** Ticket of a text; undefined unless the gateway signed it. */
export const readTicket = (text: string, key: Uint8Array): Ticket | undefined => readSigned<Ticket>(text, key)
