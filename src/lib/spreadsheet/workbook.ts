import * as XLSX from 'xlsx'
import { FileRefused, MAX_COLUMNS, SHEET_HEADING } from './file-fault.ts'
import { type Cell, isTooWide, MAX_LINES, type OpenedFile, trimGrid } from './grid.ts'
import { addImplicitFormats } from './implicit-formats.ts'
import { formatSerial, kindOfFormat } from './number-format.ts'
import { withoutPeriods } from './title-period.ts'
import { type UnpackedWorkbook, unpackWorkbook } from './unpack-workbook.ts'

/** Cells of a sheet by row and column; rows and cells without content are absent. */
type SheetCells = readonly (readonly (XLSX.CellObject | undefined)[] | undefined)[]

/**
 * Reads one sheet of a workbook, or several with the same headings as one table. Formulas have their stored values, and are never
 * evaluated; one without a stored value is its own text, beginning with `=`.
 *
 * sheet   index; if absent, the visible sheet with the most filled rows, and those with the same headings
 * errors  FileRefused
 */
export async function readWorkbook(bytes: Uint8Array<ArrayBuffer>, sheet?: number): Promise<OpenedFile> {
  const parts = await unpackWorkbook(bytes, sheet)
  const book = parseBook(parts)
  const index = parts.sheet ?? sheet ?? fullestSheet(book)
  const isDate1904 = book.Workbook?.WBProps?.date1904 === true
  const formatCounts: Map<string, number>[] = []
  const gridOf = (each: number): Cell[][] => {
    const cells = cellsOf(book, each)
    if (!cells) throw new FileRefused('notRead')
    if (cells.length > MAX_LINES) throw new FileRefused('tooManyRows')
    return Array.from({ length: cells.length }, (_, row) =>
      lineOf(cells[row] ?? [], isDate1904, formatCounts),
    )
  }
  const table =
    parts.joined.length > 1
      ? joinSheets(
          parts.joined.map((each) => ({ name: book.SheetNames[each] ?? '', grid: gridOf(each) })),
          parts.joined.indexOf(index),
        )
      : { grid: trimGrid(gridOf(index)) }
  return {
    ...table,
    container: 'workbook',
    delimiter: undefined,
    sheets: book.SheetNames,
    sheet: index,
    isDate1904,
    formats: Array.from(formatCounts, mostCommon),
    skipped: [],
  }
}

/** Function of SheetJS that its types leave out: reads a workbook from its unpacked parts. */
const { parse_zip: parseParts } = XLSX as unknown as {
  parse_zip(container: unknown, options: XLSX.ParsingOptions): XLSX.WorkBook
}

const STYLES = /(?:^|\/)styles\d*\.xml$/

/** A sheet with its headings in the first line that has at least two cells. */
interface HeadedSheet {
  name: string
  grid: Cell[][]
  heading: number
  /** Text above the headings without the name of the sheet and the period; factors and numbers of meters remain. */
  title: string
}

function headedSheet({ name, grid }: { name: string; grid: Cell[][] }): HeadedSheet {
  const heading = grid.findIndex((line) => line.filter((cell) => cell !== '').length > 1)
  const title = grid.slice(0, Math.max(0, heading)).flat().join(' ').replaceAll(name, ' ')
  return { name, grid, heading, title: withoutPeriods(title) }
}

/**
 * Sheets with the same headings as one table, with the name of the sheet in a last column. A sheet is left out if the text above its
 * headings is another, as its unit or factor may be.
 *
 * chosen  index of the sheet whose headings and title decide
 */
function joinSheets(
  all: readonly { name: string; grid: Cell[][] }[],
  chosen: number,
): Pick<OpenedFile, 'grid'> & Partial<Pick<OpenedFile, 'lineOf' | 'joined'>> {
  const headed = all.map(headedSheet)
  const sheets = headed.filter(({ title }) => title === headed[chosen]?.title)
  if (sheets.length === 1) return { grid: trimGrid(headed[chosen]?.grid ?? []) }
  const names = new Set(sheets.map(({ name }) => name))
  const widthOf = ({ grid, heading }: HeadedSheet) => grid[heading]?.length ?? 0
  const [widest] = sheets.toSorted((a, b) => widthOf(b) - widthOf(a))
  const column = sheets.reduce(
    (width, { grid }) => grid.reduce((most, line) => Math.max(most, line.length), width),
    0,
  )
  if (column >= MAX_COLUMNS) throw new FileRefused('tooWide')
  const [grid, lineOf, sheetOf]: [Cell[][], number[], string[]] = [[], [], []]
  for (const [index, { name, grid: lines, heading }] of sheets.entries()) {
    // A table that is too long for a sheet continues in one with a numbered name.
    const stem = name.replace(/ \(\d+\)$/, '')
    const label = names.has(stem) ? stem : name
    for (const [place, own] of lines.entries()) {
      if (index > 0 && place <= heading) continue
      const line = place === heading && widest ? [...(widest.grid[widest.heading] ?? [])] : own
      if (line.length > 0) {
        while (line.length < column) line.push('')
        line.push(place === heading ? SHEET_HEADING : label)
      }
      grid.push(line)
      lineOf.push(place + 1)
      sheetOf.push(name)
    }
  }
  return { grid: trimGrid(grid), lineOf, joined: { column, sheetOf } }
}

function parseBook({ files, sheet, joined, hasUncomputed }: UnpackedWorkbook): XLSX.WorkBook {
  const parse = (withFormulas: boolean): XLSX.WorkBook => {
    const container: unknown = XLSX.CFB.utils.cfb_new()
    for (const [name, content] of files) {
      const part = STYLES.test(name) ? addImplicitFormats(content) : content
      XLSX.CFB.utils.cfb_add(container, name, part, { unsafe: true })
    }
    return parseParts(container, {
      ...(sheet === undefined ? {} : { sheets: [...joined] }),
      dense: true,
      cellDates: false,
      cellNF: true,
      cellFormula: withFormulas,
      sheetStubs: withFormulas,
      cellHTML: false,
      cellText: false,
      sheetRows: MAX_LINES + 1,
    })
  }
  try {
    const book = parse(hasUncomputed)
    // SheetJS leaves out a sheet with a formula that it cannot read.
    return hasUncomputed && sheet !== undefined && !cellsOf(book, sheet) ? parse(false) : book
  } catch {
    throw new FileRefused('notRead')
  }
}

const cellsOf = (book: XLSX.WorkBook, index: number): SheetCells | undefined =>
  (book.Sheets[book.SheetNames[index] ?? ''] as XLSX.DenseWorkSheet | undefined)?.['!data'] as
    SheetCells | undefined

/** Index of the visible sheet with the most rows. */
function fullestSheet(book: XLSX.WorkBook): number {
  const isHidden = (index: number) => Boolean(book.Workbook?.Sheets?.[index]?.Hidden)
  const rows = book.SheetNames.map((_, index) =>
    isHidden(index) ? -1 : (cellsOf(book, index) ?? []).filter((row) => row && row.length > 0).length,
  )
  return Math.max(0, rows.indexOf(Math.max(...rows)))
}

/** Cells of a row without trailing empty ones, however many have a format. Errors: FileRefused. */
function lineOf(
  cells: readonly (XLSX.CellObject | undefined)[],
  isDate1904: boolean,
  formatCounts: Map<string, number>[],
): Cell[] {
  const line: Cell[] = []
  // Skips the holes between the cells of a row, which may be many.
  cells.forEach((cell, column) => {
    const value = cell ? valueOf(cell, isDate1904) : ''
    if (value === '') return
    if (column >= MAX_COLUMNS) throw new FileRefused('tooWide')
    while (line.length < column) line.push('')
    line.push(value)
    if (typeof value !== 'number') return
    while (formatCounts.length <= column) formatCounts.push(new Map())
    const counts = formatCounts[column] as Map<string, number>
    const format = typeof cell?.z === 'string' ? cell.z : GENERAL
    counts.set(format, (counts.get(format) ?? 0) + 1)
  })
  if (isTooWide(line)) throw new FileRefused('tooWide')
  return line
}

function valueOf({ t: type, v: value, z: format, f: formula }: XLSX.CellObject, isDate1904: boolean): Cell {
  if (type === 'e') return ''
  if (type === 'z') return formula ? `=${formula}` : ''
  if (typeof value !== 'number') return value === undefined ? '' : String(value)
  if (!Number.isFinite(value)) return String(value)
  const kind = kindOfFormat(typeof format === 'string' ? format : undefined)
  return formatSerial(value, kind, isDate1904) ?? value
}

const GENERAL = 'General'

function mostCommon(counts: ReadonlyMap<string, number>): string | undefined {
  const [best] = [...counts].toSorted((a, b) => b[1] - a[1])
  return best === undefined || best[0] === GENERAL ? undefined : best[0]
}
