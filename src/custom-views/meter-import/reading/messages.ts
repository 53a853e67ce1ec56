import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import type { ReadingAnswers, ReadingFact } from '../../../../contract/meters/import-reading.ts'
import type { FileFault } from '../../../lib/spreadsheet/file-fault.ts'
import type { Question, ReadingContext } from './facts.ts'
import type { FilePlace, ReadingFault } from './infer.ts'
import type { RowProblem } from './rows.ts'
import type { Series } from './series.ts'

/** Requests of the page to the reading worker; each is answered by the result of the same name. */
export interface ReaderCalls {
  /** Opens a file, and reads its meaning. */
  open: {
    request: { file: Blob; context: ReadingContext; delimiter?: string; sheet?: number }
    result: FileView
  }
  /** Reads the meaning of the open file with other answers. */
  read: {
    request: { answers: ReadingAnswers; profile?: ReadingAnswers | undefined }
    result: ReadingView | ReadingRefusal
  }
  /** Converts the file to rows of an import; `batch` and `places` return them. */
  convert: { request: { uids: readonly (string | null)[]; now: number }; result: RowsView }
  batch: { request: { from: number; to: number }; result: RowBatch }
  /** Places of rows in the file. */
  places: { request: { rows: readonly number[] }; result: RowPlace[] }
  /** Energy of a meter by local day of the site, and the lines of one of them. */
  days: { request: { uid: string; zone: string }; result: ImportedDay[] }
  lines: { request: { uid: string; zone: string; day: number }; result: FileLine[] }
}
export type ReaderCall = keyof ReaderCalls

export type ToReader = {
  [Name in ReaderCall]: { call: Name; request: ReaderCalls[Name]['request'] }
}[ReaderCall]
export type FromReader = { result: ReaderCalls[ReaderCall]['result'] } | { refused: FileFault }

/** An open file with its first lines, and its meaning. */
export interface FileView {
  lines: string[][]
  lineCount: number
  width: number
  delimiter: string | undefined
  /** Sheet names of a workbook, and index of the longest one that was read. */
  sheets: readonly string[]
  sheet: number
  /** Number of sheets that were read as one table. */
  joinedCount: number
  /** Column that was added with their names, under SHEET_HEADING. */
  sheetColumn?: number | undefined
  /** SHA-256 of the file, in hexadecimal. */
  hash: string
  reading: ReadingView | ReadingRefusal
}

/** A file that holds no energy that can be read. */
export interface ReadingRefusal {
  fault: ReadingFault
  text: string
}

/** Role of a column in the table of the first lines. */
export type ColumnRole = 'time' | 'meter' | 'unit' | 'direction' | 'value' | 'ignored'

/** Meaning of a file, for the page. */
export interface ReadingView {
  /** SHA-256 of the layout and the headings: equal for files of the same kind. */
  signature: string
  kind: ImportKind
  zone: string
  /** Number of lines above the body. */
  headLines: number
  roles: Readonly<Record<number, ColumnRole>>
  series: readonly Series[]
  facts: readonly ReadingFact[]
  questions: readonly Question[]
  /** Cells that cannot be read: the first, and their number. */
  problems: readonly RowProblem[]
  problemCount: number
}

/** Rows of an import, which stay in the worker. */
export interface RowsView {
  count: number
  problems: readonly RowProblem[]
  problemCount: number
  tooMany: boolean
}

/** Rows as the gateway takes them: columns of equal length. */
export interface RowBatch {
  Meters: string[]
  Rows: { Row: number[]; Meter: number[]; Timestamp: number[]; Quarters: number[]; Value: number[] }
}

export interface RowPlace extends FilePlace {
  /** kWh. */
  value: number
}

/** Energy of a meter on a local day. */
export interface ImportedDay {
  /** Days since 1970. */
  day: number
  /** kWh; of a counter the increase since the reading before. */
  kWh: number
  /** Highest mean power of a row, kW; null for a counter. */
  maxKw: number | null
}

export interface FileLine {
  /** Sheet, if several were read as one table. */
  sheet?: string
  /** From 1, as in a spreadsheet. */
  line: number
  cells: string[]
}
