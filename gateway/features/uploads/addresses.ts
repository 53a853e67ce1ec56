import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../kernel/ports.ts'
import type { IMAGE_TYPES } from '../../../contract/homes/upload-calls.ts'
import type { Grant } from '../../domain/identity/grant.ts'
import { readSigned, writeSigned } from '../../lib/seal.ts'

const HOUR_MS = 3_600_000

export type PhotoAddresses = ReturnType<typeof createPhotoAddresses>

/**
 * Short-lived addresses of photos. Browsers load `<img>` without a token, so the address itself proves that a session requested it.
 *
 * key  the same on every gateway
 */
export function createPhotoAddresses({ clock, key }: { clock: Clock; key: Uint8Array }) {
  const sign = (url: string, until: number) =>
    createHmac('sha256', key).update(`${url} ${until}`).digest('base64url')

  return {
    /** Signed address, valid for one to two hours; stable within an hour, so that browsers cache the photo. */
    addressOf(url: string): string {
      const until = (Math.floor(clock.now() / HOUR_MS) + 2) * HOUR_MS
      return `${url}?${new URLSearchParams({ until: String(until), signature: sign(url, until) })}`
    },

    /** Remaining validity of an address, ms; 0 if it has expired, was changed or has no signature. */
    remainingMs(url: string, query: unknown): number {
      const { until, signature } = (query ?? {}) as Record<string, unknown>
      if (typeof until !== 'string' || typeof signature !== 'string') return 0
      const actual = Buffer.from(signature)
      const expected = Buffer.from(sign(url, Number(until)))
      const isOwn = actual.length === expected.length && timingSafeEqual(actual, expected)
      return isOwn ? Math.max(0, Number(until) - clock.now()) : 0
    },
  }
}

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
