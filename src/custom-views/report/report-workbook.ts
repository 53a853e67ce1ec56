import type { Cell, ReportDocument, ReportSection } from '../../../contract/reports/document.ts'
import { assertReadable } from '../../lib/export/fault.ts'
import { safeFileName } from '../../lib/export/file-names.ts'
import { createSheets, numberCell, type SheetColumn, textCell } from '../../lib/export/sheets.ts'
import type { ExportFile } from '../../lib/export/writer.ts'

/** Widths of columns in characters. */
const WIDTH = 24
const WIDE = 80

/**
 * A report as a workbook: a sheet for its text, and one per table, with numeric cells.
 *
 * heading  heading of the text column
 * errors   ExportFailed
 */
export async function reportWorkbook(document: ReportDocument, heading: string): Promise<ExportFile> {
  const { title, subtitle, period, summary, facts, sections } = document
  const sheets = createSheets([{ heading, width: WIDE }])
  const write = async (name: string, columns: readonly SheetColumn[], rows: readonly (readonly Cell[])[]) => {
    await sheets.begin(name, columns)
    await sheets.rows(rows.length, (index, row) =>
      (rows[index] as readonly Cell[]).map((cell, column) => cellXml(cell, column, row)).join(''),
    )
    await sheets.end()
  }
  await write(
    title,
    [{ heading: title, width: WIDE }],
    [subtitle, ...summary, ...facts].map((text) => [text]),
  )
  for (const section of sections) await writeSection(section, heading, write)
  return {
    name: `${safeFileName(`${title} ${period}`)}.xlsx`,
    blob: await assertReadable(await sheets.finish()),
  }
}

type Write = (
  name: string,
  columns: readonly SheetColumn[],
  rows: readonly (readonly Cell[])[],
) => Promise<void>

/** Table of a section with its notes; a section without a table has only its notes. */
async function writeSection(
  { title, table, notes }: ReportSection,
  heading: string,
  write: Write,
): Promise<void> {
  const noteRows = notes.map((note): Cell[] => [note])
  if (table)
    await write(
      title,
      table.columns.map((column) => ({ heading: column.title, width: WIDTH })),
      [...table.rows, ...(table.foot ? [table.foot] : []), ...(noteRows.length ? [[]] : []), ...noteRows],
    )
  else if (noteRows.length) await write(title, [{ heading, width: WIDE }], noteRows)
}

const cellXml = (cell: Cell, column: number, row: number): string =>
  cell === null || cell === ''
    ? ''
    : typeof cell === 'number'
      ? numberCell(column, row, cell)
      : textCell(column, row, cell)
