import { GatewayError } from '../../kernel/errors.ts'

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/
const TYPES = new Map([
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['bin', 'application/octet-stream'],
])

/** Validates a key: safe path segments, none hidden or leading upward, and a known extension. Errors: NOT_FOUND. */
export function assertKey(key: string): string {
  const isSafe = key.length <= 256 && key.split('/').every((segment) => SEGMENT.test(segment))
  if (!isSafe || contentTypeOf(key) === undefined)
    throw new GatewayError('NOT_FOUND', 'This file does not exist')
  return key
}

/** Content type by a key's extension. */
export const contentTypeOf = (key: string): string | undefined =>
  TYPES.get(key.slice(key.lastIndexOf('.') + 1))

/** Extension of an allowed content type. */
export const extensionOf = (contentType: string): string | undefined =>
  [...TYPES.keys()].find((extension) => TYPES.get(extension) === contentType)
