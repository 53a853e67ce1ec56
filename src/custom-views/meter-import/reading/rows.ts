import { MAX_IMPORT_ROWS } from '../../../../contract/meters/import-calls.ts'
import { importFault, type ImportFault, type ImportKind } from '../../../../contract/meters/meter-import.ts'
import { nextStart, QUARTER_MS, startOf } from '../../../../contract/time/periods.ts'
import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import { parseNumber } from './number.ts'
import { joinTime, parseTime, type TimeFault, type TimeFormat } from './time.ts'

/** Units of energy in kWh. */
export const UNITS = { kWh: 1, Wh: 0.001, MWh: 1_000 } as const
export type Unit = keyof typeof UNITS

/** How long the intervals of a file are. */
export const INTERVALS = ['quarter', 'half', 'hour', 'day', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

export interface MeterName {
  uid: string
  name: string
}

/** What the columns of a file mean, but whether they hold readings or what was used. */
export interface Columns {
  /** Lines above the first row of values. */
  headLines: number
  timeColumn: number
  /** The column of the time of day, where that of the time holds the date alone; null where it holds both. */
  clockColumn: number | null
  format: TimeFormat
  /** The clock of the file. */
  zone: string
  unit: Unit
  interval: Interval
  /** Whether a time is the beginning or the end of its interval. */
  stamp: 'begin' | 'end'
  /** The column that names the meter by name or id; null where each column of values is of one meter. */
  meterColumn: number | null
  values: readonly { column: number; uid: string | null }[]
}
export type Mapping = Columns & { kind: ImportKind }

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
export function readRows(grid: Grid, mapping: Mapping, meters: readonly MeterName[], now: number): ReadRows {
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
    const timeText = timeTextOf(cells, mapping)
    if (timeText === undefined) {
      refuse(line, mapping.clockColumn ?? mapping.timeColumn, 'empty', '')
      continue
    }
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
      const meter = mapping.meterColumn === null ? uid : named.get(stripSeparators(meterText))
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

/** What a line says of its time; undefined where it has a date without the time of day that it should have. */
export function timeTextOf(
  cells: readonly string[],
  { timeColumn, clockColumn }: Pick<Mapping, 'timeColumn' | 'clockColumn'>,
): string | undefined {
  const date = cells[timeColumn] ?? ''
  if (clockColumn === null || date.trim() === '') return date
  const clock = cells[clockColumn] ?? ''
  return clock.trim() === '' ? undefined : joinTime(date, clock)
}

/** The beginning of an interval and how many quarters it has, on the clock of the file. */
function spanOf(moment: number, { interval, stamp, zone }: Mapping): { timestamp: number; quarters: number } {
  if (interval === 'day' || interval === 'month') {
    const begin = startOf(interval, stamp === 'end' ? moment - 1 : moment, zone)
    return { timestamp: begin, quarters: (nextStart(interval, begin, zone) - begin) / QUARTER_MS }
  }
  const quarters = { quarter: 1, half: 2, hour: 4 }[interval]
  return { timestamp: stamp === 'end' ? moment - quarters * QUARTER_MS : moment, quarters }
}

/** A name as it is compared: width, case and blanks aside. */
export const stripSeparators = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Meters by id and by name; a name that two of them have names none. */
export function metersByName(meters: readonly MeterName[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  for (const { uid, name } of meters)
    found.set(stripSeparators(name), found.has(stripSeparators(name)) ? undefined : uid)
  for (const { uid } of meters) found.set(stripSeparators(uid), uid)
  return found
}

/** The column to the right of those that are values already; where that was the last one, the first that has no meaning yet. */
export function nextColumn({ timeColumn, clockColumn, values }: Columns, width: number): number {
  const used = new Set([timeColumn, clockColumn, ...values.map(({ column }) => column)])
  const right = Math.max(...values.map(({ column }) => column)) + 1
  const others = Array.from({ length: width }, (_, column) => column)
  return [...others.slice(right), ...others].find((column) => !used.has(column)) ?? 0
}
