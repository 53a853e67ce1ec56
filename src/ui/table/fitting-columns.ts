/** Width of a column in px, and whether a table can omit it. */
export interface Needs {
  key: string
  /** Minimum width; defaults to `width`. */
  least?: number
  width: number
  /** Order in which a table that is too narrow omits columns, 1 first; a column without it stays, and the table scrolls horizontally. */
  leaves?: number
}

export const leastOf = ({ least, width }: Needs): number => least ?? width

/** Columns that fit side by side into `room` px, in their order; `least` is the minimum width of each, px. */
export function fittingColumns<Column extends Needs>(
  columns: readonly Column[],
  room: number,
  least: (column: Column) => number = leastOf,
): readonly Column[] {
  const first = columns
    .filter(({ leaves }) => leaves !== undefined)
    .toSorted((a, b) => (a.leaves as number) - (b.leaves as number))
  const left = new Set<Column>()
  let needed = columns.reduce((sum, column) => sum + least(column), 0)
  for (const column of first) {
    if (needed <= room) break
    left.add(column)
    needed -= least(column)
  }
  return left.size === 0 ? columns : columns.filter((column) => !left.has(column))
}
