import { assertReadable } from './fault.ts'
import { safeFileName } from './file-names.ts'
import { createSheets, numberCell, textCell, timeCell, type Sheets } from './sheets.ts'
import { formatIso, wallClock } from './table.ts'
import { BYTE_ORDER_MARK, csvText } from './text-files.ts'
import type { ExportFile } from './writer.ts'

/** A time in a list, epoch ms. */
export interface Moment {
  at: number
}
/** Value of a cell; null, NaN and infinite numbers are written as empty cells. */
export type ListCell = string | number | Moment | null

export type ListFormat = 'csv' | 'xlsx'

export interface ListPlan {
  format: ListFormat
  /** Name of the file without its extension, and of the sheet. */
  name: string
  /** Time zone of times. */
  zone: string
  headings: readonly string[]
}

/** Writer of a list in chunks of lines. */
export interface ListFile {
  add(lines: readonly (readonly ListCell[])[]): Promise<void>
  /** Returns the complete file. Errors: ExportFailed. */
  end(): Promise<ExportFile>
}

/** Column width in characters. */
const WIDTH = 24

/**
 * A list as a file. Text is never evaluated as a formula. In a workbook numbers are numbers and times are dates; in a CSV times include
 * their offset (ISO 8601).
 */
export const createListFile = (plan: ListPlan): ListFile => (plan.format === 'csv' ? csv(plan) : xlsx(plan))

const isNothing = (cell: ListCell): cell is null =>
  cell === null || (typeof cell === 'number' && !Number.isFinite(cell))

function csv({ name, zone, headings }: ListPlan): ListFile {
  const cellText = (cell: ListCell) => {
    if (isNothing(cell)) return ''
    if (typeof cell === 'object') return formatIso(cell.at, zone)
    return typeof cell === 'number' ? String(cell) : csvText(cell)
  }
  const lineText = (cells: readonly ListCell[]) => `${cells.map(cellText).join(',')}\r\n`
  // A blob per chunk: strings would stay in memory.
  const parts = [new Blob([BYTE_ORDER_MARK + lineText(headings)])]
  return {
    add: async (lines) => void parts.push(new Blob([lines.map(lineText).join('')])),
    end: async () => ({
      name: `${safeFileName(name)}.csv`,
      blob: await assertReadable(new Blob(parts, { type: 'text/csv;charset=utf-8' })),
    }),
  }
}

function xlsx({ name, zone, headings }: ListPlan): ListFile {
  const sheets = createSheets(headings.map((heading) => ({ heading, width: WIDTH })))
  let started: Promise<Sheets> | undefined
  const open = () => (started ??= sheets.begin(name).then(() => sheets))
  const cellXml = (cell: ListCell, column: number, row: number) => {
    if (isNothing(cell) || cell === '') return ''
    if (typeof cell === 'object') return timeCell(column, row, wallClock(cell.at, zone))
    return typeof cell === 'number' ? numberCell(column, row, cell) : textCell(column, row, cell)
  }
  return {
    async add(lines) {
      await (
        await open()
      ).rows(lines.length, (index, row) =>
        (lines[index] as readonly ListCell[]).map((cell, column) => cellXml(cell, column, row)).join(''),
      )
    },
    async end() {
      await (await open()).end()
      return { name: `${safeFileName(name)}.xlsx`, blob: await assertReadable(await sheets.finish()) }
    },
  }
}
