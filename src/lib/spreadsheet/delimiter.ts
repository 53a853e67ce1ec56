import Papa from 'papaparse/papaparse.js'
import { DELIMITERS, FileRefused, MAX_COLUMNS } from './file-fault.ts'

/** Maximum length of a line in characters: a longer one is not a table. */
const MAX_LINE_LENGTH = 2 ** 20
/** Number of records, and of characters, whose cells are compared. */
const SAMPLED_RECORDS = 100
const SAMPLED_CHARACTERS = 2 ** 18

/** A text of which every record has the same line end. */
export interface TextLayout {
  text: string
  lineEnd: '\n' | '\r' | '\r\n'
  delimiter: string
}

const [LINE_FEED, RETURN, QUOTE, SPACE] = [0x0a, 0x0d, 0x22, 0x20]
/** Sort of each ASCII character: 1 to 4 are delimiters in their order, 0 is anything else. */
const SORTS = new Uint8Array(128)
const [FIRST_END, SORT_QUOTE, SORT_ZERO] = [5, 6, 7]
for (const [index, delimiter] of DELIMITERS.entries()) SORTS[delimiter.charCodeAt(0)] = index + 1
SORTS[LINE_FEED] = SORTS[RETURN] = FIRST_END
SORTS[QUOTE] = SORT_QUOTE
SORTS[0] = SORT_ZERO

/** Counts of a text's line ends, and of its records by their number of each delimiter. */
interface Tally {
  lineFeeds: number
  returns: number
  pairs: number
  records: number
  /** For each delimiter, number of records by how often they contain it. */
  counts: Uint32Array[]
  /** Position after the sampled records. */
  sampleEnd: number
}

/**
 * Line end and delimiter of a text, from all of its records. Line ends of several sorts, as in joined files, are replaced.
 *
 * errors  FileRefused: `tooWide` for a line of megabytes, `notRead` for a zero character
 */
export function detectLayout(text: string): TextLayout {
  const tally = countRecords(text)
  return { ...unifyLineEnds(text, tally), delimiter: chooseDelimiter(tally, text) }
}

/** A lone return is the line end of old Macs if it is the most common one, else part of a cell. */
function unifyLineEnds(
  text: string,
  { lineFeeds, returns, pairs }: Tally,
): Pick<TextLayout, 'text' | 'lineEnd'> {
  if (returns > lineFeeds + pairs)
    return lineFeeds + pairs === 0
      ? { text, lineEnd: '\r' }
      : { text: text.replace(/\r\n?/g, '\n'), lineEnd: '\n' }
  if (pairs === 0) return { text, lineEnd: '\n' }
  return lineFeeds + returns === 0
    ? { text, lineEnd: '\r\n' }
    : { text: text.replace(/\r{1,2}\n/g, '\n'), lineEnd: '\n' }
}

/** Counts in one pass; a quoted cell begins after a delimiter, and its line ends and delimiters do not count. */
function countRecords(text: string): Tally {
  const tally: Tally = {
    lineFeeds: 0,
    returns: 0,
    pairs: 0,
    records: 0,
    counts: DELIMITERS.map(() => new Uint32Array(MAX_COLUMNS + 1)),
    sampleEnd: text.length,
  }
  const current = new Uint32Array(DELIMITERS.length)
  let lineStart = 0
  let recordStart = 0
  let nextFeed = -1
  const endLine = (at: number, next: number) => {
    if (at - lineStart >= MAX_LINE_LENGTH) throw new FileRefused('tooWide')
    lineStart = next
  }
  const endRecord = (at: number) => {
    if (at > recordStart) {
      for (let index = 0; index < current.length; index++) {
        const counts = tally.counts[index] as Uint32Array
        ;(counts[Math.min(current[index] as number, MAX_COLUMNS)] as number)++
      }
      if (++tally.records === SAMPLED_RECORDS) tally.sampleEnd = at
    }
    current.fill(0)
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const sort = code < 128 ? (SORTS[code] as number) : 0
    if (sort === 0) continue
    if (sort < FIRST_END) (current[sort - 1] as number)++
    else if (sort === SORT_QUOTE) {
      if (at !== recordStart && !isDelimiter(text.charCodeAt(at - 1))) continue
      const end = endOfQuoted(text, at)
      if (nextFeed < at) nextFeed = feedFrom(text, at)
      for (; nextFeed < end; nextFeed = feedFrom(text, nextFeed + 1)) endLine(nextFeed, nextFeed + 1)
      at = end
    } else if (sort === SORT_ZERO) throw new FileRefused('notRead')
    else {
      endRecord(at)
      const isPair = code === RETURN && text.charCodeAt(at + 1) === LINE_FEED
      recordStart = at + (isPair ? 2 : 1)
      endLine(at, recordStart)
      if (isPair) {
        tally.pairs++
        at++
      } else if (code === LINE_FEED) tally.lineFeeds++
      else tally.returns++
    }
  }
  endRecord(text.length)
  endLine(text.length, text.length)
  return tally
}

/** Position of the next line feed, or the end of the text. */
function feedFrom(text: string, start: number): number {
  const at = text.indexOf('\n', start)
  return at < 0 ? text.length : at
}

const isDelimiter = (code: number): boolean => {
  const sort = code < 128 ? (SORTS[code] as number) : 0
  return sort > 0 && sort < FIRST_END
}

/** Position of the quote that closes a cell, or the end of the text. */
function endOfQuoted(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    const next = text.charCodeAt(at + 1)
    if (next === QUOTE) at++
    else if (
      Number.isNaN(next) ||
      next === LINE_FEED ||
      next === RETURN ||
      next === SPACE ||
      isDelimiter(next)
    )
      return at
  }
  return text.length
}

/** Order of preference between equally good delimiters: a comma may also be a decimal mark. */
const PREFERENCE = ['\t', ';', '|', ','] as const
/** A number or a date in any notation, if it has a digit. In a date, a comma is only before the time: `6/1/2026, 08:15`; a tab is in neither. */
const FIGURE = /^(?!.*\t)(?:[-+]?[\d.,'\s]+%?|[-+\d\s.:/TZ年月日]+(?:,\s[\d\s.:]+)?)$/
const DEFAULT_DELIMITER = ','

/**
 * Delimiter that most records contain equally often and whose cells are dates and numbers: in `2026-06-01 00:00;1,5` a comma would leave
 * `2026-06-01 00:00;1`.
 */
function chooseDelimiter({ counts, records, sampleEnd }: Tally, text: string): string {
  const candidates = PREFERENCE.map((delimiter) => ({
    delimiter,
    consistency: (counts[DELIMITERS.indexOf(delimiter)] as Uint32Array)
      .subarray(1)
      .reduce((most, count) => Math.max(most, count / records), 0),
  })).filter(({ consistency }) => consistency > 0)
  if (candidates.length < 2) return candidates[0]?.delimiter ?? DEFAULT_DELIMITER
  const sample = text.slice(0, Math.min(sampleEnd, SAMPLED_CHARACTERS))
  const scores = candidates.map(({ delimiter, consistency }) => ({
    delimiter,
    score: consistency + figureShare(sample, delimiter),
  }))
  return scores.reduce((best, other) => (other.score > best.score ? other : best)).delimiter
}

/** Share of nonblank cells that are dates, times or numbers. */
function figureShare(sample: string, delimiter: string): number {
  const cells = Papa.parse<string[]>(sample, { delimiter })
    .data.flat()
    .filter((cell) => cell.trim() !== '')
  return cells.filter((cell) => FIGURE.test(cell) && /\d/.test(cell)).length / Math.max(1, cells.length)
}
