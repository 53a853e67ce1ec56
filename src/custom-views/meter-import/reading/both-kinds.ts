import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import { type Columns, type MeterName, type ReadRows, readRows } from './rows.ts'

/** What a file comes to, in kWh, as readings of counters and as what was used; null where no row can be read so. */
export type BothKinds = Record<ImportKind, number | null>

/** What the rows of a file would come to, read in both ways, for a person to see which of them can be true. */
export const sumBothKinds = (
  grid: Grid,
  columns: Columns,
  meters: readonly MeterName[],
  now: number,
): BothKinds => {
  // What a column comes to does not depend on the meter that a person has yet to choose for it.
  const values = columns.values.map(({ column, uid }) => ({ column, uid: uid ?? `column ${column}` }))
  const read = (kind: ImportKind) => readRows(grid, { ...columns, values, kind }, meters, now)
  return { counter: moved(read('counter')), interval: used(read('interval')) }
}

const used = ({ values }: ReadRows): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)

/** What counters moved by, from their first to their last reading; a fall counts nothing. */
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
