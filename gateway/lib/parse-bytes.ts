import { parseJson, parseTolerantJson } from '../../contract/kernel/parse-json.ts'

const unreadable = new WeakSet<Uint8Array>()

/** The JSON of a message's bytes; undefined, which no schema accepts, when it is none. */
export const parseBytes = (payload: Uint8Array): unknown => parseWith(parseJson, payload)

/**
 * As `parseBytes`, of a hub: NaN and Infinity in place of a number cost that number only. The broker has bounded depth and tokens of
 * what comes here.
 */
export const parseHubBytes = (payload: Uint8Array): unknown => parseWith(parseTolerantJson, payload)

function parseWith(parse: (text: string) => unknown, payload: Uint8Array): unknown {
  const { buffer, byteOffset, byteLength } = payload
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(buffer, byteOffset, byteLength)
  const value = parse(bytes.toString())
  if (value === undefined) markUnreadable(payload)
  return value
}

/** Marks a payload that is not JSON, so that the broker can slow down the sender of many. */
export const markUnreadable = (payload: Uint8Array): void => void unreadable.add(payload)

/** Whether this payload was parsed and is not JSON. */
export const isUnreadable = (payload: Uint8Array): boolean => unreadable.has(payload)

const UNSTORABLE = /[\0\p{Surrogate}]/gu

/** A hub's text as the database can hold it, shortened to at most `most` characters; what it cannot hold is replaced by U+FFFD. */
export function keptText(text: string, most: number): string {
  const clean = text.slice(0, most + 1).replace(UNSTORABLE, '\uFFFD')
  return clean.length > most ? `${clean.slice(0, most - 1)}…` : clean
}
