import * as XLSX from 'xlsx'
import { FileRefused } from './file-fault.ts'
import { isTooWide, MAX_LINES, type OpenedFile } from './grid.ts'

/** Limits of an unpacked workbook: a zip bomb is rejected before it is parsed. */
const MAX_UNPACKED_BYTES = 400 * 2 ** 20
const MAX_ENTRIES = 2_000
const DEFLATE = 8

/**
 * Reads one sheet of an XLSX workbook as text. Formulas have their stored values, and are never evaluated.
 *
 * errors  FileRefused
 */
export async function readWorkbook(bytes: Uint8Array<ArrayBuffer>, sheet = 0): Promise<OpenedFile> {
  await assertUnpackedSize(bytes)
  let sheets: string[]
  let cells: (XLSX.CellObject | undefined)[][]
  try {
    sheets = XLSX.read(bytes, { type: 'array', bookSheets: true }).SheetNames
    const book = XLSX.read(bytes, {
      type: 'array',
      sheets: sheet,
      dense: true,
      cellDates: true,
      UTC: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      sheetRows: MAX_LINES + 1,
    })
    const data = (book.Sheets[sheets[sheet] ?? ''] as XLSX.DenseWorkSheet | undefined)?.['!data']
    cells = (data ?? []) as (XLSX.CellObject | undefined)[][]
  } catch {
    throw new FileRefused('notRead')
  }
  if (cells.length > MAX_LINES) throw new FileRefused('tooManyRows')
  const grid = Array.from({ length: cells.length }, (_, row) => textsOf(cells[row] ?? []))
  while (grid.length > 0 && grid.at(-1)?.every((cell) => cell === '')) grid.pop()
  if (grid.length === 0) throw new FileRefused('empty')
  return { grid, delimiter: undefined, sheets, sheet }
}

/** Text of a line without trailing empty cells, however many have a format. */
function textsOf(cells: readonly (XLSX.CellObject | undefined)[]): string[] {
  const line = Array.from(cells, textOfCell)
  while (line.at(-1) === '') line.pop()
  if (isTooWide(line)) throw new FileRefused('tooWide')
  return line
}

function textOfCell(cell: XLSX.CellObject | undefined): string {
  const value = cell?.v
  if (value === undefined || value === null || cell?.t === 'e') return ''
  if (!(value instanceof Date)) return String(value)
  // Excel stores times as fractions of a day, which are slightly inexact.
  const second = Math.round(value.getTime() / 1000) * 1000
  return new Date(second).toISOString().slice(0, 19).replace('T', ' ')
}

/** Unpacks every file of the archive without keeping it, and counts bytes; declared sizes cannot be trusted. */
async function assertUnpackedSize(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let bytesLeft = MAX_UNPACKED_BYTES
  for (const { start, compressedSize, method } of entriesOf(view)) {
    if (method !== DEFLATE) {
      bytesLeft -= compressedSize
    } else {
      const packedBytes = new Blob([bytes.subarray(start, start + compressedSize)])
      const reader = packedBytes.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
      try {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) break
          bytesLeft -= value.length
          if (bytesLeft < 0) throw new FileRefused('bomb')
        }
      } catch (error) {
        throw error instanceof FileRefused ? error : new FileRefused('notRead')
      } finally {
        void reader.cancel().catch(() => {})
      }
    }
    if (bytesLeft < 0) throw new FileRefused('bomb')
  }
}

/** Positions of the files in a zip archive, from its central directory. Errors: FileRefused. */
function entriesOf(view: DataView): { start: number; compressedSize: number; method: number }[] {
  let end = view.byteLength - 22
  while (end >= 0 && view.getUint32(end, true) !== 0x0605_4b50) end--
  if (end < 0) throw new FileRefused('notRead')
  const count = view.getUint16(end + 10, true)
  if (count > MAX_ENTRIES) throw new FileRefused('bomb')
  try {
    let at = view.getUint32(end + 16, true)
    return Array.from({ length: count }, () => {
      const [method, compressedSize, local] = [
        view.getUint16(at + 10, true),
        view.getUint32(at + 20, true),
        view.getUint32(at + 42, true),
      ]
      at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
      return {
        method,
        compressedSize,
        start: local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true),
      }
    })
  } catch {
    throw new FileRefused('notRead')
  }
}
