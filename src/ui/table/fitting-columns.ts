/** Width of a column in px, and whether a table can omit it. */
export interface FittingColumn {
  key: string
  /** Minimum width; defaults to `width`. */
  minWidth?: number
  width: number
  /** Order in which a table that is too narrow omits columns, 1 first; a column without it stays, and the table scrolls horizontally. */
  omitOrder?: number
}

export const defaultMinWidth = ({ minWidth, width }: FittingColumn): number => minWidth ?? width

/** Columns that fit side by side into `availableWidth` px, in their order; `minWidthOf` returns the minimum width of each, px. */
export function fittingColumns<Column extends FittingColumn>(
  columns: readonly Column[],
  availableWidth: number,
  minWidthOf: (column: Column) => number = defaultMinWidth,
): readonly Column[] {
  const first = columns
    .filter(({ omitOrder }) => omitOrder !== undefined)
    .toSorted((a, b) => (a.omitOrder as number) - (b.omitOrder as number))
  const omitted = new Set<Column>()
  let neededWidth = columns.reduce((sum, column) => sum + minWidthOf(column), 0)
  for (const column of first) {
    if (neededWidth <= availableWidth) break
    omitted.add(column)
    neededWidth -= minWidthOf(column)
  }
  return omitted.size === 0 ? columns : columns.filter((column) => !omitted.has(column))
}
