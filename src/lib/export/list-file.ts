import { whole } from './fault.ts'
import { safeFileName } from './file-names.ts'
import { createSheets, numberCell, textCell, timeCell, type Sheets } from './sheets.ts'
import { formatIso, wallClock } from './table.ts'
import { BYTE_ORDER_MARK, csvText } from './text-files.ts'
import type { ExportFile } from './writer.ts'

/** A moment of a list, epoch ms. */
export interface Moment {
  at: number
}
/** What a cell of a list says; null for nothing, and so is a number that is none. */
export type Cell = string | number | Moment | null

export type ListFormat = 'csv' | 'xlsx'

export interface ListPlan {
  format: ListFormat
  /** Of the file without its ending, and of the sheet. */
  name: string
  /** The clock that dates of a workbook are on. */
  zone: string
  headings: readonly string[]
}

/** Takes the lines of a list, some at a time. */
export interface ListFile {
  add(lines: readonly (readonly Cell[])[]): Promise<void>
  /** The file, all of which is there. Errors: ExportFailed. */
  end(): Promise<ExportFile>
}

/** Characters that fit into a column. */
const WIDTH = 24

/**
 * A list as a file. Texts are never calculated. In a workbook numbers are numbers and moments are dates; in a CSV moments
 * say their offset (ISO 8601).
 */
export const createListFile = (plan: ListPlan): ListFile => (plan.format === 'csv' ? csv(plan) : xlsx(plan))

const isNothing = (cell: Cell): cell is null =>
  cell === null || (typeof cell === 'number' && !Number.isFinite(cell))

function csv({ name, zone, headings }: ListPlan): ListFile {
  const cellText = (cell: Cell) => {
    if (isNothing(cell)) return ''
    if (typeof cell === 'object') return formatIso(cell.at, zone)
    return typeof cell === 'number' ? String(cell) : csvText(cell)
  }
  const lineText = (cells: readonly Cell[]) => `${cells.map(cellText).join(',')}\r\n`
  // A blob for each page: texts would stay in memory.
  const parts = [new Blob([BYTE_ORDER_MARK + lineText(headings)])]
  return {
    add: async (lines) => void parts.push(new Blob([lines.map(lineText).join('')])),
    end: async () => ({
      name: `${safeFileName(name)}.csv`,
      blob: await whole(new Blob(parts, { type: 'text/csv;charset=utf-8' })),
    }),
  }
}

function xlsx({ name, zone, headings }: ListPlan): ListFile {
  const sheets = createSheets(headings.map((heading) => ({ heading, width: WIDTH })))
  let begun: Promise<Sheets> | undefined
  const open = () => (begun ??= sheets.begin(name).then(() => sheets))
  const cellXml = (cell: Cell, column: number, row: number) => {
    if (isNothing(cell) || cell === '') return ''
    if (typeof cell === 'object') return timeCell(column, row, wallClock(cell.at, zone))
    return typeof cell === 'number' ? numberCell(column, row, cell) : textCell(column, row, cell)
  }
  return {
    async add(lines) {
      await (
        await open()
      ).rows(lines.length, (index, row) =>
        (lines[index] as readonly Cell[]).map((cell, column) => cellXml(cell, column, row)).join(''),
      )
    },
    async end() {
      await (await open()).end()
      return { name: `${safeFileName(name)}.xlsx`, blob: await whole(await sheets.finish()) }
    },
  }
}
