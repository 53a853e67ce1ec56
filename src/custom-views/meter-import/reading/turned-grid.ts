import type { Cell, Grid } from '../../../lib/spreadsheet/grid.ts'
import { MIN_NUMBERS, SAMPLED_LINES } from './grid-sample.ts'
import { isFullDate } from './heading-lines.ts'
import { BARE_FORMATS, cellText, detectFormats } from './time.ts'

/** Lines at the top among which a row of dates is looked for. */
const MAX_DATE_ROW = 20

/** A table whose times are in a row turned so that they are in a column, with the lines above that row before it. */
export interface TurnedGrid {
  grid: Grid
  /** Line of the dates in the file, which is also the number of lines above. */
  dateRow: number
}

/** Headings of columns of year, month and day, and of hour and minute. */
const DATE_PARTS = [
  /^(?:year|yyyy|年|年份|年度|西元年|民國年|jahr|jaar|année|año|anno|ano)$/i,
  /^(?:month|月|月份|monat|maand|mois|mes|mese|mês)$/i,
  /^(?:day|日|tag|dag|jour|día|giorno|dia)$/i,
]

const CLOCK_PARTS = [
  /^(?:hour|時|小時|时|小时|stunde|uur|heure|hora|ora)$/i,
  /^(?:minutes?|分|分鐘|分钟|minuut|minuto)$/i,
]

/** Year, month, day, hour or minute as a number, and the name of a month. */
const PART = /^(?:\d{1,4}|[a-zäçéû]{3,10}\.?)$/i

/**
 * Joins columns of year, month and day in that of the year, or of year and month, and those of hour and minute in that of the hour, as they
 * are no figures. If another column has dates, year, month and day are left out.
 */
export function joinDateParts(grid: Grid): Grid {
  const columnsOf = (line: readonly Cell[], parts: readonly RegExp[]) => {
    const columns = parts.map((part) => line.findIndex((cell) => part.test(cellText(cell))))
    return columns.every((column) => column >= 0) ? columns : undefined
  }
  const datesOf = (line: readonly Cell[]) =>
    columnsOf(line, DATE_PARTS) ?? columnsOf(line, DATE_PARTS.slice(0, 2))
  const head = grid.slice(0, MAX_DATE_ROW).findIndex((line) => datesOf(line) ?? columnsOf(line, CLOCK_PARTS))
  const heading = grid[head]
  if (!heading) return grid
  const hasDate = grid[head + 1]?.some((cell) => isFullDate(cellText(cell)))
  const dates = datesOf(heading)
  const joins = [
    { columns: hasDate && dates?.length === 2 ? undefined : dates, mark: hasDate ? undefined : '-' },
    { columns: columnsOf(heading, CLOCK_PARTS), mark: ':' },
  ]
  return grid.map((line, at) => {
    if (at <= head) return line
    const joined = [...line]
    for (const { columns = [], mark } of joins) {
      const parts = columns.map((column) => cellText(line[column]))
      if (parts.length === 0 || !parts.every((part) => PART.test(part))) continue
      for (const column of columns) joined[column] = ''
      if (mark) joined[columns[0] as number] = parts.map((part) => part.padStart(2, '0')).join(mark)
    }
    return joined
  })
}

/** Turns a table with a column for each time; undefined if its times are in a column as usual. */
export function turnGrid(grid: Grid): TurnedGrid | undefined {
  const countDates = (texts: readonly string[]) => {
    const { formats, read } = detectFormats(texts)
    const isBare = formats.every((format) => BARE_FORMATS.has(format))
    // Months are no figures if they are written with a mark or a name: 2026/06, 115年6月, Jan 2026.
    const isMonth = formats.every((format) => format === 'month' || format === 'rocMonth')
    return isBare && !(isMonth && texts.some((text) => /\d[-/年]\d|[a-z]{3}/i.test(text))) ? 0 : read
  }
  const dateRow = grid.slice(0, MAX_DATE_ROW).findIndex((line) => {
    const texts = line.map(cellText).filter((text) => text !== '')
    return texts.length > MIN_NUMBERS && countDates(texts) > texts.length / 2
  })
  if (dateRow < 0) return undefined
  const below = grid.slice(dateRow)
  const width = grid[dateRow]?.length ?? 0
  const isColumnOfDates = [0, 1, 2].some((column) => {
    const texts = below
      .slice(1, SAMPLED_LINES)
      .map((line) => cellText(line[column]))
      .filter((text) => text !== '')
    return texts.length > 0 && countDates(texts) > texts.length / 2
  })
  if (isColumnOfDates) return undefined
  // Below months, days and hours are parts of them, and no meters; below days, hours become a table of days.
  const labels = below.slice(1).map((line) => cellText(line[0]))
  const areDays = grid[dateRow]?.some((cell) => isFullDate(cellText(cell)))
  if (!areDays && labels.every((label) => label === '' || /^\d+(?:[:：]\d\d)?\s*[日時]?$/.test(label)))
    return undefined
  const turned = Array.from({ length: width }, (_, column) => below.map((line) => line[column] ?? ''))
  return { grid: [...grid.slice(0, dateRow), ...turned], dateRow }
}
