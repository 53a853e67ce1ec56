import { parseJson } from '../../contract/kernel/parse-json.ts'

const unreadable = new WeakSet<Uint8Array>()

/** The JSON of a message's bytes; undefined, which no schema accepts, when it is none. */
export function parseBytes(payload: Uint8Array): unknown {
  const { buffer, byteOffset, byteLength } = payload
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(buffer, byteOffset, byteLength)
  const value = parseJson(bytes.toString())
  if (value === undefined) markUnreadable(payload)
  return value
}

/** Marks a payload that is not JSON, so that the broker can slow down the sender of many. */
export const markUnreadable = (payload: Uint8Array): void => void unreadable.add(payload)

/** Whether this payload was parsed and is not JSON. */
export const isUnreadable = (payload: Uint8Array): boolean => unreadable.has(payload)
