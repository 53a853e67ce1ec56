import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import { type Columns, type MeterName, type ReadRows, readRows } from './rows.ts'

/** Energy of a file in kWh, read as counter readings and as consumption; null if no row can be read that way. */
export type BothKinds = Record<ImportKind, number | null>

/** Energy of a file's rows, read both ways, so that the user sees which one is plausible. */
export const sumBothKinds = (
  grid: Grid,
  columns: Columns,
  meters: readonly MeterName[],
  now: number,
): BothKinds => {
  // The sum of a column does not depend on the meter that is yet to be chosen.
  const values = columns.values.map(({ column, uid }) => ({ column, uid: uid ?? `column ${column}` }))
  const read = (kind: ImportKind) => readRows(grid, { ...columns, values, kind }, meters, now)
  return { counter: moved(read('counter')), interval: usedSum(read('interval')) }
}

const usedSum = ({ values }: ReadRows): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)

/** Increase of the counters from first to last reading; decreases count as zero. */
function moved({ meters, timestamps, values }: ReadRows): number | null {
  const order = values
    .map((_, row) => row)
    .toSorted(
      (a, b) =>
        (meters[a] as number) - (meters[b] as number) ||
        (timestamps[a] as number) - (timestamps[b] as number),
    )
  let [sum, pairs] = [0, 0]
  for (const [place, row] of order.entries()) {
    const before = order[place - 1]
    if (before === undefined || meters[before] !== meters[row]) continue
    sum += Math.max(0, (values[row] as number) - (values[before] as number))
    pairs++
  }
  return pairs === 0 ? null : sum
}
