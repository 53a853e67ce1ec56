import type { Cell, Grid } from '../../../lib/spreadsheet/grid.ts'
import { isMerged, isUnstated, MIN_NUMBER_SHARE, MIN_SHARE } from './grid-sample.ts'
import { ESTIMATED, FINAL, isMeterHeading, isQualityHeading, NUMBER_HEAD, readHeading } from './headings.ts'
import { TIME_PART_HEAD } from './time-columns.ts'
import { cellText } from './time.ts'

/** Columns of a table. */
export interface TableColumns {
  headings: readonly string[]
  /** Cells of a column in the sampled lines. */
  column(index: number): Cell[]
  /** Times of the sampled lines. */
  times: readonly string[]
  /** Lines of the whole file that have one of its first times, and their times. */
  compared: { lines: Grid; times: readonly string[] }
  /** Column with the names of the sheets that were joined. */
  sheetColumn: number | undefined
  /** Whether the times are dates or months without a time of day. */
  isDateOnly: boolean
  /** Whether the title or the corner states the unit of all figures. */
  hasFileUnit: boolean
  names: NameReading
}

/** Reading of headings that are the names of meters, or of something else that is left out, by a word such as temperature. */
export interface NameReading {
  answer: NameAnswer | undefined
  isMeter: (text: string) => boolean
}
/** Answers to the question about them. */
export const NAME_ANSWERS = ['read', 'leave'] as const
export type NameAnswer = (typeof NAME_ANSWERS)[number]

/** Columns that name the meter of a line. */
export interface MeterColumns {
  meterColumn: number | null
  /** Further columns that name a meter together with the first, such as building and circuit. */
  meterParts: readonly number[]
  /** Columns of numbers that are no figures. */
  identities: readonly number[]
}

/**
 * Finds the columns that name the meter of a line.
 *
 * numbers, texts  columns of numbers and of texts
 * others          columns of unit and direction, by which lines of a meter differ, too
 */
export function meterColumns(
  {
    numbers,
    texts,
    others,
  }: { numbers: readonly number[]; texts: readonly number[]; others: readonly (number | null)[] },
  { headings, column, times, compared, sheetColumn }: TableColumns,
): MeterColumns {
  const headingOf = (index: number) => headings[index] ?? ''
  const filledOf = (index: number) => column(index).filter((cell) => cellText(cell) !== '')
  const comparedTexts = (index: number) => compared.lines.map((line) => cellText(line[index]))
  const isIdentity = (index: number) =>
    isMeterHeading(headingOf(index)) && readHeading(headingOf(index)).unit === undefined
  const identities = numbers.filter(
    (index) => isLongNumber(filledOf(index)) || (isIdentity(index) && looksLikeIdentity(filledOf(index))),
  )
  const named =
    [...texts, ...identities].find(
      (index) =>
        (isIdentity(index) || identities.includes(index)) &&
        filledOf(index).length > column(index).length / 2,
    ) ??
    texts.find(
      (index) =>
        readHeading(headingOf(index)).ignored === undefined &&
        namesSeries(comparedTexts(index), compared.times),
    ) ??
    texts.find(
      (index) => isMerged(column(index)) && (isIdentity(index) || namesBlocks(column(index), times)),
    ) ??
    numbers.find(
      (index) => numbers.length > 1 && numbersSeries(comparedTexts(index), headingOf(index), compared.times),
    ) ??
    (sheetColumn !== undefined && column(sheetColumn).some((cell) => !isPeriodName(cellText(cell)))
      ? sheetColumn
      : null)
  if (named === null) return { meterColumn: null, meterParts: [], identities }
  const parts = [...texts, ...(numbers.length > 1 ? numbers : [])].filter(
    (index) => index !== named && isUnstated(headingOf(index)) && !isQualityHeading(headingOf(index)),
  )
  const [meterColumn, ...meterParts] = namesTogether(named, parts, others, comparedTexts, compared.times)
  return { meterColumn, meterParts, identities }
}

/** Whole numbers of many digits, or always the same one. */
function looksLikeIdentity(cells: readonly Cell[]): boolean {
  const texts = new Set(cells.map(cellText))
  return texts.size <= Math.max(1, cells.length / 3) || [...texts].every((text) => /^\d{8,}$/.test(text))
}

/** Maximum share of distinct times, or of times with the names of a meter, where each occurs several times. */
const MAX_DISTINCT_SHARE = 0.75

/** Whether a column of text has few names, which occur again and again and each at the same times as others. */
function namesSeries(texts: readonly string[], times: readonly string[]): boolean {
  const names = new Set(texts)
  if (names.size < 2 || names.size > texts.length / 2 || names.has('')) return false
  const distinctTimes = new Set(times).size
  const pairs = new Set(texts.map((text, at) => `${times[at]} ${text}`))
  return distinctTimes <= texts.length * MAX_DISTINCT_SHARE && pairs.size > distinctTimes
}

/** Maximum number of columns that name a meter together, and of the names in one of them. */
const MAX_NAME_COLUMNS = 3
const MAX_PART_NAMES = 200

/**
 * Columns that name a meter together: the first one, and those without which most lines would have the time and name of another. A column
 * with one name that others tell apart is left out.
 *
 * others  columns of unit and direction, by which lines of a meter differ, too
 */
function namesTogether(
  first: number,
  candidates: readonly number[],
  others: readonly (number | null)[],
  texts: (index: number) => string[],
  times: readonly string[],
): [number, ...number[]] {
  const distinctShare = (columns: readonly number[]) => {
    const cells = [...columns, ...others.filter((index) => index !== null)].map(texts)
    return (
      new Set(times.map((time, at) => [time, ...cells.map((each) => each[at])].join('\n'))).size /
      times.length
    )
  }
  const isName = (index: number) => {
    const names = new Set(texts(index))
    return (
      names.size > 1 &&
      names.size <= MAX_PART_NAMES &&
      !names.has('') &&
      ![...names].every((name) => ESTIMATED.test(name) || FINAL.test(name))
    )
  }
  const columns = [first]
  let share = distinctShare(columns)
  if (share > MAX_DISTINCT_SHARE) return [first]
  for (const index of candidates.filter(isName)) {
    const next = distinctShare([...columns, index])
    if (columns.length < MAX_NAME_COLUMNS && next > share) {
      columns.push(index)
      share = next
    }
  }
  if (share < MIN_NUMBER_SHARE) return [first]
  const [column = first, ...parts] = columns.filter((index) => new Set(texts(index)).size > 1)
  return [column, ...parts]
}

/** Whether each name in a column is above the same times. */
function namesBlocks(cells: readonly Cell[], times: readonly string[]): boolean {
  return cells.every((cell, at) => cellText(cell) === '' || times[at] === times[0])
}

/** Whether a column of whole numbers has the same few at each time, as the numbers of buildings. */
function numbersSeries(texts: readonly string[], heading: string, times: readonly string[]): boolean {
  if (!isUnstated(heading) || TIME_PART_HEAD.test(heading.trim()) || NUMBER_HEAD.test(heading)) return false
  if (!namesSeries(texts, times) || !texts.every((text) => /^\d{1,6}$/.test(text))) return false
  const names = new Set(texts).size
  const pairs = new Set(texts.map((text, at) => `${times[at]} ${text}`)).size
  return pairs >= MIN_NUMBER_SHARE * texts.length && pairs >= MIN_SHARE * names * new Set(times).size
}

/** Identities such as an EAN or an MPAN: more digits than a figure has. */
const isLongNumber = (cells: readonly Cell[]): boolean =>
  cells.length > 0 && cells.every((cell) => /^\d{11,}$/.test(cellText(cell)))

/** Whether the name of a sheet is a default one or a period, so that several sheets are one meter's. */
const isPeriodName = (name: string): boolean => name === '' || PERIOD_NAME.test(name)

const PERIOD_NAME =
  /^(?:(?:sheet|table|data|page|工作表|tabelle|feuil|hoja|blad|foglio|ark|planilha)\s*\d*|(?:民國)?\d{1,4}\s*年?(?:[-/._ ]?\d{1,2})?\s*月?(?:份)?|[一二三四五六七八九十]{1,3}月(?:份)?|第?[一二三四1-4]季|(?:q|h)[1-4](?:[ -]\d{2,4})?|(?:kw|w|week|第)\s*\d{1,2}\s*週?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ -]?(?:\d{2,4})?)$/i
