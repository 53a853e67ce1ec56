import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UploadPurpose } from '../services.ts'

/** One promise to take one picture, signed so that nothing has to be stored for it. */
export interface Ticket {
  purpose: UploadPurpose
  contentType: string
  /** Where the picture goes; a key that is taken means the ticket was used. */
  key: string
  /** Epoch ms. */
  expiresAt: number
}

const sign = (key: Uint8Array, body: string) => createHmac('sha256', key).update(body).digest()

/** The ticket as it stands in the upload URL. */
export function writeTicket(ticket: Ticket, key: Uint8Array): string {
  const body = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  return `${body}.${sign(key, body).toString('base64url')}`
}

/** The ticket if it is ours and not a bit of it was changed, else undefined. */
export function readTicket(text: string, key: Uint8Array): Ticket | undefined {
  const [body = '', signature = '', ...rest] = text.split('.')
  const given = Buffer.from(signature, 'base64url')
  const wanted = sign(key, body)
  if (rest.length || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Ticket
}
