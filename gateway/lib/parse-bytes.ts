import { parseJson, parseTolerantJson } from '../../contract/kernel/parse-json.ts'

const unreadable = new WeakSet<Uint8Array>()

/** Parses JSON bytes; undefined, which no schema accepts, if invalid. */
export const parseBytes = (payload: Uint8Array): unknown => parseWith(parseJson, payload)

/**
 * Parses a hub's JSON like `parseBytes`, but NaN and Infinity in place of a number invalidate that number only. The broker has already
 * bounded its depth and tokens.
 */
export const parseHubBytes = (payload: Uint8Array): unknown => parseWith(parseTolerantJson, payload)

function parseWith(parse: (text: string) => unknown, payload: Uint8Array): unknown {
  const { buffer, byteOffset, byteLength } = payload
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(buffer, byteOffset, byteLength)
  const value = parse(bytes.toString())
  if (value === undefined) markUnreadable(payload)
  return value
}

/** Marks a payload as invalid JSON, so that the broker can slow down senders of many. */
export const markUnreadable = (payload: Uint8Array): void => void unreadable.add(payload)

/** Whether this payload was parsed and is not JSON. */
export const isUnreadable = (payload: Uint8Array): boolean => unreadable.has(payload)

const UNSTORABLE = /[\0\p{Surrogate}]/gu

/** Text of a hub for storage: truncated to `maxLength` characters, with unstorable characters replaced by U+FFFD. */
export function truncateText(text: string, maxLength: number): string {
  const clean = text.slice(0, maxLength + 1).replace(UNSTORABLE, '\uFFFD')
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean
}
