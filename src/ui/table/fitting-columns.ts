/** What a column needs, in px, and whether a table can do without it. */
export interface Needs {
  key: string
  /** What it needs at least; else its width. */
  least?: number
  width: number
  /** That it leaves a table that is too narrow for all, 1 first; a column without it stays, and the table is scrolled sideways. */
  leaves?: number
}

export const leastOf = ({ least, width }: Needs): number => least ?? width

/** The columns that stand beside each other in `room` px, in their order; `least` is what each needs, px. */
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
