import Papa from 'papaparse/papaparse.js'
import { MAX_IMPORT_ROWS } from '../../../contract/meters/import-calls.ts'
import { decodeText, type DecodedText, type Encoding } from './decode-text.ts'
import { detectLayout } from './delimiter.ts'
import { FileRefused, MAX_COLUMNS } from './file-fault.ts'

/**
 * Content of a cell: a number where a workbook or a JSON file has a number, else text. A date of a workbook is `2025-10-01` or
 * `2025-10-01 08:15:00`, a time of day `08:15:00`.
 */
export type Cell = string | number
export type Grid = readonly (readonly Cell[])[]
/** Grid for readers that need only text. */
export type TextGrid = readonly (readonly string[])[]

/** Maximum number of rows of a grid, including some title lines. */
export const MAX_LINES = MAX_IMPORT_ROWS + 100
/** Maximum length of a cell in characters, as in Excel. */
const MAX_CELL_LENGTH = 32_767

/** Format of a file's content. */
export type Container = 'text' | 'workbook' | 'nem12' | 'greenButton' | 'json'

/**
 * Reason why a record of a file is not a row.
 *
 * cutOff          the file ends early
 * indexRead       a meter reading that accompanies intervals (NEM12, 500)
 * intervalLength  intervals of another length than 5, 15 or 30 minutes
 * intervalRange   quality of intervals that do not exist (NEM12, 400)
 * noMeter         intervals without a valid meter record before them
 * noReadingType   readings without a type, thus without a unit
 * noTime          a reading without a time
 * noValue         intervals without data
 * notDate         no such date
 * notFlat         an object with lists or objects inside
 * notJson         a line that is not JSON
 * notNumber       a value that is not a number
 * outsideRows     a value next to the rows
 * unknownRecord   a record of another sort
 * valueCount      a wrong number of values
 */
export type SkipReason =
  | 'cutOff'
  | 'indexRead'
  | 'intervalLength'
  | 'intervalRange'
  | 'noMeter'
  | 'noReadingType'
  | 'noTime'
  | 'noValue'
  | 'notDate'
  | 'notFlat'
  | 'notJson'
  | 'notNumber'
  | 'outsideRows'
  | 'unknownRecord'
  | 'valueCount'

/** A record of a file that is not a row. */
export interface SkippedRecord {
  /** Line in the file, from 1. */
  line: number
  reason: SkipReason
  /** Beginning of the record. */
  text: string
}
/** Maximum number of characters of a skipped record that are kept. */
const MAX_SKIPPED_CHARACTERS = 120

/** Cells of a file. */
export interface OpenedFile {
  grid: Grid
  container: Container
  /** Encoding of a file of text. */
  encoding?: Encoding
  /** Delimiter of a text file. */
  delimiter: string | undefined
  /** Sheet names of a workbook, and index of the one that was read, or of the longest one that was read. */
  sheets: readonly string[]
  sheet: number
  /** Sheets that were read as one table: the column with their names, and the sheet of each row. */
  joined?: { column: number; sheetOf: readonly string[] }
  /** Whether bare serial numbers of dates count from 1904. */
  isDate1904: boolean
  /** Most common number format of each column of a workbook, e.g. `0.00%`; undefined for General. */
  formats?: readonly (string | undefined)[]
  /** Line in the file of each row of the grid, from 1, if rows are not lines. */
  lineOf?: readonly number[]
  /** Records of the file that are not rows. */
  skipped: readonly SkippedRecord[]
}

/** Heading of the grid of a file that states meter, unit and time of each value. `To` is empty for readings of a counter. */
export const LONG_HEADING = ['From', 'To', 'Meter', 'Value', 'Unit', 'Direction', 'Quality'] as const

/** Text of a cell; empty if the row is shorter. */
export const textAt = (cells: readonly Cell[], column: number): string => String(cells[column] ?? '')

export const textsOf = (grid: Grid): TextGrid => grid.map((cells) => cells.map(String))

/**
 * Reads a text file with cells; the delimiter is detected unless given. Text that is not a table is rejected before it fills the memory:
 * a line of millions of cells, a cell of megabytes.
 *
 * errors  FileRefused
 */
export const readText = (bytes: Uint8Array, delimiter?: string): OpenedFile =>
  readTable(decodeText(bytes), delimiter)

/** First line that names the delimiter, as Excel writes and reads it. */
const DELIMITER_LINE = /^"?sep=(.)"?[ \t]*(?:\r\n|\n|\r|$)/i

/** Reads decoded text with cells. Errors: FileRefused. */
export function readTable({ text: wholeText, encoding }: DecodedText, delimiter?: string): OpenedFile {
  const named = DELIMITER_LINE.exec(wholeText)
  const { text, lineEnd, ...detected } = detectLayout(named ? wholeText.slice(named[0].length) : wholeText)
  const usedDelimiter = delimiter ?? named?.[1] ?? detected.delimiter
  const data: string[][] = []
  let tooWide = false
  Papa.parse<string[]>(text, {
    delimiter: usedDelimiter,
    newline: lineEnd,
    skipEmptyLines: false,
    preview: MAX_LINES + 1,
    step({ data: line, errors }, parser) {
      // The file ends within a quoted cell, which may lack its last digits.
      if (errors.some(({ code }) => code === 'MissingQuotes')) line.push(`"${line.pop() ?? ''}`)
      tooWide = isTooWide(line)
      if (tooWide) parser.abort()
      else data.push(line)
    },
  })
  if (tooWide) throw new FileRefused('tooWide')
  const skipped: SkippedRecord[] = []
  if (!/[\r\n]$/.test(text) && isLastLineCut(data)) {
    const cells = data.pop() as string[]
    skipped.push({ line: data.length + 1, reason: 'cutOff', text: cells.join(usedDelimiter) })
  }
  const plain = { container: 'text', sheets: [], sheet: 0, isDate1904: false } as const
  return { ...plain, skipped, grid: trimGrid(data), encoding, delimiter: usedDelimiter }
}

/** Number of lines with which the last one is compared: at most, and at least. */
const [MAX_COMPARED, MIN_COMPARED] = [200, 20]

/** Whether the last line has fewer cells, or its last cell fewer decimals, than each of the lines before it. */
function isLastLineCut(lines: TextGrid): boolean {
  const [last = []] = lines.slice(-1)
  const before = lines.slice(Math.max(lines.length >> 1, lines.length - 1 - MAX_COMPARED), -1)
  if (before.length < MIN_COMPARED || last.length < 2) return false
  if (before.every((line) => line.length > last.length)) return true
  const own = decimalsOf(last.at(-1) ?? '')
  const others = before
    .map((line) => decimalsOf(line[last.length - 1] ?? ''))
    .filter((count) => count !== undefined)
  return own !== undefined && others.length >= MIN_COMPARED && others.every((count) => count > own)
}

const decimalsOf = (text: string): number | undefined => {
  const match = /^\s*[-+]?\d+(?:[.,](\d*))?\s*$/.exec(text)
  return match ? (match[1] ?? '').length : undefined
}

/** Grid without empty rows at its end. Errors: FileRefused if it is empty or too long. */
export function trimGrid<Line extends readonly Cell[]>(grid: Line[]): Line[] {
  while (grid.length > 0 && grid.at(-1)?.every((cell) => cell === '')) grid.pop()
  if (grid.length === 0) throw new FileRefused('empty')
  if (grid.length > MAX_LINES) throw new FileRefused('tooManyRows')
  return grid
}

/** Whether a line has too many cells, or a cell that is too long. */
export const isTooWide = (line: readonly Cell[]): boolean =>
  line.length > MAX_COLUMNS || line.some((cell) => typeof cell === 'string' && cell.length > MAX_CELL_LENGTH)

/** Rows and skipped records of a file whose rows are not its lines. */
export interface RecordRows {
  grid: Cell[][]
  lineOf: number[]
  skipped: SkippedRecord[]
}

export const createRecordRows = (heading: readonly string[]): RecordRows => ({
  grid: [[...heading]],
  lineOf: [1],
  skipped: [],
})

/** Adds a row. Errors: FileRefused if there are too many or it is too wide. */
export function addRow({ grid, lineOf }: RecordRows, line: number, cells: Cell[]): void {
  if (grid.length >= MAX_LINES) throw new FileRefused('tooManyRows')
  if (isTooWide(cells)) throw new FileRefused('tooWide')
  grid.push(cells)
  lineOf.push(line)
}

/** Adds a record that is not a row. Errors: FileRefused if there are too many. */
export function skipRecord({ skipped }: RecordRows, line: number, reason: SkipReason, text: string): void {
  if (skipped.length >= MAX_LINES) throw new FileRefused('tooManyRows')
  skipped.push({ line, reason, text: text.slice(0, MAX_SKIPPED_CHARACTERS) })
}

/** File of records, which has neither cells nor sheets of its own. */
export const openedRecords = (
  { grid, lineOf, skipped }: RecordRows,
  container: Container,
  encoding: Encoding,
): OpenedFile => ({
  grid,
  container,
  encoding,
  delimiter: undefined,
  sheets: [],
  sheet: 0,
  isDate1904: false,
  lineOf,
  skipped,
})
