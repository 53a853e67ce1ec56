import Papa from 'papaparse/papaparse.js'
import { fieldErrors } from '../../../contract/kernel/envelope.ts'
import {
  ModbusRowFields,
  ModbusTable,
  type ModbusRow,
  MAX_MODBUS_ROWS,
} from '../../../contract/devices/modbus/modbus-table.ts'
import { decodeText } from '../../lib/spreadsheet/decode-text.ts'
import { PLAIN_ROW } from './plain-row.ts'

/** Fields of a table in a file in addition to its rows; a CSV has none. */
export type About = Partial<Pick<ModbusTable, 'TableName' | 'Manufacturer' | 'Model' | 'Note'>>

/** Problem in a row of a file: `row` is numbered as in a spreadsheet (1 is the header); `reason` is a key of `errors.fields`. */
export interface RowProblem {
  row: number
  column: RowField
  value: string
  reason: string
}
export type FileProblem =
  RowProblem | { file: 'notRead' | 'empty' | 'tooManyRows' } | { missing: string } | { unknown: string }

export type ReadFile = { about: About; rows: ModbusRow[] } | { problems: FileProblem[] }

export type RowField = keyof typeof ModbusRowFields.shape
const ROW_FIELDS = Object.keys(ModbusRowFields.shape) as RowField[]
/** Required columns of a CSV; the others have defaults. */
const REQUIRED_FIELDS: readonly RowField[] = ['Key', 'Area', 'Address', 'DataType']
const NUMBERS: ReadonlySet<RowField> = new Set([
  'Address',
  'Bit',
  'Scale',
  'Offset',
  'Decimals',
  'Min',
  'Max',
])
const NULLABLE: ReadonlySet<RowField> = new Set(['Bit', 'Min', 'Max', 'Field'])
/** Cell for an empty list of sentinel values; an empty cell means the defaults of the data type. */
const NONE = 'none'
/** Byte-order mark that tells spreadsheets that a CSV is UTF-8. */
const MARK = '\uFEFF'

export const tableToJson = (table: Omit<ModbusTable, 'ModbusTableID'>): string =>
  `${JSON.stringify(table, null, 2)}
`

/** CSV with one line per row and a byte-order mark for spreadsheets. */
export const tableToCsv = (rows: readonly ModbusRow[]): string =>
  MARK +
  Papa.unparse(
    { fields: ROW_FIELDS, data: rows.map((row) => ROW_FIELDS.map((field) => cellOf(row, field))) },
    { escapeFormulae: true },
  )

const cellOf = (row: ModbusRow, field: RowField): string | number => {
  const value = row[field]
  if (Array.isArray(value)) return value.join(' ') || NONE
  return value ?? ''
}

/** Parses a file written by `tableToJson`, `tableToCsv` or a spreadsheet; JSON begins with a brace. */
export function readTableFile(bytes: Uint8Array): ReadFile {
  const { text } = decodeText(bytes)
  return text.trimStart().startsWith('{') ? readJson(text) : readCsv(text)
}

function readJson(text: string): ReadFile {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { problems: [{ file: 'notRead' }] }
  }
  const { Rows, ...rest } = json as { Rows?: unknown }
  if (!Array.isArray(Rows)) return { problems: [{ file: 'notRead' }] }
  const about = ModbusTable.pick({ TableName: true, Manufacturer: true, Model: true, Note: true })
    .partial()
    .safeParse(rest)
  const rows = Rows.map((row: unknown) => ({ ...PLAIN_ROW, ...(row as object) }))
  return check(
    rows,
    about.success ? about.data : {},
    rows.map((_, index) => index + 1),
  )
}

function readCsv(text: string): ReadFile {
  const [head, ...lines] = Papa.parse<string[]>(text)
    .data.map((cells, index) => ({ cells, row: index + 1 }))
    // Number the lines before removing empty ones, because spreadsheets number those too.
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const columns = (head?.cells ?? []).map((name) => name.trim())
  const missing = REQUIRED_FIELDS.filter((field) => !columns.includes(field))
  if (missing.length === REQUIRED_FIELDS.length) return { problems: [{ file: 'notRead' }] }
  const unknown = columns.filter(
    (name, i) => name !== '' && (!(ROW_FIELDS as string[]).includes(name) || columns.indexOf(name) < i),
  )
  if (missing.length + unknown.length > 0)
    return {
      problems: [
        ...missing.map((name) => ({ missing: name })),
        ...unknown.map((name) => ({ unknown: name })),
      ],
    }
  return check(
    lines.map(({ cells }) => rowOf(Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? ''])))),
    {},
    lines.map(({ row }) => row),
  )
}

/** A CSV line as a row: numbers for numeric fields, defaults for empty cells. */
function rowOf(line: Record<string, string>): Record<string, unknown> {
  const row: Record<string, unknown> = { ...PLAIN_ROW }
  for (const field of ROW_FIELDS) {
    // Spreadsheets escape a leading sign with a quote so that it is not a formula.
    const cell = (line[field] ?? '').trim().replace(/^'(?=[-+=@])/, '')
    if (cell === '') {
      if (NULLABLE.has(field)) row[field] = null
    } else if (field === 'Sentinels') row[field] = cell === NONE ? [] : cell.split(/[\s,;]+/)
    else row[field] = NUMBERS.has(field) && Number.isFinite(Number(cell)) ? Number(cell) : cell
  }
  return row
}

/**
 * Validates rows against the contract; a row without a label gets its key as label.
 *
 * numbers  row numbers for problems
 */
function check(rawRows: Record<string, unknown>[], about: About, numbers: readonly number[]): ReadFile {
  if (rawRows.length === 0) return { problems: [{ file: 'empty' }] }
  if (rawRows.length > MAX_MODBUS_ROWS) return { problems: [{ file: 'tooManyRows' }] }
  const rows = rawRows.map((row) => ({ ...row, Label: row['Label'] || row['Key'] }))
  const parsed = ModbusTable.shape.Rows.safeParse(rows)
  if (parsed.success) return { about, rows: parsed.data }
  return {
    problems: Object.entries(fieldErrors(parsed.error)).map(([path, reason]) => {
      const [index = '0', column = 'Key'] = path.split('.')
      const value = (rawRows[Number(index)] as Record<string, unknown> | undefined)?.[column]
      return {
        row: numbers[Number(index)] ?? 0,
        column: column as RowField,
        value: value === undefined ? '' : String(value),
        reason,
      }
    }),
  }
}
