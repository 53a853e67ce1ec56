import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import { guessKind, type KindGuess } from './guess-kind.ts'
import { parseNumber } from './number.ts'
import {
  type Columns,
  type Interval,
  type MeterName,
  metersByName,
  stripSeparators,
  timeTextOf,
} from './rows.ts'
import { detectFormat, isBareClock, isClock, parseTime, type TimeFormat } from './time.ts'

/** Lines at either end that are looked at to guess what a file means. */
const LOOKED_AT = 200
/** A column holds figures when so many of its cells that are not blank do, and at least so many. */
const MOST_FIGURES = 0.9
const LEAST_FIGURES = 3

/** What a file seems to mean. `sure` is false where its dates can be read in two ways. */
export type Guess = Columns & KindGuess & { sure: boolean }

/**
 * A guess at what the columns mean, for a person to put right.
 *
 * meter  the one that a file without names is of, where that is known; of several nobody can guess which
 */
export function guessMapping(
  grid: Grid,
  meters: readonly MeterName[],
  zone: string,
  meter: string | undefined = meters.length === 1 ? meters[0]?.uid : undefined,
): Guess {
  const lines = [...grid.slice(0, LOOKED_AT), ...grid.slice(LOOKED_AT).slice(-LOOKED_AT)]
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
  const cellsOf = (column: number) => below.map((line) => line[column] ?? '')
  const share = (column: number, holds: (text: string) => boolean) =>
    cellsOf(column).filter(holds).length / Math.max(1, below.length)
  const heads = headLines > 0 ? (lines[headLines - 1] as readonly string[]) : []
  const clockColumn = clockOf(below, heads[time.column + 1] ?? '', time)
  const others = Array.from({ length: width }, (_, column) => column).filter(
    (column) => column !== time.column && column !== clockColumn,
  )
  const meterColumn = others.find(
    (column) => share(column, (text) => Boolean(named.get(stripSeparators(text)))) > 0.5,
  )
  const numeric = others.filter((column) => column !== meterColumn && isNumeric(cellsOf(column)))
  const byHead = numeric.map((column) => ({
    column,
    uid: named.get(stripSeparators(heads[column] ?? '')) ?? null,
  }))
  const isWide = numeric.length > 1 && (meterColumn === undefined || byHead.some(({ uid }) => uid !== null))
  const [only = { column: others[0] ?? 0, uid: null }] = byHead
  const columns: Columns = {
    headLines,
    timeColumn: time.column,
    clockColumn,
    format: time.format,
    zone,
    unit: 'kWh',
    interval: 'quarter',
    stamp: 'begin',
    meterColumn: isWide ? null : (meterColumn ?? null),
    values: isWide ? byHead : [{ ...only, uid: only.uid ?? meter ?? null }],
  }
  return { ...columns, sure: time.sure, ...seriesGuess(grid, columns, heads) }
}

/** Whether nearly all cells that are not blank hold figures, and more than a few do; of a short file, half of its lines. */
function isNumeric(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const figures = filled.filter((cell) => parseNumber(cell) !== undefined).length
  return figures >= MOST_FIGURES * filled.length && figures >= Math.min(LEAST_FIGURES, cells.length / 2)
}

/** What follows from the figures in the order of their time: the rows of a file may stand in any. */
function seriesGuess(
  grid: Grid,
  columns: Columns,
  heads: readonly string[],
): KindGuess & Pick<Columns, 'interval'> {
  const timed = grid
    .slice(columns.headLines)
    .map((cells) => ({
      cells,
      moment: parseTime(timeTextOf(cells, columns) ?? '', columns.format, columns.zone),
    }))
    .filter((row): row is { cells: readonly string[]; moment: number } => typeof row.moment === 'number')
    .toSorted((a, b) => a.moment - b.moment)
  const series = new Map<string, number[]>()
  for (const { cells } of timed)
    for (const { column } of columns.values) {
      const figure = parseNumber(cells[column] ?? '')
      if (figure === undefined) continue
      const key = `${column} ${columns.meterColumn === null ? '' : stripSeparators(cells[columns.meterColumn] ?? '')}`
      const known = series.get(key)
      if (known) known.push(figure)
      else series.set(key, [figure])
    }
  const said = columns.values.map(({ column, uid }) =>
    // A column that is headed by its meter's name is not told by it what it holds.
    columns.values.length > 1 && uid !== null ? '' : (heads[column] ?? ''),
  )
  return {
    ...guessKind(said, [...series.values()]),
    interval: intervalOf(timed.map(({ moment }) => moment)),
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

/** The interval that lies between most neighbours. */
function intervalOf(moments: readonly number[]): Interval {
  const steps = moments
    .slice(1)
    .map((moment, index) => (moment - (moments[index] as number)) / QUARTER_MS)
    .filter((step) => step > 0)
    .toSorted((a, b) => a - b)
  const middle = steps[Math.floor(steps.length / 2)] ?? 1
  if (middle <= 1) return 'quarter'
  if (middle <= 2) return 'half'
  if (middle <= 8) return 'hour'
  return middle <= 200 ? 'day' : 'month'
}
