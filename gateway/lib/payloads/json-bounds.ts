/** Limits of a JSON text, checked before parsing, because parsing blocks all other calls and messages. */
export interface JsonBounds {
  /** Maximum nesting of objects and arrays. */
  depth: number
  /** Maximum number of objects, arrays and their elements. */
  values: number
  /** Maximum number of object members: an object with distinct keys costs far more than an array. */
  members: number
}

/** Limits of a call. The largest is a batch of an import: five arrays of 10,000 numbers. */
export const CALL_BOUNDS: JsonBounds = { depth: 32, values: 60_000, members: 20_000 }
/** Limits of a hub's report. The largest are 5,000 readings of up to 16 fields, and the states of 1,000 devices with tables of values. */
export const MESSAGE_BOUNDS: JsonBounds = { depth: 32, values: 100_000, members: 100_000 }

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Limit that a JSON text exceeds; undefined if it is within all. Does not validate the JSON. */
export function exceededBound(bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | undefined {
  let [depth, values, members] = [0, 1, 0]
  for (let i = 0; i < bytes.length; i++)
    switch (bytes[i]) {
      case QUOTE:
        i = endOfText(bytes, i)
        break
      case COMMA:
        if (++values > bounds.values) return 'values'
        break
      case COLON:
        if (++members > bounds.members) return 'members'
        break
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        if (++depth > bounds.depth) return 'depth'
        if (++values > bounds.values) return 'values'
        break
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--
    }
  return undefined
}

/** Index of the closing quote of the text that begins at `start`; the end of the input if there is none. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let i = start + 1; i < bytes.length; i++) {
    if (bytes[i] === BACKSLASH) i++
    else if (bytes[i] === QUOTE) return i
  }
  return bytes.length
}
