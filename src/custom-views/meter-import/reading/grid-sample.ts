import type { Cell, Grid } from '../../../lib/spreadsheet/grid.ts'
import { readHeading } from './headings.ts'
import { cellText } from './time.ts'

/** Number of lines at either end, and in between, on which the structure is detected. */
export const SAMPLED_LINES = 200

/** Minimum share of matching cells in a column. */
export const MIN_SHARE = 0.8

/** The same of numbers in a column of figures, and their minimum count. */
export const MIN_NUMBER_SHARE = 0.9

export const MIN_NUMBERS = 3

/** Lines at either end and in the middle; all of a short grid. */
export function sampleOf(grid: Grid): Grid {
  if (grid.length <= 3 * SAMPLED_LINES) return grid
  const middle = grid.length >> 1
  return [
    ...grid.slice(0, SAMPLED_LINES),
    ...grid.slice(middle, middle + SAMPLED_LINES),
    ...grid.slice(-SAMPLED_LINES),
  ]
}

/** Sample of the body, with lines that fill the columns that are almost empty in the sample. */
export function sampleBody(grid: Grid, first: number, width: number): Grid {
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

/** Texts of a column without blank cells. */
export const columnTexts = (body: Grid, column = -1): string[] =>
  body.map((line) => cellText(line[column])).filter((text) => text !== '')

/** Whether a column has names in its first line and in others, each above blank cells. */
export function isMerged(cells: readonly Cell[]): boolean {
  const names = cells.map(cellText).filter((text) => text !== '')
  return cellText(cells[0]) !== '' && names.length <= cells.length / 2 && new Set(names).size > 1
}

/** Whether a heading says nothing of energy: no unit, no kind and no direction. */
export const isUnstated = (heading: string): boolean => {
  const { unit, kind, direction } = readHeading(heading)
  return unit === undefined && kind === undefined && direction === undefined && heading.trim() !== ''
}

/** Whether two texts are the same in any case; blank ones are not. */
export const isSameText = (a: string, b: string): boolean => a !== '' && a.toLowerCase() === b.toLowerCase()
