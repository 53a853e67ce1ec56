import type { Cell } from '../../../lib/spreadsheet/grid.ts'
import { withoutPeriods } from '../../../lib/spreadsheet/title-period.ts'
import { isTotal } from './column-roles.ts'
import { isSameText } from './grid-sample.ts'
import { isMeterHeading, unitOf } from './headings.ts'
import type { TableLayout } from './layout.ts'
import { isNumber } from './numbers.ts'
import { isDate } from './time-columns.ts'
import { cellText } from './time.ts'

/**
 * Whether a line without a time repeats the headings of the table, each in its own column, or is another row of headings, behind which
 * the columns may mean something else.
 */
export function repeatOfHeadings(
  cells: readonly Cell[],
  { headings, headingCells, time, matrix, values, sheetColumn }: TableLayout,
): 'same' | 'other' | undefined {
  const texts = cells.map((cell, column) => (column === sheetColumn ? '' : cellText(cell)))
  const filled = texts.filter((text) => text !== '')
  if (filled.length === 0 || filled.some((text) => isNumber(text) || isDate(text, time.formats)))
    return undefined
  const others = texts.flatMap((text, column) =>
    text === '' || headingCells[column]?.some((each) => isSameText(each, text)) ? [] : [{ text, column }],
  )
  if (others.length === 0) return 'same'
  const valueColumns = new Set((matrix?.columns ?? values).map(({ column }) => column))
  const isHeading = ({ text, column }: (typeof others)[number]) =>
    (valueColumns.has(column) && unitOf(text) !== undefined) ||
    headingCells.some((each) => each.some((heading) => isSameText(heading, text)))
  if (others.some(isHeading)) return 'other'
  // A line without any text in the column of times is a remark.
  const filledHeadings = headings.filter((heading) => heading !== '').length
  const isWhole = filledHeadings >= 2 && filled.length >= Math.max(2, filledHeadings / 2)
  return isWhole && (texts[time.column] ?? '') !== '' ? 'other' : undefined
}

/** Text above the table, whole and without the periods that it is about. */
const fileTitleOf = ({ title }: TableLayout) => ({
  whole: title.toLowerCase(),
  withoutPeriods: withoutPeriods(title),
})

/**
 * Title of a block in a line without a time, if it may be that of another meter.
 *
 * returns  isMeter: whether the line says that it names a meter
 */
function blockTitle(
  cells: readonly Cell[],
  { meterColumn, sheetColumn }: TableLayout,
  fileTitle: ReturnType<typeof fileTitleOf>,
): { isMeter: boolean } | undefined {
  // Rows that name their meter may be below any title.
  if (meterColumn !== null) return undefined
  const texts = cells
    .filter((_, column) => column !== sheetColumn)
    .map(cellText)
    .filter((text) => text !== '')
  const [start = ''] = texts
  if (start === '' || texts.length > 2 || isNumber(start) || isTotal(start)) return undefined
  const label = /^([^:：=]+)[:：=]\s*\S/.exec(start)?.[1] ?? (texts.length === 2 ? start : '')
  const isMeter = label !== '' && isMeterHeading(label)
  if (!isMeter && texts.some((text) => isNumber(text))) return undefined
  const text = texts.join(' ')
  if (isMeter) return fileTitle.whole.includes(text.toLowerCase()) ? undefined : { isMeter }
  const own = withoutPeriods(text)
  return own === '' || fileTitle.withoutPeriods.includes(own) ? undefined : { isMeter }
}

/** Detects the line at which the table ends, because the columns or the meter may be others behind it. */
export function createTableEnd(layout: TableLayout) {
  let fileTitle: ReturnType<typeof fileTitleOf> | undefined
  /** Title below the last row. */
  let title: { line: number; isMeter: boolean } | undefined
  return {
    beginsAt(
      row: readonly Cell[],
      line: number,
      heading: 'same' | 'other' | undefined,
      isWithoutTime: boolean,
    ): number | undefined {
      if (heading === 'other') {
        // A unit alone may be a remark below the table.
        if (row.filter((cell) => cellText(cell) !== '').length > 1) return line
        title = { line, isMeter: true }
        return undefined
      }
      // The same headings below another title, or rows below that of a meter, may be those of another meter.
      if (heading === 'same') return title?.line
      if (!isWithoutTime) {
        const begin = title?.isMeter ? title.line : undefined
        title = undefined
        return begin
      }
      const found = blockTitle(row, layout, (fileTitle ??= fileTitleOf(layout)))
      if (found && (!title?.isMeter || found.isMeter)) title = { line, ...found }
      return undefined
    },
  }
}
