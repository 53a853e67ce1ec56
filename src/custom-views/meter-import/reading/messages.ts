import type { FileFault } from '../../../lib/spreadsheet/file-fault.ts'
import type { BothKinds } from './both-kinds.ts'
import type { Guess } from './guess-mapping.ts'
import type { Columns, Mapping, MeterName, ReadRows } from './rows.ts'

/** Requests of the page to the reading worker; each is answered. */
export type ToReader =
  | {
      open: Blob
      meters: readonly MeterName[]
      meter?: string | undefined
      zone: string
      delimiter?: string
      sheet?: number
    }
  | { read: Mapping; meters: readonly MeterName[]; now: number }
  | { sum: Columns; meters: readonly MeterName[]; now: number }

/** First lines of a file, and its guessed meaning. */
export interface Preview {
  lines: string[][]
  lineCount: number
  width: number
  delimiter: string | undefined
  sheets: readonly string[]
  sheet: number
  guess: Guess
}

export type FromReader =
  { preview: Preview } | { rows: ReadRows } | { sums: BothKinds } | { refused: FileFault }
