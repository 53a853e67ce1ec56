import { MAX_IMPORT_ROWS } from '../../../../contract/meters/import-calls.ts'
import { importFault, type ImportFault, type ImportKind } from '../../../../contract/meters/meter-import.ts'
import { nextStart, QUARTER_MS, startOf } from '../../../../contract/time/periods.ts'
import { type Cell, type Grid, textAt } from '../../../lib/spreadsheet/grid.ts'
import { joinTime, parseTime, type TimeFault, type TimeFormat } from './time.ts'

const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i
const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/

/** Number in a cell, or undefined. Formulas are text and give undefined. */
export function parseNumber(text: string): number | undefined {
  const clean = text.normalize('NFKC').trim()
  if (PLAIN_NUMBER.test(clean)) return Number(clean)
  return GROUPED.test(clean) ? Number(clean.replaceAll(',', '')) : undefined
}

/** Units of energy in kWh. */
export const UNITS = { kWh: 1, Wh: 0.001, MWh: 1_000 } as const
export type Unit = keyof typeof UNITS

export const INTERVALS = ['quarter', 'half', 'hour', 'day', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

export interface MeterName {
  uid: string
  name: string
}

/** Meaning of a file's columns, without the kind of its values. */
export interface Columns {
  /** Number of lines above the first row of values. */
  headLines: number
  timeColumn: number
  /** Column of the time of day, if `timeColumn` contains only the date; null if it contains both. */
  clockColumn: number | null
  format: TimeFormat
  zone: string
  unit: Unit
  interval: Interval
  /** Whether a time is the start or the end of its interval. */
  stamp: 'begin' | 'end'
  /** Column with the name or id of the meter; null if each column of values belongs to one meter. */
  meterColumn: number | null
  values: readonly { column: number; uid: string | null }[]
}
export type Mapping = Columns & { kind: ImportKind }

/** Reason that a cell is rejected, by the reader or by the rule shared with the gateway. */
export type RowFault = TimeFault | ImportFault | 'empty' | 'notNumber' | 'unknownMeter'
export interface RowProblem {
  /** Line number as in a spreadsheet, from 1. */
  line: number
  column: number
  reason: RowFault
  value: string
}

/** Rows as parallel arrays of equal length. */
export interface ReadRows {
  /** Index of the meter in `uids`. */
  meters: number[]
  timestamps: number[]
  quarters: number[]
  values: number[]
  /** Line of each row in the file. */
  lines: number[]
  columns: number[]
  uids: string[]
  /** The first problems, and their total number. */
  problems: RowProblem[]
  problemCount: number
  tooMany: boolean
}

/** Maximum number of problems listed. */
const MAX_NAMED_FAULTS = 1_000
const MAX_SHOWN_CHARACTERS = 60

/** Reads the cells of a file into rows. Lines without any value, e.g. between blocks, are skipped. */
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
    const knownPlace = places.get(uid)
    if (knownPlace !== undefined) return knownPlace
    places.set(uid, read.uids.push(uid) - 1)
    return read.uids.length - 1
  }
  const named = metersByName(meters)
  const isWide = mapping.values.length > 1
  const refuse = (line: number, column: number, reason: RowFault, value: string) => {
    read.problemCount++
    if (read.problems.length < MAX_NAMED_FAULTS)
      read.problems.push({ line: line + 1, column, reason, value: value.slice(0, MAX_SHOWN_CHARACTERS) })
  }

  for (let line = mapping.headLines; line < grid.length; line++) {
    const cells = grid[line] as readonly Cell[]
    if (cells.every((cell) => String(cell).trim() === '')) continue
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
      const text = textAt(cells, column)
      if (text.trim() === '') {
        // In a table with a column per meter, an empty cell is a gap, not a problem.
        if (!isWide) refuse(line, column, 'empty', text)
        continue
      }
      const number = parseNumber(text)
      if (number === undefined) {
        refuse(line, column, 'notNumber', text)
        continue
      }
      const meterText = mapping.meterColumn === null ? '' : textAt(cells, mapping.meterColumn)
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

/** Date and time of a line; undefined if the time of day is missing. */
export function timeTextOf(
  cells: readonly Cell[],
  { timeColumn, clockColumn }: Pick<Mapping, 'timeColumn' | 'clockColumn'>,
): string | undefined {
  const date = textAt(cells, timeColumn)
  if (clockColumn === null || date.trim() === '') return date
  const clock = textAt(cells, clockColumn)
  return clock.trim() === '' ? undefined : joinTime(date, clock)
}

/** Start of an interval and its number of quarter hours, in the file's time zone. */
function spanOf(moment: number, { interval, stamp, zone }: Mapping): { timestamp: number; quarters: number } {
  if (interval === 'day' || interval === 'month') {
    const startMs = startOf(interval, stamp === 'end' ? moment - 1 : moment, zone)
    return { timestamp: startMs, quarters: (nextStart(interval, startMs, zone) - startMs) / QUARTER_MS }
  }
  const quarters = { quarter: 1, half: 2, hour: 4 }[interval]
  return { timestamp: stamp === 'end' ? moment - quarters * QUARTER_MS : moment, quarters }
}

/** Normalized name for comparison: width, case and surrounding blanks are ignored. */
export const stripSeparators = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Meters by id and by name; a name shared by two meters identifies none. */
export function metersByName(meters: readonly MeterName[]): Map<string, string | undefined> {
  const timeZones = new Map<string, string | undefined>()
  for (const { uid, name } of meters)
    timeZones.set(stripSeparators(name), timeZones.has(stripSeparators(name)) ? undefined : uid)
  for (const { uid } of meters) timeZones.set(stripSeparators(uid), uid)
  return timeZones
}

/** First unused column to the right of the value columns, else the first unused one. */
export function nextColumn({ timeColumn, clockColumn, values }: Columns, width: number): number {
  const usedColumns = new Set([timeColumn, clockColumn, ...values.map(({ column }) => column)])
  const right = Math.max(...values.map(({ column }) => column)) + 1
  const otherColumns = Array.from({ length: width }, (_, column) => column)
  return [...otherColumns.slice(right), ...otherColumns].find((column) => !usedColumns.has(column)) ?? 0
}
