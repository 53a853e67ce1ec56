import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { type Cell, type Grid, textAt } from '../../../lib/spreadsheet/grid.ts'
import { guessKind, type KindGuess } from './guess-kind.ts'
import {
  parseNumber,
  type Columns,
  type Interval,
  type MeterName,
  metersByName,
  stripSeparators,
  timeTextOf,
} from './rows.ts'
import { detectFormat, isBareClock, isClock, parseTime, type TimeFormat } from './time.ts'

/** Number of lines at either end that the guess uses. */
const MAX_SAMPLED_LINES = 200
/** Minimum share and number of numeric cells among the nonblank ones of a column of values. */
const MIN_FIGURE_SHARE = 0.9
const MIN_FIGURES = 3

/** Guessed meaning of a file. `sure` is false if its dates are ambiguous. */
export type Guess = Columns & KindGuess & { sure: boolean }

/**
 * Guessed meaning of the columns, for the user to correct.
 *
 * meter  meter of a file without meter names, if known; not guessed if there are several
 */
export function guessMapping(
  grid: Grid,
  meters: readonly MeterName[],
  zone: string,
  meter: string | undefined = meters.length === 1 ? meters[0]?.uid : undefined,
): Guess {
  const lines = [
    ...grid.slice(0, MAX_SAMPLED_LINES),
    ...grid.slice(MAX_SAMPLED_LINES).slice(-MAX_SAMPLED_LINES),
  ]
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), 0)
  const columnOf = (column: number) => lines.map((line) => textAt(line, column))
  const times = Array.from({ length: width }, (_, column) => {
    const texts = columnOf(column).filter((text) => text.trim() !== '')
    const detected = detectFormat(texts)
    const read = texts.filter((text) => typeof parseTime(text, detected.format, 'UTC') === 'number').length
    return { column, ...detected, read }
  }).toSorted((a, b) => b.read - a.read)
  const [time = { column: 0, format: 'ymd' as const, sure: false, read: 0 }] = times
  const first = lines.findIndex(
    (line) => typeof parseTime(textAt(line, time.column), time.format, 'UTC') === 'number',
  )
  const headLines = Math.max(0, first)
  const below = lines.slice(headLines)
  const named = metersByName(meters)
  const cellsOf = (column: number) => below.map((line) => textAt(line, column))
  const share = (column: number, isMatch: (text: string) => boolean) =>
    cellsOf(column).filter(isMatch).length / Math.max(1, below.length)
  const heads = headLines > 0 ? (lines[headLines - 1] as readonly Cell[]).map(String) : []
  const clockColumn = clockOf(below, heads[time.column + 1] ?? '', time)
  const otherColumns = Array.from({ length: width }, (_, column) => column).filter(
    (column) => column !== time.column && column !== clockColumn,
  )
  const meterColumn = otherColumns.find(
    (column) => share(column, (text) => Boolean(named.get(stripSeparators(text)))) > 0.5,
  )
  const numeric = otherColumns.filter((column) => column !== meterColumn && isNumeric(cellsOf(column)))
  const byHead = numeric.map((column) => ({
    column,
    uid: named.get(stripSeparators(heads[column] ?? '')) ?? null,
  }))
  const isWide = numeric.length > 1 && (meterColumn === undefined || byHead.some(({ uid }) => uid !== null))
  const [onlyColumn = { column: otherColumns[0] ?? 0, uid: null }] = byHead
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
    values: isWide ? byHead : [{ ...onlyColumn, uid: onlyColumn.uid ?? meter ?? null }],
  }
  return { ...columns, sure: time.sure, ...seriesGuess(grid, columns, heads) }
}

/** Whether almost all nonblank cells are numbers, and at least a few; in a short file half of the lines. */
function isNumeric(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const figures = filled.filter((cell) => parseNumber(cell) !== undefined).length
  return figures >= MIN_FIGURE_SHARE * filled.length && figures >= Math.min(MIN_FIGURES, cells.length / 2)
}

/** Guess from the values by time, because rows may be in any order. */
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
    .filter((row): row is { cells: readonly Cell[]; moment: number } => typeof row.moment === 'number')
    .toSorted((a, b) => a.moment - b.moment)
  const series = new Map<string, number[]>()
  for (const { cells } of timed)
    for (const { column } of columns.values) {
      const figure = parseNumber(textAt(cells, column))
      if (figure === undefined) continue
      const key = `${column} ${columns.meterColumn === null ? '' : stripSeparators(textAt(cells, columns.meterColumn))}`
      const knownValues = series.get(key)
      if (knownValues) knownValues.push(figure)
      else series.set(key, [figure])
    }
  const values = columns.values.map(({ column, uid }) =>
    // A heading with the meter's name does not indicate the kind.
    columns.values.length > 1 && uid !== null ? '' : (heads[column] ?? ''),
  )
  return {
    ...guessKind(values, [...series.values()]),
    interval: intervalOf(timed.map(({ moment }) => moment)),
  }
}

/** Headings under which values such as 0815 are a time of day. */
const CLOCK_HEAD = /^\s*(?:抄表|量測|記錄|紀錄)?(?:時間|時刻|time|hour)\s*$/i
/** Minimum share of valid cells in a column of times of day. */
const MIN_MATCH_SHARE = 0.8

/** Column to the right of the dates if it contains the time of day; null if the dates contain it, or there is none. */
function clockOf(
  below: Grid,
  head: string,
  { column, format }: { column: number; format: TimeFormat },
): number | null {
  if (format === 'epoch' || below.some((line) => isTimed(textAt(line, column)))) return null
  const clocks = below.map((line) => textAt(line, column + 1)).filter((text) => text.trim() !== '')
  const clockTexts = clocks.filter((text) => isClock(text) || (CLOCK_HEAD.test(head) && isBareClock(text)))
  return clocks.length > 0 && clockTexts.length >= MIN_MATCH_SHARE * clocks.length ? column + 1 : null
}
const isTimed = (text: string): boolean => /\d[:：]\d/.test(text) || /^\d{8}[T\s]?\d{4}/.test(text.trim())

/** The most common interval between neighbors. */
function intervalOf(moments: readonly number[]): Interval {
  const steps = moments
    .slice(1)
    .map((moment, index) => (moment - (moments[index] as number)) / QUARTER_MS)
    .filter((step) => step > 0)
    .toSorted((a, b) => a - b)
  const medianStep = steps[Math.floor(steps.length / 2)] ?? 1
  if (medianStep <= 1) return 'quarter'
  if (medianStep <= 2) return 'half'
  if (medianStep <= 8) return 'hour'
  return medianStep <= 200 ? 'day' : 'month'
}
