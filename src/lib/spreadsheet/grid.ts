import Papa from 'papaparse/papaparse.js'
import { MAX_IMPORT_ROWS } from '../../../contract/procedures/meter-import.ts'
import { DELIMITERS, FileRefused } from './file-fault.ts'

/** Cells as texts; a date of a workbook is `2025-10-01 08:15:00`. */
export type Grid = readonly (readonly string[])[]

/** Lines of a file, some lines of titles among them. */
export const MOST_LINES = MAX_IMPORT_ROWS + 100
/** More columns no file of meters has. */
export const MOST_COLUMNS = 256

/** What a file holds, and by what it was divided. */
export interface OpenedFile {
  grid: Grid
  /** Of a text. */
  delimiter: string | undefined
  /** Of a workbook, and which of them this is. */
  sheets: readonly string[]
  sheet: number
}

/** A file's text without its mark. What is not UTF-8 is Big5, as Excel saves a CSV in Taiwan. */
export function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('big5').decode(bytes)
  }
}

/** Reads a text of cells; the delimiter is found unless it is given. Errors: FileRefused. */
export function readText(bytes: Uint8Array, delimiter?: string): OpenedFile {
  const text = textOf(bytes)
  if (text.includes('\0')) throw new FileRefused('notRead')
  const { data, meta } = Papa.parse<string[]>(text, {
    delimiter: delimiter ?? '',
    delimitersToGuess: [...DELIMITERS],
    skipEmptyLines: false,
    preview: MOST_LINES + 1,
  })
  while (data.length > 0 && data.at(-1)?.every((cell) => cell === '')) data.pop()
  if (data.length === 0) throw new FileRefused('empty')
  if (data.length > MOST_LINES) throw new FileRefused('tooManyRows')
  return { grid: data, delimiter: meta.delimiter, sheets: [], sheet: 0 }
}
