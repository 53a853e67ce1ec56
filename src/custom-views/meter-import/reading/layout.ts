import { DAY_MS } from '../../../../contract/time/periods.ts'
import type { Cell, Grid } from '../../../lib/spreadsheet/grid.ts'
import {
  areDirections,
  CLOCK_HEAD,
  type HeadingMeaning,
  type IgnoredReason,
  ignoredReasonOf,
  isMeterHeading,
  isPowerHeading,
  isQualityHeading,
  NUMBER_HEAD,
  readHeading,
  stampOf,
  UNIT_HEAD,
  unitOf,
  UNITS,
} from './headings.ts'
import { isNumber, parseNumber } from './numbers.ts'
import {
  areRanges,
  detectFormats,
  hasClock,
  HOUR_MS,
  isTimeWithOffset,
  MINUTE_MS,
  readTimeOfDay,
  readWall,
  splitRange,
  cellText,
  type TimeFormat,
} from './time.ts'

/** Columns of the time of a line. */
export interface TimeColumns {
  column: number
  /** Column of the time of day, if `column` contains only the date. */
  clockColumn: number | null
  /** Columns of the end of the interval, likewise. */
  endColumn: number | null
  endClockColumn: number | null
  /** Column that numbers the intervals of the day, from `from` on, with their length in ms. */
  numbered: { column: number; from: 0 | 1; step: number; isElapsed: boolean } | null
  /** Whether cells of `column`, or of `clockColumn`, contain start and end, `2026-06-01 00:00 to 2026-06-01 00:15`. */
  isRange: boolean
  /** Whether another column has the same times by another clock, and no heading says which clock is which. */
  hasOtherClock: boolean
  /** Whether cells of `column` contain times of day. */
  isTimed: boolean
  /** Formats that read the most cells of the file; more than one if the order of day and month is open. */
  formats: TimeFormat[]
}

/** A column of a table with one line a day: its time of day in ms since midnight. */
export interface MatrixColumn {
  column: number
  ms: number
}

/** Table with one line a day and a column for each of its intervals. */
export interface Matrix {
  columns: readonly MatrixColumn[]
  /** Length of an interval in ms. */
  step: number
  /** Whether the heading is the start or the end of the interval; undefined if it does not say so. */
  stamp: 'begin' | 'end'
  isStampStated: boolean
  /** The columns are numbered and count the hours that pass, 23 or 25 on the days on which clocks change. */
  isElapsed: boolean
}

export interface ValueColumn extends HeadingMeaning {
  column: number
  heading: string
}

/** Structure of a file's table. */
export interface TableLayout {
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
  meterColumn: number | null
  unitColumn: number | null
  directionColumn: number | null
  /** Columns of texts, some of which name a sum of other lines. */
  totalColumns: readonly number[]
  /** Columns of texts that say how good the data of a line are. */
  qualityColumns: readonly number[]
  values: readonly ValueColumn[]
  /** Columns with figures or text that are not read. */
  ignored: readonly { column: number; heading: string; reason: IgnoredReason }[]
}

/** Number of lines at either end, and in between, on which the structure is detected. */
const SAMPLED_LINES = 200
/** Minimum share of matching cells in a column. */
const MIN_SHARE = 0.8
const MIN_NUMBER_SHARE = 0.9
const MIN_NUMBERS = 3
const MIN_FALLBACK_SHARE = 0.5
/** Maximum number of lines above the body that are headings. */
const MAX_HEADING_LINES = 3
/** Minimum number of times of day in a row of headings that makes a table of days. */
const MIN_MATRIX_COLUMNS = 12
const DAY_COUNTS = new Set([23, 24, 25, 46, 48, 50, 92, 96, 100, 144, 288, 1_440])
/** Formats of digits alone, which may as well be figures. */
const BARE_FORMATS = new Set<TimeFormat>(['epoch', 'serial', 'serial1904', 'compact', 'month', 'rocMonth'])

/** A column with dates. */
interface DateColumn {
  column: number
  formats: TimeFormat[]
  read: number
  /** Number of different times among cells that contain a time of day. */
  distinct: number
  filled: number
  /** Whether the times state their UTC offsets. */
  hasOffset: boolean
  isBare: boolean
  isRange: boolean
}

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
  /^(?:year|yyyy|年|年份|西元年|民國年|jahr|jaar|année|año|anno|ano)$/i,
  /^(?:month|月|月份|monat|maand|mois|mes|mese|mês)$/i,
  /^(?:day|日|tag|dag|jour|día|giorno|dia)$/i,
]
const CLOCK_PARTS = [
  /^(?:hour|時|小時|时|小时|stunde|uur|heure|hora|ora)$/i,
  /^(?:minutes?|分|分鐘|分钟|minuut|minuto)$/i,
]

/**
 * Joins columns of year, month and day in that of the year, and those of hour and minute in that of the hour, as they are no figures. If
 * another column has dates, year, month and day are left out.
 */
export function joinDateParts(grid: Grid): Grid {
  const columnsOf = (line: readonly Cell[], parts: readonly RegExp[]) => {
    const columns = parts.map((part) => line.findIndex((cell) => part.test(cellText(cell))))
    return columns.every((column) => column >= 0) ? columns : undefined
  }
  const head = grid
    .slice(0, MAX_DATE_ROW)
    .findIndex((line) => columnsOf(line, DATE_PARTS) ?? columnsOf(line, CLOCK_PARTS))
  const heading = grid[head]
  if (!heading) return grid
  const hasDate = grid[head + 1]?.some((cell) => isFullDate(cellText(cell)))
  const joins = [
    { columns: columnsOf(heading, DATE_PARTS), mark: hasDate ? undefined : '-' },
    { columns: columnsOf(heading, CLOCK_PARTS), mark: ':' },
  ]
  return grid.map((line, at) => {
    if (at <= head) return line
    const joined = [...line]
    for (const { columns = [], mark } of joins) {
      const parts = columns.map((column) => cellText(line[column]))
      if (parts.length === 0 || !parts.every((part) => /^\d{1,4}$/.test(part))) continue
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
    // Months are no figures if they are written with a mark: 2026/06, 115年6月.
    const isMonth = formats.every((format) => format === 'month' || format === 'rocMonth')
    return isBare && !(isMonth && texts.some((text) => /\d[-/年]\d/.test(text))) ? 0 : read
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
  // Below months, days and hours are parts of them, and no meters.
  const labels = below.slice(1).map((line) => cellText(line[0]))
  if (labels.every((label) => label === '' || /^\d+(?:[:：]\d\d)?\s*[日時]?$/.test(label))) return undefined
  const turned = Array.from({ length: width }, (_, column) => below.map((line) => line[column] ?? ''))
  return { grid: [...grid.slice(0, dateRow), ...turned], dateRow }
}

/**
 * Detects the structure of a file; undefined if no column contains dates.
 *
 * sheetColumn  column with the names of the sheets that were joined
 * delimiter    that between the cells of a text file
 */
export function detectTable(
  grid: Grid,
  isDate1904: boolean,
  sheetColumn?: number,
  delimiter?: string,
): TableLayout | undefined {
  const sample = sampleOf(grid)
  const width = sample.reduce((widest, line) => Math.max(widest, line.length), 0)
  const dates = dateColumns(sample, width, isDate1904)
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
    isRange: time.isRange || (clocks.length === 1 && areRanges(textsOf(body, clocks[0]))),
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
  const isTimeHeading = (heading = '') => isSameText(heading, headings[time.column] ?? '')
  const otherDates = dates
    .filter((date) => !used.has(date.column))
    .filter((date) => isDateColumn(column(date.column), date, isTimeHeading(headings[date.column])))
  for (const date of otherDates) used.add(date.column)
  const timePairs = [
    ...otherDates.map((each) => [time.column, each.column] as const),
    ...otherClocks.map((each) => [clocks[0] ?? each, each] as const),
  ]
  const maxCells = delimiter === ',' ? maxCellsOf(grid, headLine, body, time) : undefined
  const rest = Array.from({ length: maxCells ?? width }, (_, index) => index).filter(
    (index) => !used.has(index),
  )
  const times = timeTexts(body, time.column, clocks[0] ?? numbering?.column)
  const parts = rest.filter(
    (index) => isUnstated(headings[index] ?? '') && isTimePart(body, time, index, headings[index] ?? ''),
  )
  const roles = columnRoles(
    rest.filter((index) => !parts.includes(index)),
    column,
    headings,
    matrix !== undefined,
    times,
    sheetColumn,
  )
  const constants = constantTexts(roles.ignored, column)
  return {
    first,
    time: timeColumns,
    matrix,
    headings,
    headingCells,
    sheetColumn,
    title: `${title} ${constants.map((texts) => texts.slice(1).join(' ')).join(' ')}`.trim(),
    titleLines: [...titleLines, ...constants],
    ...roles,
    maxCells,
    isMeterMerged: roles.meterColumn !== null && isMerged(column(roles.meterColumn)),
    isDateMerged: isDateMerged(body, time, roles.meterColumn),
    sideBySide: timePairs
      .filter((pair) => !matrix && isOtherTable(body, time, pair, headings, roles.values))
      .map((pair) => Math.max(...pair))[0],
    ignored: [
      ...roles.ignored,
      ...[...parts, ...otherDates.map((each) => each.column)].map((index) => ({
        column: index,
        heading: headings[index] ?? '',
        reason: 'otherColumn' as const,
      })),
    ],
  }
}

/** Texts of the times of lines; below a merged cell the date above. */
function timeTexts(body: Grid, timeColumn: number, clockColumn: number | undefined): string[] {
  let date = ''
  return body.map((line) => {
    date = cellText(line[timeColumn]) || date
    return `${date} ${cellText(line[clockColumn ?? -1])}`
  })
}

function sampleOf(grid: Grid): Grid {
  if (grid.length <= 3 * SAMPLED_LINES) return grid
  const middle = grid.length >> 1
  return [
    ...grid.slice(0, SAMPLED_LINES),
    ...grid.slice(middle, middle + SAMPLED_LINES),
    ...grid.slice(-SAMPLED_LINES),
  ]
}

/** Sample of the body, with lines that fill the columns that are almost empty in the sample. */
function sampleBody(grid: Grid, first: number, width: number): Grid {
  const lines = grid.slice(first)
  const sample = sampleOf(lines)
  if (sample.length === lines.length) return sample
  const missing = new Map<number, number>()
  for (let column = 0; column < width; column++) {
    const filled = sample.filter((line) => cellText(line[column]) !== '').length
    if (filled < MIN_NUMBERS) missing.set(column, SAMPLED_LINES)
  }
  const sampled = missing.size === 0 ? undefined : new Set(sample)
  const added: (typeof sample)[number][] = []
  for (let at = 0; at < lines.length && missing.size > 0; at++) {
    const line = lines[at] as (typeof sample)[number]
    for (const [column, count] of missing) {
      if (column >= line.length) break
      const cell = line[column]
      if (cell === undefined || cell === '' || cellText(cell) === '' || sampled?.has(line)) continue
      added.push(line)
      if (count > 1) missing.set(column, count - 1)
      else missing.delete(column)
      break
    }
  }
  return [...sample, ...added]
}

/** Columns with dates, the one that fits best first. */
function dateColumns(sample: Grid, width: number, isDate1904: boolean): DateColumn[] {
  const candidates = Array.from({ length: width }, (_, column) => dateColumn(sample, column, isDate1904))
  const mostDistinct = Math.max(...candidates.map(({ distinct }) => distinct))
  return (
    candidates
      .filter((each) => each.read > 0)
      // Start and end of a whole query are the same in every line, and say nothing about the lines.
      .map((each) => (each.distinct > 0 && each.distinct * 10 < mostDistinct ? { ...each, read: 0.5 } : each))
      // Of the same times with and without offsets, those with offsets are certain.
      .toSorted(
        (a, b) => scoreOf(b) - scoreOf(a) || Number(b.hasOffset) - Number(a.hasOffset) || a.column - b.column,
      )
  )
}

function dateColumn(sample: Grid, column: number, isDate1904: boolean): DateColumn {
  const cells = sample.map((line) => cellText(line[column])).filter((text) => text !== '')
  const isRange = areRanges(cells)
  const texts = isRange ? cells.flatMap((text) => splitRange(text)?.[0] ?? []) : cells
  const { formats, read } = detectFormats(texts)
  const usable = formats.filter((format) =>
    format === 'serial' ? !isDate1904 : format === 'serial1904' ? isDate1904 : true,
  )
  const isBare =
    usable.every((format) => BARE_FORMATS.has(format)) && texts.every((text) => !/[-/:]/.test(text))
  // Dates and the lines of a title may share a column: a column with a few dates only is not one of dates.
  // Dates alone repeat all day.
  const timed = usable[0] ? texts.filter((text) => hasClock(text, usable[0] as TimeFormat)) : []
  const distinct = isBare ? 0 : new Set(timed).size
  return {
    column,
    formats: usable,
    read: usable.length > 0 ? read : 0,
    distinct,
    filled: texts.length,
    hasOffset: !isBare && read > 0 && texts.filter(isTimeWithOffset).length >= read,
    isBare,
    isRange,
  }
}

/** Digits alone count half: they may be figures. */
const scoreOf = ({ read, filled, isBare }: DateColumn): number =>
  isBare ? (read >= MIN_SHARE * (filled - MAX_HEADING_LINES) ? read / 2 : 0) : read

const isDate = (cell: Cell | undefined, formats: readonly TimeFormat[]): boolean => {
  const whole = cellText(cell)
  const text = splitRange(whole)?.[0] ?? whole
  return text !== '' && formats.some((format) => typeof readWall(text, format) !== 'string')
}

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
const constantTexts = (ignored: TableLayout['ignored'], column: (index: number) => Cell[]): string[][] =>
  ignored
    .filter(({ reason }) => reason === 'otherColumn')
    .map(({ column: index, heading }) => [heading, ...new Set(column(index).map(cellText))])
    .filter((texts) => texts.length === 2)

const isFullDate = (text: string): boolean =>
  text.length >= 8 && /\d\D\d/.test(text) && detectFormats([text]).read > 0

/** Lines of annotations that InfluxDB writes above the headings. */
const ANNOTATION = /^#(?:group|datatype|default|constant)\b/i

/** Headings of the columns, joined from the lines right above the body, and the text above them. */
function headingsOf(grid: Grid, first: number, width: number, body: Grid, timeColumn: number) {
  const lines: number[] = []
  const bodyWidth = body.reduce((widest, line) => Math.max(widest, line.length), 0)
  let texts: string[][] = []
  for (let line = first - 1; line >= 0 && lines.length < MAX_HEADING_LINES; line--) {
    const cells = (grid[line] ?? []).map(cellText)
    const filled = cells.filter((text) => text !== '').length
    if (filled === 0) {
      if (lines.length > 0) break
      continue
    }
    const [start = ''] = cells
    // Comments and annotations are no headings; dates in a line are those of a title.
    const isComment = ANNOTATION.test(start) || (start.startsWith('#') && filled === 1)
    if (isComment || cells.some(isFullDate)) {
      if (lines.length > 0) break
      continue
    }
    const below = Array.from({ length: width }, (_, column) => texts.some((each) => each[column]))
    // A title has one cell or two; only the first line above the body, and a line of merged cells, may be that short.
    if (
      lines.length > 0 &&
      !isMergedLine(cells, below, timeColumn) &&
      (filled < Math.max(2, bodyWidth / 2) || filled > bodyWidth)
    )
      break
    lines.unshift(line)
    texts = [mergedTexts(cells, below), ...texts]
  }
  const headings = Array.from({ length: width }, (_, column) =>
    texts
      .map((each) => each[column] ?? '')
      .filter((text) => text !== '')
      .join(' '),
  )
  const titleLines = grid.slice(0, lines[0] ?? first).map((line) => line.map(cellText))
  const title = titleLines
    .flat()
    .filter((text) => text !== '')
    .join(' ')
    .slice(0, 4_000)
  const headingCells = Array.from({ length: width }, (_, column) =>
    lines.map((line) => cellText(grid[line]?.[column])),
  )
  return { headings, headingCells, headLine: lines, title, titleLines }
}

const textsOf = (body: Grid, column = -1): string[] =>
  body.map((line) => cellText(line[column])).filter((text) => text !== '')

/**
 * Whether a line above other headings has merged cells, each above several of them. The heading of the times is merged with the blank
 * below it, or blank above its own.
 *
 * below  columns that have a heading below this line
 */
function isMergedLine(cells: readonly string[], below: readonly boolean[], timeColumn: number): boolean {
  const groups = cells.flatMap((text, column) => (column === timeColumn || text === '' ? [] : [column]))
  if (groups.length === 0 || !groups.some((column) => below[column])) return false
  if ((cells[timeColumn] ?? '') !== '') return below[timeColumn] === false
  return groups.every((column) => column > timeColumn && (!below[column] || (cells[column + 1] ?? '') === ''))
}

/** Texts of a line of headings; a cell that is merged over several headings is the text of all of them. */
function mergedTexts(cells: readonly string[], below: readonly boolean[]): string[] {
  let group = ''
  return below.map((hasHeading, column) => {
    const own = cells[column] ?? ''
    if (own !== '' || !hasHeading) group = hasHeading ? own : ''
    return own || group
  })
}

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

/** Whether a column contains dates; digits alone only below the heading of the times. A column of figures may have a date above them. */
function isDateColumn(
  cells: readonly Cell[],
  { isBare, formats }: DateColumn,
  isTimeHeading: boolean,
): boolean {
  if (isBare && !isTimeHeading) return false
  const filled = cells.filter((cell) => cellText(cell) !== '')
  const dates = filled.filter((cell) => isDate(cell, formats)).length
  return filled.length >= MIN_NUMBERS && dates >= MIN_SHARE * filled.length
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
  const parts = longer.filter(
    (line) => /^\d{3}(?:\.\d+)?$/.test(cellText(line.at(-1))) && /^\d{1,3}$/.test(cellText(line.at(-2))),
  )
  return longer.length > 0 && parts.length >= MIN_NUMBER_SHARE * longer.length ? shortest : undefined
}

/** Headings of columns that repeat a part of the time. */
const TIME_PART_HEAD =
  /^(?:year|month|week|weekday|day|day ?of ?(?:week|month|year)|hour|minute|min|second|quarter|jahr|monat|woche|wochentag|tag|stunde|年|月|週|周|日|星期|時|分|秒|小時|年度|月份)(?:\s*(?:no\.?|number))?$/i
/** Parts of a time, and whether a number is that part: hours may begin at 1, years are Taiwan's too, and weeks begin on any day. */
const TIME_PARTS: readonly ((date: Date) => readonly number[])[] = [
  (date) => [date.getUTCHours()],
  (date) => [date.getUTCHours() + 1],
  (date) => [date.getUTCDate()],
  (date) => [date.getUTCMonth() + 1],
  (date) => [date.getUTCFullYear(), date.getUTCFullYear() - 1_911],
  (date) => [date.getUTCDay()],
  (date) => [date.getUTCDay() || 7],
  (date) => [date.getUTCDay() + 1],
]

/** Whether a column of whole numbers repeats a part of the time of its lines, such as the hour or the day of the week. */
function isTimePart(
  body: Grid,
  { column: timeColumn, formats: [format = 'ymd'] }: DateColumn,
  column: number,
  heading: string,
): boolean {
  const numbers: number[] = []
  const dates: Date[] = []
  for (const line of body) {
    const wall = readWall(cellText(line[timeColumn]), format)
    const text = cellText(line[column])
    if (typeof wall === 'string' || text === '') continue
    if (!/^\d{1,4}$/.test(text)) return false
    numbers.push(Number(text))
    dates.push(new Date(wall.utc))
  }
  if (new Set(numbers).size < 2 && !TIME_PART_HEAD.test(heading.trim())) return false
  return TIME_PARTS.some((partOf) => {
    const equal = dates.filter((date, at) => partOf(date).includes(numbers[at] as number)).length
    return equal > 0 && equal >= MIN_NUMBER_SHARE * dates.length
  })
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

/** Whether the dates of a body contain times of day other than midnight. */
function hasTimesOfDay(body: Grid, { column, formats: [format = 'ymd'] }: DateColumn): boolean {
  const timed = body.filter((line) => {
    const wall = readWall(cellText(line[column]), format)
    return typeof wall !== 'string' && wall.utc % DAY_MS !== 0
  })
  return timed.length > body.length / 20
}

/** Column or columns of times of day, the second of which ends the interval, and others; none if the dates contain them. */
function clockColumns(
  body: Grid,
  time: DateColumn,
  headings: readonly string[],
  width: number,
): { clocks: number[]; others: number[] } {
  const [format = 'ymd'] = time.formats
  const timed = body.filter((line) => hasClock(cellText(line[time.column]), format)).length
  if (timed > body.length / 20) return { clocks: [], others: [] }
  const isClockColumn = (column: number) => {
    const texts = textsOf(body, column)
    const isBareAllowed = CLOCK_HEAD.test(headings[column] ?? '')
    const isRange = areRanges(texts)
    const clocks = texts.filter(
      (text) => readTimeOfDay((isRange && splitRange(text)?.[0]) || text, isBareAllowed) !== undefined,
    )
    return texts.length > 0 && clocks.length >= MIN_SHARE * texts.length
  }
  const found = Array.from({ length: width }, (_, column) => column).filter(
    (column) => column !== time.column && isClockColumn(column),
  )
  const [start, end] = found
  if (start === undefined || end === undefined) return { clocks: found.slice(0, 1), others: [] }
  const [startHead, endHead] = [start, end].map((column) => stampOf(headings[column] ?? ''))
  const [, , ...others] = found
  if (startHead === 'end' && endHead === 'begin') return { clocks: [end, start], others }
  return endHead === 'end' || (!hasFigures(body, start, end) && areEnds(body, start, end))
    ? { clocks: [start, end], others }
    : { clocks: [start], others: [end, ...others] }
}

/** Whether most times of day of a column are those at which the intervals of another end: those at which the next ones begin. */
function areEnds(body: Grid, start: number, end: number): boolean {
  const clockIn = (line: readonly Cell[] | undefined, column: number) =>
    readTimeOfDay(cellText(line?.[column]), true)
  const ends = body.map((line) => clockIn(line, end)).map((ms) => (ms === undefined ? ms : ms % DAY_MS))
  const starts = body.map((line) => clockIn(line, start))
  const follows = ends.filter(
    (ms, at) => ms !== undefined && ms === starts[at + 1] && ms !== starts[at],
  ).length
  return follows > 0 && follows >= MIN_SHARE * (body.length - 1)
}

/**
 * Column that numbers the hours or intervals of each day: 1 to 24, 48 or 96, and one hour more or less if clocks change. Without a
 * heading that says so, most days must have all numbers. Hours of which some are missing on all days, as at night, are those of the
 * clock.
 */
function numberColumn(
  grid: Grid,
  first: number,
  time: DateColumn,
  headings: readonly string[],
  width: number,
): TimeColumns['numbered'] | undefined {
  for (let column = 0; column < width; column++) {
    const heading = headings[column] ?? ''
    if (column === time.column || readHeading(heading).unit) continue
    const isNamed = NUMBER_HEAD.test(heading)
    const found = numbersOfDays(grid, first, time.column, column, isNamed)
    if (!found) continue
    const { lowest, highest, count } = found
    const length = highest - lowest + 1
    const usual = [24, 48, 96].find((each) => Math.abs(each - length) <= each / 24) ?? 0
    const isCounted = lowest <= 1 && count >= MIN_MATRIX_COLUMNS && usual > 0
    if (isCounted && (isNamed || found.hasFullDays))
      return { column, from: lowest === 0 ? 0 : 1, step: DAY_MS / usual, isElapsed: length > usual }
    if (/^settlement[ _]period$/i.test(heading.trim()) && lowest >= 1 && highest <= 50)
      return { column, from: 1, step: DAY_MS / 48, isElapsed: highest > 48 }
    if (HOUR_HEAD.test(heading) && highest <= 24 && found.hasHours)
      return { column, from: 0, step: DAY_MS / 24, isElapsed: false }
  }
  return undefined
}

/** Certainty of the clock of a column by its heading: 2 UTC, 1 local, 0 not named. */
const namedClock = (heading = ''): 0 | 1 | 2 => {
  const text = heading.replaceAll('_', ' ')
  if (/(?<![a-z])(?:utc|gmt|zulu)(?![a-z])/i.test(text)) return 2
  return /(?<![a-z])(?:local|lokal\w*|locale?)(?![a-z])|當地|本地|現地/i.test(text) ? 1 : 0
}

/** Column whose heading names its clock, among those with as many times as the leading one. */
function byNamedClock(
  dates: readonly DateColumn[],
  leading: DateColumn,
  headings: readonly string[],
): DateColumn {
  const rank = ({ column }: DateColumn) => namedClock(headings[column])
  return dates
    .filter(
      (each) =>
        each.read === leading.read &&
        each.distinct === leading.distinct &&
        each.hasOffset === leading.hasOffset &&
        (each === leading ||
          stampOf(headings[each.column] ?? '') === stampOf(headings[leading.column] ?? '')),
    )
    .reduce((best, each) => (rank(each) > rank(best) ? each : best), leading)
}

/** Whether another column has the times of a column by another clock, whose distance changes with summer time at most. */
function isOtherClock(body: Grid, time: DateColumn, other: DateColumn, headings: readonly string[]): boolean {
  const [format = 'ymd', otherFormat = 'ymd'] = [time.formats[0], other.formats[0]]
  if (time.hasOffset || time.isBare || time.distinct === 0 || other.distinct === 0 || other.isBare)
    return false
  if (namedClock(headings[time.column]) > 0) return false
  const distances = body.flatMap((line) => {
    const walls = [
      readWall(cellText(line[time.column]), format),
      readWall(cellText(line[other.column]), otherFormat),
    ]
    const [own, its] = walls.map((wall) => (typeof wall === 'string' ? Number.NaN : wall.utc))
    return Number.isNaN(own) || Number.isNaN(its) ? [] : [(its as number) - (own as number)]
  })
  const different = new Set(distances)
  return (
    distances.length >= MIN_SHARE * body.length &&
    different.size <= 2 &&
    [...different].every(
      (distance) => distance !== 0 && distance % (30 * MINUTE_MS) === 0 && Math.abs(distance) <= 14 * HOUR_MS,
    )
  )
}

const MAX_INTERVAL_NUMBER = 100
/**
 * Numbers of a column by date; undefined if they are none of intervals.
 *
 * isNamed  whether the heading says that the column numbers intervals, so that a few other cells are faults
 */
function numbersOfDays(grid: Grid, first: number, timeColumn: number, column: number, isNamed: boolean) {
  const numbers = new Set<number>()
  const days = new Map<string, Set<number>>()
  for (let line = first; line < grid.length; line++) {
    const day = cellText(grid[line]?.[timeColumn])
    const text = cellText(grid[line]?.[column])
    if (day === '' || text === '') continue
    const number = Number(text)
    if (Number.isInteger(number) && number >= 0 && number <= MAX_INTERVAL_NUMBER) {
      numbers.add(number)
      const ofDay = days.get(day)
      if (ofDay) ofDay.add(number)
      else days.set(day, new Set([number]))
    } else if (!isNamed) return undefined
  }
  const counts = [...days.values()].map(({ size }) => size)
  const isMostDays = (minimum: number) => counts.filter((each) => each >= minimum).length * 2 > counts.length
  return {
    lowest: Math.min(...numbers),
    highest: Math.max(...numbers),
    count: numbers.size,
    hasFullDays: isMostDays(numbers.size - numbers.size / 24),
    hasHours: isMostDays(2),
  }
}

const HOUR_HEAD =
  /^\s*(?:hour|hr|hora|stunde|heure|ora|uur|he|hour ending|hour of day|小時|時|时|時刻|時刻コード)\s*$/i

/** Whether a column between two others contains figures. */
const hasFigures = (body: Grid, left: number, right: number): boolean => {
  const between = Array.from(
    { length: Math.max(0, Math.abs(right - left) - 1) },
    (_, at) => at + 1 + Math.min(left, right),
  )
  return between.some((column) => body.filter((line) => isNumber(line[column])).length > body.length / 2)
}

/** Column of the ends of the intervals, if another column of dates is always a little later. */
function endColumn(
  body: Grid,
  time: DateColumn,
  dates: readonly DateColumn[],
  headings: readonly string[],
): number | undefined {
  const [format = 'ymd'] = time.formats
  const readIn = (line: readonly Cell[], column: number) => {
    const wall = readWall(cellText(line[column]), format)
    return typeof wall === 'string' ? undefined : wall.utc - (wall.offset ?? 0)
  }
  return (
    dates
      .filter(({ column, isBare }) => column !== time.column && !isBare)
      // The same time by another clock is no end, nor is the time of figures to its right.
      .filter(({ column, hasOffset }) => {
        const stamp = stampOf(headings[column] ?? '')
        if (hasOffset !== time.hasOffset || stamp === 'begin') return false
        if (namedClock(headings[column]) !== namedClock(headings[time.column])) return false
        return stamp === 'end' || !hasFigures(body, time.column, column)
      })
      .map(({ column }) => column)
      .find((column) => {
        const spans = body.flatMap((line) => {
          const [from, to] = [readIn(line, time.column), readIn(line, column)]
          return from === undefined || to === undefined ? [] : [to - from]
        })
        if (spans.length < MIN_SHARE * body.length || spans.some((span) => span < 0)) return false
        if (stampOf(headings[column] ?? '') === 'end') return true
        const starts = body.map((line) => readIn(line, time.column))
        const follows = spans.filter(
          (span, at) => span > 0 && starts[at + 1] === (starts[at] ?? 0) + span,
        ).length
        return follows >= MIN_SHARE * (spans.length - 1) && follows > 0
      })
  )
}

const NUMBERED = /^(?:hh?|hr|hour|q|第)?\s*0*(\d{1,4})\s*(?:時|点|點|h|期)?$/i

/** Table of days: a row of headings with the times of day, or the numbers of the intervals. */
function matrixOf(
  grid: Grid,
  headLines: readonly number[],
  column: (index: number) => Cell[],
  time: DateColumn,
): Matrix | undefined {
  for (const line of headLines.toReversed()) {
    const cells = (grid[line] ?? []).map((cell, index) => ({ index, text: cellText(cell) }))
    const candidates = cells.filter(({ index }) => index !== time.column)
    const clocks = candidates.flatMap(({ index, text }) => {
      const range = splitRange(text)
      const ms = readTimeOfDay(range?.[0] ?? text, /^\d{4}$/.test(text))
      return ms === undefined ? [] : [{ column: index, ms, isRange: range !== undefined }]
    })
    const found = clocks.length >= MIN_MATRIX_COLUMNS ? byClock(clocks) : numbered(candidates)
    if (found && found.columns.some((each) => column(each.column).some(isNumber))) return found
  }
  return undefined
}

function byClock(clocks: readonly (MatrixColumn & { isRange: boolean })[]): Matrix | undefined {
  const steps = clocks.slice(1).map(({ ms }, at) => ms - (clocks[at] as MatrixColumn).ms)
  const step = steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? 0
  if (step <= 0) return undefined
  const isRange = clocks.some((each) => each.isRange)
  const isEnd = !isRange && clocks[0]?.ms === step
  return {
    columns: clocks.map(({ column, ms }, at) => ({
      column,
      // The last heading of a day that ends at midnight may be 00:00.
      ms: isEnd && ms === 0 && at > 0 ? DAY_MS : ms,
    })),
    step,
    stamp: isEnd ? 'end' : 'begin',
    isStampStated: isRange,
    isElapsed: false,
  }
}

function numbered(cells: readonly { index: number; text: string }[]): Matrix | undefined {
  const numbers = cells.flatMap(({ index, text }) => {
    const match = NUMBERED.exec(text)
    return match ? [{ column: index, number: Number(match[1]) }] : []
  })
  const from = numbers[0]?.number
  if (from === undefined || from > 1) return undefined
  const run = numbers.filter(({ number }, at) => number === from + at)
  if (!DAY_COUNTS.has(run.length)) return undefined
  // 23 and 25 hours, 92 and 100 quarters are days on which clocks change.
  const intervals =
    [24, 48, 96, 144, 288, 1_440].find((count) => Math.abs(count - run.length) <= count / 24) ?? 24
  const step = DAY_MS / intervals
  return {
    columns: run.map(({ column, number }) => ({ column, ms: (number - from) * step })),
    step,
    stamp: 'begin',
    isStampStated: false,
    isElapsed: run.length > intervals,
  }
}

/** Roles of the columns other than times: meter, unit, direction, values, and those not read. */
function columnRoles(
  rest: readonly number[],
  column: (index: number) => Cell[],
  headings: readonly string[],
  isMatrix: boolean,
  times: readonly string[],
  sheetColumn: number | undefined,
): Pick<
  TableLayout,
  'meterColumn' | 'unitColumn' | 'directionColumn' | 'totalColumns' | 'qualityColumns' | 'values' | 'ignored'
> {
  const headingOf = (index: number) => headings[index] ?? ''
  const filledOf = (index: number) => column(index).filter((cell) => cellText(cell) !== '')
  const share = (index: number, isMatch: (text: string) => boolean) => {
    const filled = filledOf(index)
    return filled.length === 0 ? 0 : filled.filter((cell) => isMatch(cellText(cell))).length / filled.length
  }
  const numberShare = (index: number) => share(index, isNumber)
  const isNumeric = (index: number) => {
    const count = filledOf(index).filter(isNumber).length
    // A column of energy may have gaps, or texts such as Bad Input, almost everywhere.
    if (readHeading(headingOf(index)).unit && ignoredReasonOf(headingOf(index)) === undefined)
      return count > 0
    const isMostlyNumeric =
      numberShare(index) >= MIN_NUMBER_SHARE ||
      (numberShare(index) >= MIN_FALLBACK_SHARE && !isMatrix && hasFewTexts(filledOf(index)))
    return isMostlyNumeric && count >= Math.min(MIN_NUMBERS, column(index).length / 2)
  }
  const isConstant = (index: number) => new Set(filledOf(index).map(cellText)).size === 1
  const isIdentity = (index: number) =>
    isMeterHeading(headingOf(index)) && readHeading(headingOf(index)).unit === undefined
  const numeric = rest.filter((index) => isNumeric(index))
  // Many broken cells still are a column of figures if there is no better one.
  const numbers =
    numeric.length > 0 || isMatrix
      ? numeric
      : rest.filter((index) => numberShare(index) >= MIN_FALLBACK_SHARE).slice(0, 1)
  const texts = rest.filter((index) => !numbers.includes(index) && filledOf(index).length > 0)
  const hasStatedUnit = numbers.some((index) => readHeading(headingOf(index)).unit !== undefined)
  const unitColumn =
    texts.find(
      (index) =>
        share(index, isUnit) >= MIN_SHARE &&
        (UNIT_HEAD.test(headingOf(index)) ||
          (!hasStatedUnit && readHeading(headingOf(index)).ignored === undefined)),
    ) ?? null
  const directionColumn =
    texts.find(
      (index) =>
        index !== unitColumn && areDirections(filledOf(index).map(cellText), headingOf(index), MIN_SHARE),
    ) ?? null
  const others = texts.filter((index) => index !== unitColumn && index !== directionColumn)
  const identities = numbers.filter(
    (index) => isLongNumber(filledOf(index)) || (isIdentity(index) && looksLikeIdentity(filledOf(index))),
  )
  const meterColumn =
    [...others, ...identities].find(
      (index) =>
        (isIdentity(index) || identities.includes(index)) &&
        filledOf(index).length > column(index).length / 2,
    ) ??
    others.find(
      (index) => readHeading(headingOf(index)).ignored === undefined && namesSeries(column(index), times),
    ) ??
    others.find(
      (index) => isMerged(column(index)) && (isIdentity(index) || namesBlocks(column(index), times)),
    ) ??
    numbers.find((index) => numbers.length > 1 && numbersSeries(column(index), headingOf(index), times)) ??
    (sheetColumn !== undefined && column(sheetColumn).some((cell) => !isPeriodName(cellText(cell)))
      ? sheetColumn
      : null)
  const values: ValueColumn[] = []
  const ignored: { column: number; heading: string; reason: IgnoredReason }[] = []
  for (const index of [...numbers, ...others]) {
    if (index === meterColumn) continue
    const meaning = readHeading(headingOf(index))
    const figure = { column: index, heading: headingOf(index) }
    if (isMatrix || !numbers.includes(index) || identities.includes(index))
      ignored.push({ ...figure, reason: meaning.ignored ?? 'otherColumn' })
    else if (meaning.ignored) ignored.push({ ...figure, reason: meaning.ignored })
    else if (isSignedPower(column(index), meaning)) ignored.push({ ...figure, reason: 'bothSigns' })
    else if (isCounting(column(index), headingOf(index))) ignored.push({ ...figure, reason: 'counting' })
    else if (DURATION_HEAD.test(headingOf(index)) && meaning.unit === undefined && isConstant(index))
      ignored.push({ ...figure, reason: 'otherColumn' })
    else values.push({ ...figure, ...meaning })
  }
  const qualityColumns = others.filter((index) => index !== meterColumn && isQualityHeading(headingOf(index)))
  // A column that names a total in every line says what the file is about.
  const totalColumns = others.filter((index) => {
    const totals = column(index).filter((cell) => isTotal(cellText(cell))).length
    return index !== meterColumn && totals > 0 && totals < column(index).length / 2
  })
  return {
    meterColumn,
    unitColumn,
    directionColumn,
    totalColumns,
    qualityColumns,
    ...onlyEnergy(values, ignored, column),
  }
}

/** Maximum number of different texts in a column of figures, such as Bad Input and No Data. */
const MAX_FAULT_TEXTS = 3
const hasFewTexts = (cells: readonly Cell[]): boolean =>
  new Set(cells.filter((cell) => !isNumber(cell)).map(cellText)).size <= MAX_FAULT_TEXTS

/** Whether the name of a sheet is a default one or a period, so that several sheets are one meter's. */
const isPeriodName = (name: string): boolean => name === '' || PERIOD_NAME.test(name)
const PERIOD_NAME =
  /^(?:(?:sheet|table|data|page|工作表|tabelle|feuil|hoja|blad|foglio|ark|planilha)\s*\d*|(?:民國)?\d{1,4}\s*年?(?:[-/._ ]?\d{1,2})?\s*月?(?:份)?|[一二三四五六七八九十]{1,3}月(?:份)?|第?[一二三四1-4]季|(?:q|h)[1-4](?:[ -]\d{2,4})?|(?:kw|w|week|第)\s*\d{1,2}\s*週?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ -]?(?:\d{2,4})?)$/i

const isUnit = (text: string): boolean =>
  text.length <= 12 &&
  !/\d{2}/.test(text) &&
  !/[$€£¥]\s*\d/.test(text) &&
  (unitOf(text) !== undefined || ignoredReasonOf(text) !== undefined)

/** Whole numbers of many digits, or always the same one. */
function looksLikeIdentity(cells: readonly Cell[]): boolean {
  const texts = new Set(cells.map(cellText))
  return texts.size <= Math.max(1, cells.length / 3) || [...texts].every((text) => /^\d{8,}$/.test(text))
}

/** Whether a column of text has few names, which occur again and again and each at the same times as others. */
function namesSeries(cells: readonly Cell[], times: readonly string[]): boolean {
  const names = new Set(cells.map(cellText))
  if (names.size < 2 || names.size > cells.length / 2 || names.has('')) return false
  const distinctTimes = new Set(times).size
  const pairs = new Set(cells.map((cell, at) => `${times[at]} ${cellText(cell)}`))
  return distinctTimes <= cells.length * 0.75 && pairs.size > distinctTimes
}

/** Headings of columns that contain the length of the interval. */
const DURATION_HEAD =
  /^(?:(?:interval|period)[ _]?)?(?:duration|length|interval|minutes?|seconds?|dauer|durée|duración|durata|duração|duur|時長|间隔|間隔|長度|分鐘|分)(?:\s*[[(（].*)?$/i

/** Whether a column has names in its first line and in others, each above blank cells. */
function isMerged(cells: readonly Cell[]): boolean {
  const names = cells.map(cellText).filter((text) => text !== '')
  return cellText(cells[0]) !== '' && names.length <= cells.length / 2 && new Set(names).size > 1
}

/** Whether each name in a column is above the same times. */
function namesBlocks(cells: readonly Cell[], times: readonly string[]): boolean {
  return cells.every((cell, at) => cellText(cell) === '' || times[at] === times[0])
}

/** Whether a heading says nothing of energy: no unit, no kind and no direction. */
const isUnstated = (heading: string): boolean => {
  const { unit, kind, direction } = readHeading(heading)
  return unit === undefined && kind === undefined && direction === undefined && heading.trim() !== ''
}

/** Whether a column of whole numbers has the same few at each time, as the numbers of buildings. */
function numbersSeries(cells: readonly Cell[], heading: string, times: readonly string[]): boolean {
  if (!isUnstated(heading) || TIME_PART_HEAD.test(heading.trim()) || NUMBER_HEAD.test(heading)) return false
  if (!namesSeries(cells, times) || !cells.every((cell) => /^\d{1,6}$/.test(cellText(cell)))) return false
  const names = new Set(cells.map(cellText)).size
  const pairs = new Set(cells.map((cell, at) => `${times[at]} ${cellText(cell)}`)).size
  return pairs >= MIN_NUMBER_SHARE * cells.length && pairs >= MIN_SHARE * names * new Set(times).size
}

/** Power in both directions in one column: the sum of one of them would be no total. */
const isSignedPower = (cells: readonly Cell[], { unit }: HeadingMeaning): boolean =>
  (unit === 'W' || unit === 'kW' || unit === 'MW') &&
  cells.filter((cell) => (parseNumber(cell, '.') ?? parseNumber(cell, ',') ?? 0) < 0).length > 1

/** Identities such as an EAN or an MPAN: more digits than a figure has. */
const isLongNumber = (cells: readonly Cell[]): boolean =>
  cells.length > 0 && cells.every((cell) => /^\d{11,}$/.test(cellText(cell)))

const COUNTING_HEAD =
  /^(?:#|no\.?|nr\.?|id|index|row|line|record|seq(?:uence)?|s\.? ?no\.?|lfd\.? ?nr\.?|n[°º]|序號|序号|項次|编号|編號|番号|)$/i
/** Numbers of lines: 1, 2, 3, … */
function isCounting(cells: readonly Cell[], heading: string): boolean {
  // InfluxDB numbers the tables of an answer.
  if (heading.trim() === 'table') return true
  if (!COUNTING_HEAD.test(heading.trim())) return false
  const numbers = cells.map((cell) => parseNumber(cell, '.'))
  const steps = numbers.slice(1).map((number, at) => (number ?? Number.NaN) - (numbers[at] ?? Number.NaN))
  // Lines of different parts of the file follow each other in a sample.
  return [1, -1].some((each) => {
    const regular = steps.filter((step) => step === each).length
    return regular > 1 && regular >= MIN_NUMBER_SHARE * steps.length
  })
}

/** Words of headings that are not the name of a meter. */
const QUANTITY_WORDS =
  /(?<![a-z])(?:[kmg]?wh?|kilowatts?|watts?|wattage|hours?|power|demand|load|energy|active|real|total|net|grid|mean|average|avg|max|maximum|peak|interval|usage|used|consumption|consumed|consum|production|produced|yield|generation|generated|import|export|value|meter|measured|ac|dc|p|e|l[123]|phase|counter|analog|reading|register|cumulative|lifetime|status|output|input|instantaneous|pac|pdc|eac|gesamtertrag|tagesertrag|momentanwert|gesamt|leistung|wirkleistung|energie|arbeit|wirkarbeit|verbrauch|bezug|erzeugung|ertrag|mittelwert|lastgang|puissance|énergie|consommation|potencia|potenza|potência|energía|energia|consumo|vermogen|verbruik)(?![a-z])|用電量?|耗電量?|發電量?|発電量?|电力|用电量?|電力量?|電量|电量|電能|能量|功率|需量|使用量|平均|最大|最高|最小|累計|累積|讀數|瞬時|即時|有效|有功|實功|總|度數?|[\s\d_.,:：·\-/()（）[\]]+/gi
const meterNameOf = (heading: string): string =>
  heading.replaceAll('_', ' ').toLowerCase().replaceAll(QUANTITY_WORDS, '')

/**
 * Columns of energy: power in addition to energy of the same meter is the same thing twice, and so are differences in addition to their
 * counter.
 */
function onlyEnergy(
  values: readonly ValueColumn[],
  ignored: readonly { column: number; heading: string; reason: IgnoredReason }[],
  column: (index: number) => Cell[],
): Pick<TableLayout, 'values' | 'ignored'> {
  const isPower = ({ unit, heading }: ValueColumn) =>
    unit === undefined ? isPowerHeading(heading) : unit === 'kW' || unit === 'W' || unit === 'MW'
  const energies = values.filter((value) => value.unit !== undefined && !isPower(value))
  const names = new Set(energies.map(({ heading }) => meterNameOf(heading)))
  const reasonOf = (value: ValueColumn): IgnoredReason | undefined => {
    if (names.size > 0 && isPower(value)) {
      const name = meterNameOf(value.heading)
      if (name === '' || names.has(name)) return 'alsoAsEnergy'
    }
    const isDifference = values.some(
      (counter) => counter !== value && counter.kind === 'counter' && areDifferences(counter, value, column),
    )
    return isDifference ? 'alsoAsCounter' : undefined
  }
  return {
    values: values.filter((value) => reasonOf(value) === undefined),
    ignored: [
      ...ignored,
      ...values.flatMap((value) => {
        const reason = reasonOf(value)
        return reason ? [{ column: value.column, heading: value.heading, reason }] : []
      }),
    ],
  }
}

/** Minimum number of lines by which a column is recognized as the differences of another. */
const MIN_DIFFERENCES = 3
/** Maximum deviation of their sum, which rounding causes. */
const MAX_DIFFERENCE_SHARE = 0.02

/** Whether a column contains the differences of the counter in another column, from the line before or to the next one. */
function areDifferences(
  counter: ValueColumn,
  other: ValueColumn,
  column: (index: number) => Cell[],
): boolean {
  const figuresOf = ({ column: index, unit }: ValueColumn) =>
    column(index).map((cell) => {
      const figure = parseNumber(cell, '.') ?? parseNumber(cell, ',')
      return figure === undefined ? undefined : figure * (unit ? UNITS[unit].factor : 1)
    })
  const [counts, differences] = [figuresOf(counter), figuresOf(other)]
  return [0, -1].some((shift) => {
    let [compared, sum, deviation] = [0, 0, 0]
    for (let line = 1; line < counts.length; line++) {
      const [before, after, difference] = [counts[line - 1], counts[line], differences[line + shift]]
      // Lines of different parts of the file follow each other in a sample; a counter may be replaced.
      if (before === undefined || after === undefined || difference === undefined || after < before) continue
      const error = Math.abs(after - before - difference)
      if (error > after - before + difference / 2 && compared > SAMPLED_LINES / 2) continue
      compared++
      sum += difference
      deviation += error
    }
    return compared >= MIN_DIFFERENCES && sum > 0 && deviation <= sum * MAX_DIFFERENCE_SHARE
  })
}

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
  if (filled.length === 0 || filled.some((text) => isNumber(text))) return undefined
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

const isSameText = (a: string, b: string): boolean => a !== '' && a.toLowerCase() === b.toLowerCase()

/** Dates, times and page numbers, which differ in the titles of one table. */
const PERIOD_IN_TITLE =
  /(?<![\d-])(?:民國)?\d{2,4}\s?(?:[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?![\d-])|年(?:\s?\d{1,2}\s?月份?)?(?:\s?\d{1,2}\s?日)?)|(?<![\d-])\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}(?![\d-])|\d{1,2}\s?月份?|\d{1,2}[:：]\d{2}(?:[:：]\d{2})?|(?<![a-z])(?:\d{1,2}\.?\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s*(?:\d{1,2},?\s*)?(?:\d{4})?(?![a-z])|(?:page|seite|página|pagina|第)\s*\d+\s*(?:頁|页)?(?:\s*(?:of|von|de|di|\/|共)\s*\d+\s*(?:頁|页)?)?|(?:(?<=\s)(?:to|bis|through|until)|[～~–至-])(?=\s|$)/gi
const withoutPeriods = (text: string): string =>
  text
    .replaceAll(PERIOD_IN_TITLE, '')
    .replaceAll(/[\s:：]+/g, ' ')
    .trim()
    .toLowerCase()

/** Text above the table, whole and without the periods that it is about. */
export const fileTitleOf = ({ title }: TableLayout) => ({
  whole: title.toLowerCase(),
  withoutPeriods: withoutPeriods(title),
})

/**
 * Title of a block in a line without a time, if it may be that of another meter.
 *
 * returns  isMeter: whether the line says that it names a meter
 */
export function blockTitle(
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

/** Words that name a sum of rows, alone or with its period: 本週合計, Daily total, Summe. */
const TOTAL_CHINESE =
  /^.{0,8}(?:合計|小計|總計|共計|總和|合计|小计|总计|共计|総計)(?:\s*[:：(].*|列|值|量|用電量?|度數?)?$/
const TOTAL =
  /^(?:(?:grand|sub|day|daily|week|weekly|month|monthly|zwischen|tages|wochen|monats|gesamt)[- ]?)?(?:totals?|sum|summe|somme|totaal|totale|soma|suma)(?:\s(?:(?:of|for|per|du|der|des|del|van)\s.{1,20}|\(?k?wh\)?|\d.{0,20}))?[:：]?$|^(?:gesamt|total général|sous-total)[:：]?$/i
const MAX_TOTAL_LENGTH = 30
export const isTotal = (text: string): boolean =>
  text.length <= MAX_TOTAL_LENGTH && (TOTAL.test(text) || TOTAL_CHINESE.test(text))
