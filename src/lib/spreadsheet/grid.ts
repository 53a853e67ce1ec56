import Papa from 'papaparse/papaparse.js'
import { MAX_IMPORT_ROWS } from '../../../contract/meters/import-calls.ts'
import { decodeText } from './decode-text.ts'
import { DELIMITERS, FileRefused, MAX_COLUMNS } from './file-fault.ts'

/** Cells as text; a date of a workbook is `2025-10-01 08:15:00`. */
export type Grid = readonly (readonly string[])[]

/** Maximum number of lines of a file, including some title lines. */
export const MAX_LINES = MAX_IMPORT_ROWS + 100
/** Maximum length of a line in bytes: a longer one is not a table. */
const MAX_LINE_LENGTH = 2 ** 20
/** Maximum length of a cell in characters, as in Excel. */
const MAX_CELL_LENGTH = 32_767

export interface OpenedFile {
  grid: Grid
  /** Delimiter of a text file. */
  delimiter: string | undefined
  /** Sheet names of a workbook, and index of the one that was read. */
  sheets: readonly string[]
  sheet: number
}

/**
 * Reads a text file with cells; the delimiter is detected unless given. Text that is not a table is rejected before it fills the memory:
 * a line of millions of cells, a cell of megabytes.
 *
 * errors  FileRefused
 */
export function readText(bytes: Uint8Array, delimiter?: string): OpenedFile {
  const text = decodeText(bytes)
  if (text.includes('\0')) throw new FileRefused('notRead')
  assertLineLengths(bytes)
  const data: string[][] = []
  let bestDelimiter = delimiter
  let tooWide = false
  Papa.parse<string[]>(text, {
    delimiter: delimiter ?? '',
    delimitersToGuess: [...DELIMITERS],
    skipEmptyLines: false,
    preview: MAX_LINES + 1,
    step({ data: line, meta }, parser) {
      bestDelimiter = meta.delimiter
      tooWide = isTooWide(line)
      if (tooWide) parser.abort()
      else data.push(line)
    },
  })
  if (tooWide) throw new FileRefused('tooWide')
  while (data.length > 0 && data.at(-1)?.every((cell) => cell === '')) data.pop()
  if (data.length === 0) throw new FileRefused('empty')
  if (data.length > MAX_LINES) throw new FileRefused('tooManyRows')
  return { grid: data, delimiter: bestDelimiter, sheets: [], sheet: 0 }
}

/** Whether a line has too many cells, or a cell that is too long. */
export const isTooWide = (line: readonly string[]): boolean =>
  line.length > MAX_COLUMNS || line.some((cell) => cell.length > MAX_CELL_LENGTH)

const [LINE_FEED, RETURN] = [0x0a, 0x0d]

function assertLineLengths(bytes: Uint8Array): void {
  let start = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === LINE_FEED || byte === RETURN) start = at + 1
    else if (at - start >= MAX_LINE_LENGTH) throw new FileRefused('tooWide')
  }
}
