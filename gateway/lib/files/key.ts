import { GatewayError } from '../../kernel/errors.ts'

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/
const TYPES = new Map([
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['bin', 'application/octet-stream'],
])

/**
 * The key itself if it names a file within the store: safe path segments, none of them hidden or leading upwards, and
 * one of our endings. Errors: NOT_FOUND.
 */
export function safeKey(key: string): string {
  const safe = key.length <= 256 && key.split('/').every((segment) => SEGMENT.test(segment))
  if (!safe || contentTypeOf(key) === undefined)
    throw new GatewayError('NOT_FOUND', 'This file does not exist')
  return key
}

/** What a key's ending says it holds. */
export const contentTypeOf = (key: string): string | undefined =>
  TYPES.get(key.slice(key.lastIndexOf('.') + 1))

/** The ending of a content type that files may have. */
export const extensionOf = (contentType: string): string | undefined =>
  [...TYPES.keys()].find((ending) => TYPES.get(ending) === contentType)
