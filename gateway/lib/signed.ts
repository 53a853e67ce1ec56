import { createHmac, timingSafeEqual } from 'node:crypto'

const sign = (key: Uint8Array, body: string) => createHmac('sha256', key).update(body).digest('base64url')

/** A value as text for an address, signed so that nothing has to be stored for it. Not secret: anybody can read it. */
export function writeSigned(value: object, key: Uint8Array): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${body}.${sign(key, body)}`
}

/** The value if it is ours and not a bit of it was changed, else undefined. */
export function readSigned<T extends object>(text: string, key: Uint8Array): T | undefined {
  const [body = '', signature = '', ...rest] = text.split('.')
  // As text: the last of its characters has bits that say nothing, and not even these may differ.
  const given = Buffer.from(signature)
  const wanted = Buffer.from(sign(key, body))
  if (rest.length || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as T
}
