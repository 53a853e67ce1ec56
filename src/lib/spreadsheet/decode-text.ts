/** Character encoding of a text file. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | RegionalEncoding
/** Encodings in which Excel saves CSV files, by the region of the computer. */
const REGIONAL = ['big5', 'shift_jis', 'gb18030', 'euc-kr', 'windows-1252'] as const
type RegionalEncoding = (typeof REGIONAL)[number]

export interface DecodedText {
  /** Text without byte-order mark. */
  text: string
  encoding: Encoding
}

/**
 * Text of a file: UTF-16 by its byte-order mark or by the places of its zero bytes, else UTF-8; bytes that are neither have the regional
 * encoding in which most of them are characters that files of energy use, Big5 if none is better.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = detectUtf16(bytes)
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16 }
  const text = decodeUtf8(bytes)
  if (text !== undefined) return { text, encoding: 'utf-8' }
  const encoding = detectRegional(bytes)
  return { text: new TextDecoder(encoding).decode(bytes), encoding }
}

/** Number of bytes, of lines with others than ASCII, by which a regional encoding is detected. */
const MAX_SAMPLED = 2 ** 14
/** Characters of headings, dates and units in files of energy, which wrong encodings hardly ever produce. */
const COMMON = new Set(
  '時間日期月年分秒電量用力度數表號總計值單位名稱備註起迄始終結束尖峰離半購售餘發累有效功率站區樓廠公司合台北中上下午星一二三四五六' +
    '时电数号总单备结离购发区' +
    '値使量対象曜番計測点買売線場所料金開終了土金木水火' +
    'のをにはとがでアイカキクケコサシスセソタテトナハフマメラリルロワンー' +
    '일시간년월분초전력사용량누적유효계기번호합단위최대수요값요금오후고객명지점건물' +
    '：（）～〜、。「」　',
)
const LATIN = /^(?:[À-ÖØ-öø-ÿŒœŠšŽž]{1,2}|[°²³µ€£§·–—‘’“”])$/

function detectRegional(bytes: Uint8Array): RegionalEncoding {
  const sample = sampleOf(bytes)
  const scores = REGIONAL.map((encoding) => {
    const runs = new TextDecoder(encoding).decode(sample).match(/[^\0-\x7f]+/g) ?? []
    const [good, all] = runs.reduce<[number, number]>(
      ([sum, total], run) => [sum + commonIn(run, encoding), total + run.length],
      [0, 0],
    )
    return { encoding, score: good / Math.max(1, all) }
  })
  return scores.reduce((best, other) => (other.score > best.score ? other : best)).encoding
}

const commonIn = (run: string, encoding: RegionalEncoding): number =>
  encoding === 'windows-1252'
    ? LATIN.test(run)
      ? run.length
      : 0
    : [...run].filter((character) => COMMON.has(character)).length

/** The first lines that contain other bytes than ASCII; no byte of a character is a line feed. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(MAX_SAMPLED)
  let [start, size, isOther] = [0, 0, false]
  for (let at = 0; at <= bytes.length && size < MAX_SAMPLED; at++) {
    if (at < bytes.length && bytes[at] !== LINE_FEED) {
      if ((bytes[at] as number) > 0x7f) isOther = true
      continue
    }
    if (isOther) {
      const line = bytes.subarray(start, Math.min(at + 1, start + MAX_SAMPLED - size))
      sample.set(line, size)
      size += line.length
    }
    ;[start, isOther] = [at + 1, false]
  }
  return sample.subarray(0, size)
}
const LINE_FEED = 0x0a

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
