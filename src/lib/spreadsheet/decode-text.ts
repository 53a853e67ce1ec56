/** Character encoding of a text file. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'big5'

export interface DecodedText {
  /** Text without byte-order mark. */
  text: string
  encoding: Encoding
}

/**
 * Text of a file: UTF-16 by its byte-order mark or by the places of its zero bytes, else UTF-8; bytes that are neither are Big5, as Excel
 * saves CSV files in Taiwan.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = detectUtf16(bytes)
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16 }
  const text = decodeUtf8(bytes)
  if (text !== undefined) return { text, encoding: 'utf-8' }
  return { text: new TextDecoder('big5').decode(bytes), encoding: 'big5' }
}

/** Number of bytes in which zero bytes are counted. */
const SAMPLED_BYTES = 2 ** 16
/** Minimum share of zero bytes in UTF-16: one of two bytes of a digit. */
const MIN_ZERO_SHARE = 1 / 8
/** Minimum ratio of zero bytes at even to those at odd places, or reverse: digits and commas have theirs on one side, 一 on the other. */
const MIN_ZERO_RATIO = 4

function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, SAMPLED_BYTES)
  if (!sample.includes(0)) return undefined
  const zeros: [even: number, odd: number] = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1]++
  const [even, odd] = zeros
  if (even + odd < sample.length * MIN_ZERO_SHARE) return undefined
  if (odd > even * MIN_ZERO_RATIO) return 'utf-16le'
  return even > odd * MIN_ZERO_RATIO ? 'utf-16be' : undefined
}

/** Text of UTF-8; undefined if the bytes are no UTF-8. A character that is cut off at the end becomes U+FFFD. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  const strict = new TextDecoder('utf-8', { fatal: true })
  try {
    return strict.decode(bytes)
  } catch {
    const cut = cutOffBytes(bytes)
    if (cut === 0) return undefined
    try {
      return `${strict.decode(bytes.subarray(0, bytes.length - cut))}\uFFFD`
    } catch {
      return undefined
    }
  }
}

/** Number of bytes at the end that begin a character of UTF-8 without completing it. */
function cutOffBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] as number
    if (byte >= 0x80 && byte < 0xc0) continue
    const length = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : 2
    return byte >= 0xc2 && byte < 0xf5 && count < length ? count : 0
  }
  return 0
}
