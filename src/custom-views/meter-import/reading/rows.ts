import { MAX_IMPORT_ROWS } from '../../../../contract/procedures/meter-import.ts'
import {
  importFault,
  type ImportFault,
  type ImportKind,
} from '../../../../contract/rules/meter/meter-import.ts'
import { after, QUARTER, startOf } from '../../../../contract/rules/energy/periods.ts'
import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import { parseNumber } from './number.ts'
import {
  detectFormat,
  isBareClock,
  isClock,
  joinTime,
  parseTime,
  type TimeFault,
  type TimeFormat,
} from './time.ts'

/** Units of energy in kWh. */
export const UNITS = { kWh: 1, Wh: 0.001, MWh: 1_000 } as const
export type Unit = keyof typeof UNITS

/** How long the intervals of a file are. */
export const INTERVALS = ['quarter', 'half', 'hour', 'day', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** What the columns of a file mean. */
export interface Mapping {
  /** Lines above the first row of values. */
  headLines: number
  timeColumn: number
  /** The column of the time of day, where that of the time holds the date alone; null where it holds both. */
  clockColumn: number | null
  format: TimeFormat
  /** The clock of the file. */
  zone: string
  kind: ImportKind
  unit: Unit
  interval: Interval
  /** Whether a time is the beginning or the end of its interval. */
  stamp: 'begin' | 'end'
  /** The column that names the meter by name or id; null where each column of values is of one meter. */
  meterColumn: number | null
  values: readonly { column: number; uid: string | null }[]
}

/** Why a cell is not taken: a reason of the reader, or of the rule that the gateway knows, too. */
export type RowFault = TimeFault | ImportFault | 'empty' | 'notNumber' | 'unknownMeter'
export interface RowProblem {
  /** As a spreadsheet numbers it, 1 the first. */
  line: number
  column: number
  reason: RowFault
  value: string
}

/** Rows by columns; all lists are of one length. */
export interface ReadRows {
  /** Place of the meter in `uids`. */
  meters: number[]
  timestamps: number[]
  quarters: number[]
  values: number[]
  /** Where each row stands in the file. */
  lines: number[]
  columns: number[]
  uids: string[]
  /** The first of the problems, and how many there are in all. */
  problems: RowProblem[]
  problemCount: number
  tooMany: boolean
}

/** Problems that are named one by one. */
const NAMED = 1_000
const SHOWN = 60

/** Turns the cells of a file into rows. A line without any value, e.g. between blocks, is passed over. */
export function readRows(
  grid: Grid,
  mapping: Mapping,
  meters: readonly { uid: string; name: string }[],
  now: number,
): ReadRows {
  const read: ReadRows = {
    meters: [],
    timestamps: [],
    quarters: [],
    values: [],
    lines: [],
    columns: [],
    uids: [],
    problems: [],
    problemCount: 0,
    tooMany: false,
  }
  const places = new Map<string, number>()
  const placeOf = (uid: string): number => {
    const known = places.get(uid)
    if (known !== undefined) return known
    places.set(uid, read.uids.push(uid) - 1)
    return read.uids.length - 1
  }
  const named = metersByName(meters)
  const wide = mapping.values.length > 1
  const refuse = (line: number, column: number, reason: RowFault, value: string) => {
    read.problemCount++
    if (read.problems.length < NAMED)
      read.problems.push({ line: line + 1, column, reason, value: value.slice(0, SHOWN) })
  }

  for (let line = mapping.headLines; line < grid.length; line++) {
    const cells = grid[line] as readonly string[]
    if (cells.every((cell) => cell.trim() === '')) continue
    const dateText = cells[mapping.timeColumn] ?? ''
    const clockText = mapping.clockColumn === null ? undefined : (cells[mapping.clockColumn] ?? '')
    if (mapping.clockColumn !== null && dateText.trim() !== '' && clockText?.trim() === '') {
      refuse(line, mapping.clockColumn, 'empty', '')
      continue
    }
    const timeText =
      clockText === undefined || dateText.trim() === '' ? dateText : joinTime(dateText, clockText)
    const moment = parseTime(timeText, mapping.format, mapping.zone)
    if (typeof moment === 'string') {
      refuse(line, mapping.timeColumn, timeText.trim() === '' ? 'empty' : moment, timeText)
      continue
    }
    const span = mapping.kind === 'counter' ? { timestamp: moment, quarters: 1 } : spanOf(moment, mapping)
    for (const { column, uid } of mapping.values) {
      const text = cells[column] ?? ''
      if (text.trim() === '') {
        // In a table of many meters a hole is a hole.
        if (!wide) refuse(line, column, 'empty', text)
        continue
      }
      const number = parseNumber(text)
      if (number === undefined) {
        refuse(line, column, 'notNumber', text)
        continue
      }
      const meterText = mapping.meterColumn === null ? '' : (cells[mapping.meterColumn] ?? '')
      const meter = mapping.meterColumn === null ? uid : named.get(plain(meterText))
      if (!meter) {
        refuse(line, mapping.meterColumn ?? column, 'unknownMeter', meterText)
        continue
      }
      const value = number * UNITS[mapping.unit]
      const fault = importFault(mapping.kind, { ...span, value }, now)
      if (fault) {
        const inTime = fault === 'future' || fault === 'tooOld' || fault === 'notQuarter'
        refuse(line, inTime ? mapping.timeColumn : column, fault, inTime ? timeText : text)
        continue
      }
      if (read.values.length >= MAX_IMPORT_ROWS) return { ...read, tooMany: true }
      read.meters.push(placeOf(meter))
      read.timestamps.push(span.timestamp)
      read.quarters.push(span.quarters)
      read.values.push(value)
      read.lines.push(line + 1)
      read.columns.push(column)
    }
  }
  return read
}

/** The beginning of an interval and how many quarters it has, on the clock of the file. */
function spanOf(moment: number, { interval, stamp, zone }: Mapping): { timestamp: number; quarters: number } {
  if (interval === 'day' || interval === 'month') {
    const begin = startOf(interval, stamp === 'end' ? moment - 1 : moment, zone)
    return { timestamp: begin, quarters: (after(interval, begin, zone) - begin) / QUARTER }
  }
  const quarters = { quarter: 1, half: 2, hour: 4 }[interval]
  return { timestamp: stamp === 'end' ? moment - quarters * QUARTER : moment, quarters }
}

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Meters by id and by name; a name that two of them have names none. */
function metersByName(meters: readonly { uid: string; name: string }[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  for (const { uid, name } of meters) found.set(plain(name), found.has(plain(name)) ? undefined : uid)
  for (const { uid } of meters) found.set(plain(uid), uid)
  return found
}

/** Headings of what a counter showed; others are of what was used. */
const COUNTER_HEAD = /累計|指數|讀數|讀值|counter|cumulative|accumulat|reading/i
/** Headings of what was used, whatever the figures look like. */
const USAGE_HEAD = /用電|耗電|usage|consum|energy/i
/** Figures that rise so often and never fall are of a counter: what is used goes up and down. */
const RISES = 6

/** Lines that are looked at to guess what a file means. */
const LOOKED_AT = 200

/**
 * A guess at what the columns mean, for a person to put right.
 *
 * meter  the one that a file without names is of, where that is known; of several nobody can guess which
 */
export function guessMapping(
  grid: Grid,
  meters: readonly { uid: string; name: string }[],
  zone: string,
  meter: string | undefined = meters.length === 1 ? meters[0]?.uid : undefined,
): Mapping & { sure: boolean } {
  const lines = grid.slice(0, LOOKED_AT)
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0)
  const columnOf = (column: number) => lines.map((line) => line[column] ?? '')
  const times = Array.from({ length: width }, (_, column) => {
    const texts = columnOf(column).filter((text) => text.trim() !== '')
    const found = detectFormat(texts)
    const read = texts.filter((text) => typeof parseTime(text, found.format, 'UTC') === 'number').length
    return { column, ...found, read }
  }).toSorted((a, b) => b.read - a.read)
  const [time = { column: 0, format: 'ymd' as const, sure: false, read: 0 }] = times
  const first = lines.findIndex(
    (line) => typeof parseTime(line[time.column] ?? '', time.format, 'UTC') === 'number',
  )
  const headLines = Math.max(0, first)
  const below = lines.slice(headLines)
  const named = metersByName(meters)
  const share = (column: number, holds: (text: string) => boolean) =>
    below.filter((line) => holds(line[column] ?? '')).length / Math.max(1, below.length)
  const heads = headLines > 0 ? (lines[headLines - 1] as readonly string[]) : []
  const clockColumn = clockOf(below, heads[time.column + 1] ?? '', time)
  const others = Array.from({ length: width }, (_, column) => column).filter(
    (column) => column !== time.column && column !== clockColumn,
  )
  const meterColumn = others.find((column) => share(column, (text) => Boolean(named.get(plain(text)))) > 0.5)
  const numeric = others.filter(
    (column) => column !== meterColumn && share(column, (text) => parseNumber(text) !== undefined) > 0.5,
  )
  const byHead = numeric.flatMap((column) => {
    const uid = named.get(plain(heads[column] ?? ''))
    return uid ? [{ column, uid }] : []
  })
  const single = { column: numeric[0] ?? others[0] ?? 0, uid: meter ?? null }
  const moments = below
    .slice(0, 50)
    .map((line) => {
      const date = line[time.column] ?? ''
      const text = clockColumn === null ? date : joinTime(date, line[clockColumn] ?? '')
      return parseTime(text, time.format, zone)
    })
    .filter((moment) => typeof moment === 'number')
  return {
    headLines,
    timeColumn: time.column,
    clockColumn,
    format: time.format,
    sure: time.sure,
    zone,
    kind: kindOf(
      byHead.length === 0 ? (heads[single.column] ?? '') : '',
      below.map((line) => parseNumber(line[(byHead[0] ?? single).column] ?? '')),
    ),
    unit: 'kWh',
    interval: intervalOf(moments),
    stamp: 'begin',
    meterColumn: byHead.length > 0 ? null : (meterColumn ?? null),
    values: byHead.length > 0 ? byHead : [single],
  }
}

/** Figures such as 0815 are a time of day under a heading that says so. */
const CLOCK_HEAD = /^\s*(?:抄表|量測|記錄|紀錄)?(?:時間|時刻|time|hour)\s*$/i
/** Of a column that holds times of day, so many cells are one: some may be broken. */
const MOSTLY = 0.8

/** The column right of the dates where it holds the time of day; null where the dates hold it, or nothing does. */
function clockOf(
  below: Grid,
  head: string,
  { column, format }: { column: number; format: TimeFormat },
): number | null {
  if (format === 'epoch' || below.some((line) => isTimed(line[column] ?? ''))) return null
  const clocks = below.map((line) => line[column + 1] ?? '').filter((text) => text.trim() !== '')
  const found = clocks.filter((text) => isClock(text) || (CLOCK_HEAD.test(head) && isBareClock(text)))
  return clocks.length > 0 && found.length >= MOSTLY * clocks.length ? column + 1 : null
}
const isTimed = (text: string): boolean => /\d[:：]\d/.test(text) || /^\d{8}[T\s]?\d{4}/.test(text.trim())

/** The column to the right of those that are values already; where that was the last one, the first that has no meaning yet. */
export function nextColumn({ timeColumn, clockColumn, values }: Mapping, width: number): number {
  const used = new Set([timeColumn, clockColumn, ...values.map(({ column }) => column)])
  const right = Math.max(...values.map(({ column }) => column)) + 1
  const others = Array.from({ length: width }, (_, column) => column)
  return [...others.slice(right), ...others].find((column) => !used.has(column)) ?? 0
}

/** What figures are by the heading above them, where it says so; else by whether they ever fall. */
function kindOf(head: string, figures: readonly (number | undefined)[]): ImportKind {
  if (COUNTER_HEAD.test(head)) return 'counter'
  const known = figures.filter((figure) => figure !== undefined)
  const steps = known.slice(1).map((figure, i) => figure - (known[i] as number))
  const rises = steps.every((step) => step >= 0) && steps.filter((step) => step > 0).length >= RISES
  return rises && !USAGE_HEAD.test(head) ? 'counter' : 'interval'
}

/** The interval that lies between most neighbours. */
function intervalOf(moments: readonly number[]): Interval {
  const steps = moments
    .slice(1)
    .map((moment, index) => (moment - (moments[index] as number)) / QUARTER)
    .filter((step) => step > 0)
    .toSorted((a, b) => a - b)
  const middle = steps[Math.floor(steps.length / 2)] ?? 1
  if (middle <= 1) return 'quarter'
  if (middle <= 2) return 'half'
  if (middle <= 8) return 'hour'
  return middle <= 200 ? 'day' : 'month'
}
