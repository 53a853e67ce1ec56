import { DAY_MS } from '../../../../contract/time/periods.ts'
import type { Cell, Grid } from '../../../lib/spreadsheet/grid.ts'
import {
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
import { areDirections } from './directions.ts'
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
  /** Text above the headings. */
  title: string
  /** Cells of each line above the headings, and heading and text of each column that has the same text in every line. */
  titleLines: readonly (readonly string[])[]
  meterColumn: number | null
  unitColumn: number | null
  directionColumn: number | null
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
    return formats.every((format) => BARE_FORMATS.has(format)) ? 0 : read
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
  const turned = Array.from({ length: width }, (_, column) => below.map((line) => line[column] ?? ''))
  return { grid: [...grid.slice(0, dateRow), ...turned], dateRow }
}

/**
 * Detects the structure of a file; undefined if no column contains dates.
 *
 * sheetColumn  column with the names of the sheets that were joined
 */
export function detectTable(grid: Grid, isDate1904: boolean, sheetColumn?: number): TableLayout | undefined {
  const sample = sampleOf(grid)
  const width = sample.reduce((widest, line) => Math.max(widest, line.length), 0)
  const candidates = Array.from({ length: width }, (_, column) => dateColumn(sample, column, isDate1904))
  const mostDistinct = Math.max(...candidates.map(({ distinct }) => distinct))
  const dates = candidates
    .filter((each) => each.read > 0)
    // Start and end of a whole query are the same in every line, and say nothing about the lines.
    .map((each) => (each.distinct > 0 && each.distinct * 10 < mostDistinct ? { ...each, read: 0.5 } : each))
    // Of the same times with and without offsets, those with offsets are certain.
    .toSorted(
      (a, b) => scoreOf(b) - scoreOf(a) || Number(b.hasOffset) - Number(a.hasOffset) || a.column - b.column,
    )
  const [leading] = dates
  if (!leading) return undefined
  const first = firstLine(grid, sample, leading)
  const body = sampleOf(grid.slice(first))
  const { headings, headLine, title, titleLines } = headingsOf(grid, first, width, body)
  const column = (index: number) => body.map((line) => line[index] ?? '')
  const time = byNamedClock(dates, leading, headings)
  const used = new Set([time.column])
  const clocks = clockColumns(body, time, headings, width)
  const numbering = clocks.length === 0 ? numberColumn(grid, first, time, headings, width) : undefined
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
    formats: time.formats,
  }
  const matrix =
    clocks.length === 0 && !numbering && ends === undefined
      ? matrixOf(grid, headLine, column, time)
      : undefined
  for (const each of matrix?.columns ?? []) used.add(each.column)
  // A column of figures may have a date above them.
  const otherDates = dates.filter(
    (date) =>
      !used.has(date.column) &&
      !date.isBare &&
      column(date.column).filter((cell) => isDate(cell, date.formats)).length >= MIN_SHARE * body.length,
  )
  for (const date of otherDates) used.add(date.column)
  const rest = Array.from({ length: width }, (_, index) => index).filter((index) => !used.has(index))
  const times = body.map((line) =>
    [time.column, clocks[0] ?? numbering?.column].map((each) => cellText(line[each ?? -1])).join(' '),
  )
  const roles = columnRoles(rest, column, headings, matrix !== undefined, times, sheetColumn)
  const constants = constantTexts(roles.ignored, column)
  return {
    first,
    time: timeColumns,
    matrix,
    headings,
    title: `${title} ${constants.map((texts) => texts.slice(1).join(' ')).join(' ')}`.trim(),
    titleLines: [...titleLines, ...constants],
    ...roles,
    ignored: [
      ...roles.ignored,
      ...otherDates.map(({ column: index }) => ({
        column: index,
        heading: headings[index] ?? '',
        reason: 'otherColumn' as const,
      })),
    ],
  }
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

/** First line of the body: the first with a date that has as many figures beside it as most lines. */
function firstLine(grid: Grid, sample: Grid, time: DateColumn): number {
  const figures = (line: readonly Cell[]) =>
    line.filter((cell, column) => column !== time.column && isNumber(cell)).length
  const dated = sample.filter((line) => isDate(line[time.column], time.formats))
  const counts = dated.map(figures).toSorted((a, b) => a - b)
  const usual = counts[counts.length >> 1] ?? 0
  const first = grid.findIndex(
    (line) => isDate(line[time.column], time.formats) && figures(line) >= Math.max(1, usual / 2),
  )
  return first < 0 ? grid.findIndex((line) => isDate(line[time.column], time.formats)) : first
}

/** Texts of columns that have the same one in every line: they say something about the whole file, as text above the table does. */
const constantTexts = (ignored: TableLayout['ignored'], column: (index: number) => Cell[]): string[][] =>
  ignored
    .filter(({ reason }) => reason === 'otherColumn')
    .map(({ column: index, heading }) => [heading, ...new Set(column(index).map(cellText))])
    .filter((texts) => texts.length === 2)

const isFullDate = (text: string): boolean =>
  text.length >= 8 && /\d\D\d/.test(text) && detectFormats([text]).read > 0

/** Headings of the columns, joined from the lines right above the body, and the text above them. */
function headingsOf(grid: Grid, first: number, width: number, body: Grid) {
  const lines: number[] = []
  const bodyWidth = body.reduce((widest, line) => Math.max(widest, line.length), 0)
  for (let line = first - 1; line >= 0 && lines.length < MAX_HEADING_LINES; line--) {
    const filled = (grid[line] ?? []).filter((cell) => cellText(cell) !== '').length
    if (filled === 0) {
      if (lines.length > 0) break
      continue
    }
    const texts = (grid[line] ?? []).map(cellText)
    // InfluxDB writes lines of annotations above the headings; dates in a line are those of a title.
    if (texts[0]?.startsWith('#') || texts.some(isFullDate)) {
      if (lines.length > 0) break
      continue
    }
    // A title has one cell or two; only the first line above the body may be that short.
    if (lines.length > 0 && (filled < Math.max(2, bodyWidth / 2) || filled > bodyWidth)) break
    lines.unshift(line)
  }
  const headings = Array.from({ length: width }, (_, column) =>
    lines
      .map((line) => cellText(grid[line]?.[column]))
      .filter((text) => text !== '')
      .join(' '),
  )
  const titleLines = grid.slice(0, lines[0] ?? first).map((line) => line.map(cellText))
  const title = titleLines
    .flat()
    .filter((text) => text !== '')
    .join(' ')
    .slice(0, 4_000)
  return { headings, headLine: lines, title, titleLines }
}

const textsOf = (body: Grid, column = -1): string[] =>
  body.map((line) => cellText(line[column])).filter((text) => text !== '')

/** Column or columns of times of day, the second of which ends the interval; none if the dates contain them. */
function clockColumns(body: Grid, time: DateColumn, headings: readonly string[], width: number): number[] {
  const [format = 'ymd'] = time.formats
  const timed = body.filter((line) => hasClock(cellText(line[time.column]), format)).length
  if (timed > body.length / 20) return []
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
  if (start === undefined || end === undefined) return found.slice(0, 1)
  return stampOf(headings[start] ?? '') === 'end' && stampOf(headings[end] ?? '') === 'begin'
    ? [end, start]
    : [start, end]
}

/** Column that numbers the hours or intervals of each day, 1 to 24, 48 or 96, and one hour more or less if clocks change. */
function numberColumn(
  grid: Grid,
  first: number,
  time: DateColumn,
  headings: readonly string[],
  width: number,
): TimeColumns['numbered'] | undefined {
  for (let column = 0; column < width; column++) {
    if (column === time.column || !NUMBER_HEAD.test(headings[column] ?? '')) continue
    const numbers = new Set<number>()
    const lastOfDay = new Map<string, number>()
    for (let line = first; line < grid.length; line++) {
      const day = cellText(grid[line]?.[time.column])
      const number = Number(cellText(grid[line]?.[column]) || Number.NaN)
      if (day === '' || Number.isNaN(number)) continue
      numbers.add(number)
      lastOfDay.set(day, Math.max(lastOfDay.get(day) ?? 0, number))
    }
    const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)]
    if ((lowest !== 0 && lowest !== 1) || numbers.size < MIN_MATRIX_COLUMNS || highest > 100) continue
    const count = highest - lowest + 1
    const usual = [24, 48, 96].find((each) => Math.abs(each - count) <= each / 24) ?? 0
    if (usual === 0) continue
    return { column, from: lowest, step: DAY_MS / usual, isElapsed: count > usual }
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
      // The same time by another clock is no end.
      .filter(
        ({ column, hasOffset }) =>
          hasOffset === time.hasOffset &&
          namedClock(headings[column]) === namedClock(headings[time.column]) &&
          stampOf(headings[column] ?? '') !== 'begin',
      )
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
  'meterColumn' | 'unitColumn' | 'directionColumn' | 'qualityColumns' | 'values' | 'ignored'
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
    // A column of energy may have gaps almost everywhere.
    const minimum = readHeading(headingOf(index)).unit ? 1 : Math.min(MIN_NUMBERS, column(index).length / 2)
    return numberShare(index) >= MIN_NUMBER_SHARE && count >= minimum
  }
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
    else values.push({ ...figure, ...meaning })
  }
  const qualityColumns = others.filter((index) => index !== meterColumn && isQualityHeading(headingOf(index)))
  return { meterColumn, unitColumn, directionColumn, qualityColumns, ...onlyEnergy(values, ignored, column) }
}

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

/** Power in both directions in one column: the sum of one of them would be no total. */
const isSignedPower = (cells: readonly Cell[], { unit }: HeadingMeaning): boolean =>
  (unit === 'W' || unit === 'kW' || unit === 'MW') &&
  cells.filter((cell) => (parseNumber(cell, '.') ?? parseNumber(cell, ',') ?? 0) < 0).length > 1

/** Identities such as an EAN or an MPAN: more digits than a figure has. */
const isLongNumber = (cells: readonly Cell[]): boolean =>
  cells.length > 0 && cells.every((cell) => /^\d{11,}$/.test(cellText(cell)))

/** Numbers of lines: 1, 2, 3, … */
function isCounting(cells: readonly Cell[], heading: string): boolean {
  // InfluxDB numbers the tables of an answer.
  if (heading.trim() === 'table') return true
  if (!/^(?:#|no\.?|nr\.?|id|index|序號|項次|編號|)$/i.test(heading.trim())) return false
  const numbers = cells.map((cell) => parseNumber(cell, '.'))
  return numbers.length > 2 && numbers.every((number, at) => number === (numbers[0] as number) + at)
}

/** Columns of energy: power in addition to energy is the same thing twice, and so are differences in addition to their counter. */
function onlyEnergy(
  values: readonly ValueColumn[],
  ignored: readonly { column: number; heading: string; reason: IgnoredReason }[],
  column: (index: number) => Cell[],
): Pick<TableLayout, 'values' | 'ignored'> {
  const isPower = ({ unit, heading }: ValueColumn) =>
    unit === undefined ? isPowerHeading(heading) : unit === 'kW' || unit === 'W' || unit === 'MW'
  const hasEnergy = values.some((value) => value.unit !== undefined && !isPower(value))
  const reasonOf = (value: ValueColumn): IgnoredReason | undefined => {
    if (hasEnergy && isPower(value)) return 'alsoAsEnergy'
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
 * Whether a line without a time is another row of headings, behind which the columns may mean something else. The same headings again
 * are none.
 */
export function isOtherHeading(cells: readonly Cell[], headings: readonly string[]): boolean {
  const filledHeadings = headings.filter((heading) => heading !== '').length
  const texts = cells.map(cellText).filter((text) => text !== '')
  return (
    filledHeadings >= 2 &&
    texts.length >= Math.max(2, filledHeadings / 2) &&
    !texts.some((text) => isNumber(text)) &&
    !texts.every((text) => headings.some((heading) => heading.includes(text)))
  )
}
