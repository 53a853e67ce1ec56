import { DAY_MS } from '../../../../contract/time/periods.ts'
import type { Cell, Grid } from '../../../lib/spreadsheet/grid.ts'
import { columnRoles, type ColumnRoles, type ValueColumn } from './column-roles.ts'
import {
  isMerged,
  isSameText,
  isUnstated,
  MIN_NUMBER_SHARE,
  sampleBody,
  sampleOf,
  columnTexts,
} from './grid-sample.ts'
import { headingsOf } from './heading-lines.ts'
import { measureOf, readHeading } from './headings.ts'
import { type Matrix, matrixOf } from './matrix.ts'
import type { NameReading } from './meter-columns.ts'
import { areParts, isNumber } from './numbers.ts'
import {
  byNamedClock,
  clockColumns,
  type DateColumn,
  dateColumns,
  endColumn,
  hasTimesOfDay,
  isDate,
  isDateColumn,
  isOtherClock,
  isTimePart,
  linesOfFirstTimes,
  numberColumn,
  type TimeColumns,
  timeTexts,
} from './time-columns.ts'
import { titleMeasure } from './title.ts'
import { areRanges, cellText, readTimeOfDay, readWall } from './time.ts'

/** Structure of a file's table. */
export interface TableLayout extends ColumnRoles {
  /** First line of the body. */
  first: number
  time: TimeColumns
  matrix: Matrix | undefined
  headings: readonly string[]
  /** Cells of the headings by column, one for each line of headings. */
  headingCells: readonly (readonly string[])[]
  /** Text above the headings. */
  title: string
  /** Cells of each line above the headings, and heading and text of each column that has the same text in every line. */
  titleLines: readonly (readonly string[])[]
  /** Number of cells of the headings, if a comma is between cells: more of them are parts of a figure that contains a comma. */
  maxCells: number | undefined
  /** Whether most dates are above several rows, as merged cells are, each with the name of another meter. */
  isDateMerged: boolean
  /** Whether the names of meters are above several rows, as merged cells are. */
  isMeterMerged: boolean
  /** Column in which another table begins, with times of its own. */
  sideBySide: number | undefined
  /** Column with the names of the sheets that were joined. */
  sheetColumn: number | undefined
  /** Whether the title, the corner, or another heading of a table of days states the unit of all figures. */
  hasFileUnit: boolean
}

/**
 * Detects the structure of a file; undefined if no column contains dates.
 *
 * sheetColumn  column with the names of the sheets that were joined
 * delimiter    that between the cells of a text file
 * names        how headings are read that may be names of meters
 */
export function detectTable(
  grid: Grid,
  isDate1904: boolean,
  sheetColumn?: number,
  delimiter?: string,
  names: NameReading = { answer: undefined, isMeter: () => false },
): TableLayout | undefined {
  const sample = sampleOf(grid)
  const width = sample.reduce((widest, line) => Math.max(widest, line.length), 0)
  const dates = dateColumns(sample, width, isDate1904, sheetColumn)
  const [leading] = dates
  if (!leading) return undefined
  const first = firstLine(grid, sample, leading)
  const body = sampleBody(grid, first, width)
  const { headings, headingCells, headLine, title, titleLines } = headingsOf(
    grid,
    first,
    width,
    body,
    leading.column,
  )
  const column = (index: number) => body.map((line) => line[index] ?? '')
  const time = byNamedClock(dates, leading, headings)
  const used = new Set([time.column])
  const { clocks, others: otherClocks } = clockColumns(body, time, headings, width)
  const isDateOnly = clocks.length === 0 && !hasTimesOfDay(body, time)
  const numbering = isDateOnly ? numberColumn(grid, first, time, headings, width) : undefined
  if (numbering) used.add(numbering.column)
  const ends = endColumn(body, time, dates, headings)
  for (const each of [...clocks, ends]) if (each !== undefined) used.add(each)
  const timeColumns: TimeColumns = {
    column: time.column,
    clockColumn: clocks[0] ?? null,
    endColumn: ends ?? null,
    endClockColumn: clocks[1] ?? null,
    numbered: numbering ?? null,
    isRange: time.isRange || (clocks.length === 1 && areRanges(columnTexts(body, clocks[0]))),
    hasOtherClock: dates.some(
      (other) => !used.has(other.column) && isOtherClock(body, time, other, headings),
    ),
    isTimed: hasTimesOfDay(body, time),
    formats: time.formats,
  }
  const matrix =
    clocks.length === 0 && !numbering && ends === undefined
      ? matrixOf(grid, headLine, column, time)
      : undefined
  for (const each of matrix?.columns ?? []) used.add(each.column)
  const otherDates = dates
    .filter((date) => !used.has(date.column) && isOtherDate(column(date.column), date, headings, time))
    .map((date) => date.column)
  for (const index of otherDates) used.add(index)
  const timePairs = [
    ...otherDates.map((each) => [time.column, each] as const),
    ...otherClocks.map((each) => [clocks[0] ?? each, each] as const),
  ]
  const maxCells = delimiter === ',' ? maxCellsOf(grid, headLine, body, time) : undefined
  const rest = [...Array(maxCells ?? width).keys()].filter((index) => !used.has(index))
  const parts = rest.filter(
    (index) => isUnstated(headings[index] ?? '') && isTimePart(body, time, index, headings[index] ?? ''),
  )
  const clockColumn = clocks[0] ?? numbering?.column
  const isOfTable = (_: string, index: number) => index === time.column || (matrix && !used.has(index))
  const hasFileUnit = statesUnit(titleLines, headings.filter(isOfTable))
  const roles = columnRoles(
    rest.filter((index) => !parts.includes(index)),
    {
      headings,
      column,
      times: timeTexts(body, time.column, clockColumn),
      compared: linesOfFirstTimes(grid, first, time.column, clockColumn),
      sheetColumn,
      isDateOnly: isDateOnly && !numbering,
      hasFileUnit,
      names,
    },
    matrix !== undefined,
  )
  const constants = constantTexts(roles.ignored, column)
  const unused = [...parts, ...otherDates].map((index) => ({ column: index, heading: headings[index] ?? '' }))
  return {
    first,
    time: timeColumns,
    matrix,
    headings,
    headingCells,
    sheetColumn,
    hasFileUnit,
    title: `${title} ${constants.map((texts) => texts.slice(1).join(' ')).join(' ')}`.trim(),
    titleLines: [...titleLines, ...constants],
    ...roles,
    maxCells,
    isMeterMerged: roles.meterColumn !== null && isMerged(column(roles.meterColumn)),
    isDateMerged: isDateMerged(body, time, roles.meterColumn),
    sideBySide: timePairs
      .filter((pair) => !matrix && isOtherTable(body, time, pair, headings, roles.values))
      .map((pair) => Math.max(...pair))[0],
    ignored: [...roles.ignored, ...unused.map((each) => ({ ...each, reason: 'otherColumn' as const }))],
  }
}

/** Whether a column contains dates other than the times of the table. */
const isOtherDate = (
  cells: Cell[],
  date: DateColumn,
  headings: readonly string[],
  time: DateColumn,
): boolean => isDateColumn(cells, date, isSameText(headings[date.column] ?? '', headings[time.column] ?? ''))

/** Whether the title states the unit of all figures, or the headings that say what the figures of a table are. */
const statesUnit = (titleLines: TableLayout['titleLines'], headings: readonly string[]): boolean =>
  titleMeasure(titleLines) !== undefined ||
  headings.some((text) => measureOf(text) !== undefined && readHeading(text).ignored === undefined)

/** First line of the body: the first of the dated lines that end with one that has as many figures as most lines. */
function firstLine(grid: Grid, sample: Grid, time: DateColumn): number {
  const figures = (line: readonly Cell[]) =>
    line.filter((cell, column) => column !== time.column && isNumber(cell)).length
  const dated = sample.filter((line) => isDate(line[time.column], time.formats))
  const counts = dated.map(figures).toSorted((a, b) => a - b)
  const usual = counts[counts.length >> 1] ?? 0
  const first = grid.findIndex(
    (line) => isDate(line[time.column], time.formats) && figures(line) >= Math.max(1, usual / 2),
  )
  if (first < 0) return grid.findIndex((line) => isDate(line[time.column], time.formats))
  // Rows may have fewer figures until all meters are there; a heading or a title is not dated.
  let top = first
  for (let line = first - 1; line >= 0; line--) {
    const cells = grid[line] ?? []
    if (cells.every((cell) => cellText(cell) === '')) continue
    if (!isDate(cells[time.column], time.formats)) break
    if (figures(cells) > 0) top = line
  }
  return top
}

/** Texts of columns that have the same one in every line: they say something about the whole file, as text above the table does. */
const constantTexts = (ignored: ColumnRoles['ignored'], column: (index: number) => Cell[]): string[][] =>
  ignored
    .filter(({ reason }) => reason === 'otherColumn')
    .map(({ column: index, heading }) => [heading, ...new Set(column(index).map(cellText))])
    .filter((texts) => texts.length === 2)

/**
 * Whether a column of times is that of another table to the side, with figures to its right. Below the same heading as the times of the
 * table the dates are others; behind figures of the table its times are others, by at least an interval without the same heading.
 *
 * pair  two columns of dates, or two of times of day
 */
function isOtherTable(
  body: Grid,
  { formats: [format = 'ymd'] }: DateColumn,
  pair: readonly [number, number],
  headings: readonly string[],
  values: readonly ValueColumn[],
): boolean {
  const [left, right] = [Math.min(...pair), Math.max(...pair)]
  const hasValues = (from: number, to: number) => values.some(({ column }) => column > from && column < to)
  const isBehind = hasValues(left, right)
  const isSame = isSameText(headings[left] ?? '', headings[right] ?? '')
  if (!hasValues(right, Infinity) || !(isBehind || isSame)) return false
  const timeIn = (line: readonly Cell[], column: number) => {
    const wall = readWall(cellText(line[column]), format)
    return typeof wall === 'string' ? readTimeOfDay(cellText(line[column]), true) : wall.utc
  }
  const times = body.map((line) => [timeIn(line, left), timeIn(line, right)] as const)
  const steps = times
    .slice(1)
    .map(([at = Number.NaN], index) => Math.abs(at - (times[index]?.[0] ?? Number.NaN)))
  const step = Math.min(...steps.filter((each) => each > 0))
  const minimum = !isBehind ? DAY_MS : isSame ? 1 : step
  return times.some(([a, b]) => a !== undefined && b !== undefined && Math.abs(a - b) >= minimum)
}

/** Number of cells of the headings; without headings, that of the shortest lines if others are longer by a part of a figure. */
function maxCellsOf(
  grid: Grid,
  headLines: readonly number[],
  body: Grid,
  time: DateColumn,
): number | undefined {
  if (headLines.length === 0) return cellsWithoutParts(body)
  const cells = Math.max(...headLines.map((line) => grid[line]?.length ?? 0))
  return cells > time.column + 1 ? cells : undefined
}

/** Number of cells of the shortest lines, if longer ones end in the second part of a figure with a comma, as 1 and 234.5. */
function cellsWithoutParts(body: Grid): number | undefined {
  const shortest = body.reduce((least, { length }) => Math.min(least, length), Infinity)
  const longer = body.filter(({ length }) => length > shortest)
  const parts = longer.filter((line) => areParts(cellText(line.at(-2)), cellText(line.at(-1))))
  return longer.length > 0 && parts.length >= MIN_NUMBER_SHARE * longer.length ? shortest : undefined
}

/** Minimum share of lines whose date is that of a line above, as below a merged cell. */
const MIN_MERGED_SHARE = 0.3

function isDateMerged(body: Grid, time: DateColumn, meterColumn: number | null): boolean {
  if (meterColumn === null) return false
  const merged = body.filter(
    (line) => cellText(line[time.column]) === '' && cellText(line[meterColumn]) !== '',
  )
  return merged.length >= MIN_MERGED_SHARE * body.length
}
