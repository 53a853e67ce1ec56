import { DAY_MS } from '../../../../contract/time/periods.ts'
import type { Cell, Grid } from '../../../lib/spreadsheet/grid.ts'
import { MIN_NUMBER_SHARE, MIN_NUMBERS, MIN_SHARE, columnTexts } from './grid-sample.ts'
import { MAX_HEADING_LINES } from './heading-lines.ts'
import { CLOCK_HEAD, NUMBER_HEAD, readHeading, stampOf, unitOf } from './headings.ts'
import { isNumber } from './numbers.ts'
import {
  areRanges,
  BARE_FORMATS,
  cellText,
  detectFormats,
  hasClock,
  HOUR_MS,
  isTimeWithOffset,
  MINUTE_MS,
  readTimeOfDay,
  readWall,
  splitRange,
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

/** Minimum number of times of day in a row of headings that makes a table of days. */
export const MIN_MATRIX_COLUMNS = 12

/** A column with dates. */
export interface DateColumn {
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

/** Texts of the times of lines; below a merged cell the date above. */
export function timeTexts(body: Grid, timeColumn: number, clockColumn: number | undefined): string[] {
  let date = ''
  return body.map((line) => {
    date = cellText(line[timeColumn]) || date
    return `${date} ${cellText(line[clockColumn ?? -1])}`
  })
}

/** Number of times whose lines are compared, and maximum number of these lines. */
const COMPARED_TIMES = 50
const MAX_COMPARED_LINES = 2_000

/** Lines of the whole file that have one of its first times, by which columns that name meters are recognized, and their times. */
export function linesOfFirstTimes(
  grid: Grid,
  first: number,
  timeColumn: number,
  clockColumn: number | undefined,
): { lines: Grid; times: readonly string[] } {
  const body = grid.slice(first)
  const times = timeTexts(body, timeColumn, clockColumn)
  const compared = new Set<string>()
  const found: number[] = []
  for (let at = 0; at < times.length && found.length < MAX_COMPARED_LINES; at++) {
    const time = times[at] as string
    if (compared.size < COMPARED_TIMES && time.trim() !== '') compared.add(time)
    if (compared.has(time)) found.push(at)
  }
  return { lines: found.map((at) => body[at] as Grid[number]), times: found.map((at) => times[at] as string) }
}

/** Columns with dates, the one that fits best first. */
export function dateColumns(
  sample: Grid,
  width: number,
  isDate1904: boolean,
  sheetColumn: number | undefined,
): DateColumn[] {
  const all = Array.from({ length: width }, (_, column) => dateColumn(sample, column, isDate1904))
  // The names of sheets may be dates, too.
  const own = all.filter(({ column }) => column !== sheetColumn)
  const candidates = own.some(({ read }) => read > 0) ? own : all
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
  // A name or a title above figures may have a mark, too.
  const isBare =
    usable.every((format) => BARE_FORMATS.has(format)) &&
    texts.every((text) => !/[-/:]/.test(text) || !isDate(text, usable))
  // Digits below the heading of a quantity are figures, also if they may be months of Taiwan's calendar.
  const isQuantity = isBare && cells.some((text) => unitOf(text) !== undefined)
  // Dates and the lines of a title may share a column: a column with a few dates only is not one of dates.
  // Dates alone repeat all day.
  const timed = usable[0] ? texts.filter((text) => hasClock(text, usable[0] as TimeFormat)) : []
  const distinct = isBare ? 0 : new Set(timed).size
  return {
    column,
    formats: usable,
    read: usable.length > 0 && !isQuantity ? read : 0,
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

export const isDate = (cell: Cell | undefined, formats: readonly TimeFormat[]): boolean => {
  const whole = cellText(cell)
  const text = splitRange(whole)?.[0] ?? whole
  return text !== '' && formats.some((format) => typeof readWall(text, format) !== 'string')
}

/** Whether a column contains dates; digits alone only below the heading of the times. A column of figures may have a date above them. */
export function isDateColumn(
  cells: readonly Cell[],
  { isBare, formats }: DateColumn,
  isTimeHeading: boolean,
): boolean {
  if (isBare && !isTimeHeading) return false
  const filled = cells.filter((cell) => cellText(cell) !== '')
  const dates = filled.filter((cell) => isDate(cell, formats)).length
  return filled.length >= MIN_NUMBERS && dates >= MIN_SHARE * filled.length
}

/** Headings of columns that repeat a part of the time. */
export const TIME_PART_HEAD =
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
export function isTimePart(
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

/** Whether the dates of a body contain times of day other than midnight. */
export function hasTimesOfDay(body: Grid, { column, formats: [format = 'ymd'] }: DateColumn): boolean {
  const timed = body.filter((line) => {
    const wall = readWall(cellText(line[column]), format)
    return typeof wall !== 'string' && wall.utc % DAY_MS !== 0
  })
  return timed.length > body.length / 20
}

/** Column or columns of times of day, the second of which ends the interval, and others; none if the dates contain them. */
export function clockColumns(
  body: Grid,
  time: DateColumn,
  headings: readonly string[],
  width: number,
): { clocks: number[]; others: number[] } {
  const [format = 'ymd'] = time.formats
  const timed = columnTexts(body, time.column).filter((text) => hasClock(text, format))
  // Spreadsheets write dates with the clock of midnight, also beside a column of times.
  const isMidnight = !hasTimesOfDay(body, time) && new Set(timed).size <= timed.length / 2
  if (timed.length > body.length / 20 && !isMidnight) return { clocks: [], others: [] }
  const isClockColumn = (column: number) => {
    const texts = columnTexts(body, column)
    const isHeading = CLOCK_HEAD.test(headings[column] ?? '')
    // Without a time of 01:00 or later, digits are hours or numbers of intervals.
    const isBareAllowed = isHeading && texts.some((text) => !/^\d{1,2}$/.test(text))
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
export function numberColumn(
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
export function byNamedClock(
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
export function isOtherClock(
  body: Grid,
  time: DateColumn,
  other: DateColumn,
  headings: readonly string[],
): boolean {
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
export function endColumn(
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
