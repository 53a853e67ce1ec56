import { parseJson } from '../../contract/kernel/parse-json.ts'

/** The JSON of a message's bytes; undefined, which no schema accepts, when it is none. */
export function parseBytes(payload: Uint8Array): unknown {
  const { buffer, byteOffset, byteLength } = payload
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(buffer, byteOffset, byteLength)
  return parseJson(bytes.toString())
}
