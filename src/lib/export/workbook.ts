import { createSheets, numberCell, textCell, timeCell } from './sheets.ts'
import { formatIso, wallClock, formatCell, type ExportPlan, type Rows } from './table.ts'

/**
 * An XLSX workbook of energy, a sheet for each meter. Numbers are numbers and times are dates of the home's clock; texts are
 * texts, never formulas.
 *
 * mostRows  of a sheet, its head among them
 */
export function createWorkbook(plan: ExportPlan, mostRows?: number) {
  const places = plan.columns.map(({ field }) => plan.fields.indexOf(field))
  const stride = plan.fields.length + 1
  const sheets = createSheets(
    [
      { heading: plan.timeHeading, width: 20 },
      { heading: plan.isoHeading, width: 28 },
      ...plan.columns.map(({ heading }) => ({ heading, width: 16 })),
    ],
    mostRows,
  )

  function cells(rows: Rows, at: number, row: number): string {
    const timestamp = rows[at] as number
    let text =
      timeCell(0, row, wallClock(timestamp, plan.zone)) + textCell(1, row, formatIso(timestamp, plan.zone))
    for (const [index, place] of places.entries()) {
      const value = rows[at + 1 + place] as number
      if (Number.isNaN(value)) continue
      const { field, marks } = plan.columns[index] as (typeof plan.columns)[number]
      text += marks
        ? textCell(index + 2, row, marks[value]?.word ?? '')
        : numberCell(index + 2, row, formatCell(value, field, plan.decimals))
    }
    return text
  }

  return {
    begin: sheets.begin,
    end: sheets.end,
    rows: (rows: Rows): Promise<void> =>
      sheets.rows(rows.length / stride, (index, row) => cells(rows, index * stride, row)),
    finish: sheets.finish,
  }
}
export type Workbook = ReturnType<typeof createWorkbook>
