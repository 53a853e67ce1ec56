import { DAY_MS } from '../../../../contract/time/periods.ts'
import type { Cell, Grid } from '../../../lib/spreadsheet/grid.ts'
import { isNumber } from './numbers.ts'
import { type DateColumn, MIN_MATRIX_COLUMNS } from './time-columns.ts'
import { cellText, readTimeOfDay, splitRange } from './time.ts'

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

const DAY_COUNTS = new Set([23, 24, 25, 46, 48, 50, 92, 96, 100, 144, 288, 1_440])

const NUMBERED = /^(?:hh?|hr|hour|q|第)?\s*0*(\d{1,4})\s*(?:時|点|點|h|期)?$/i

/** Table of days: a row of headings with the times of day, or the numbers of the intervals. */
export function matrixOf(
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
