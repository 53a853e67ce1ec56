import { createHmac, timingSafeEqual } from 'node:crypto'

const sign = (key: Uint8Array, body: string) => createHmac('sha256', key).update(body).digest('base64url')

/** Encodes a value for a URL, with a signature instead of stored state. Not encrypted: anyone can read it. */
export function writeSigned(value: object, key: Uint8Array): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${body}.${sign(key, body)}`
}

/** Decodes a signed value; undefined if the signature is invalid. */
export function readSigned<T extends object>(text: string, key: Uint8Array): T | undefined {
  const [body = '', signature = '', ...rest] = text.split('.')
  // Compared as text: the last character of base64url has unused bits, and even these must not differ.
  const actual = Buffer.from(signature)
  const expected = Buffer.from(sign(key, body))
  if (rest.length || actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as T
}
