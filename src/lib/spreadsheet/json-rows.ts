import { FileRefused, MAX_COLUMNS } from './file-fault.ts'
import { addRow, type Cell, isTooWide, type RecordRows, skipRecord } from './grid.ts'

/** Values by the names of their columns. */
export type JsonColumns = ReadonlyMap<string, unknown>

/** Builder of rows whose heading grows with the names of their columns. */
export interface RowBuilder {
  rows: RecordRows
  /**
   * Adds a row.
   *
   * columns    undefined if the element cannot be a row, which is recorded
   * constants  columns that every row of a list has in addition
   */
  add(line: number, columns: JsonColumns | undefined, element: unknown, constants?: JsonColumns): void
}

export function createRowBuilder(rows: RecordRows): RowBuilder {
  const places = new Map<string, number>()
  const heading = rows.grid[0] as Cell[]
  const placeOf = (name: string): number => {
    const known = places.get(name)
    if (known !== undefined) return known
    if (heading.length >= MAX_COLUMNS || isTooWide([name])) throw new FileRefused('tooWide')
    places.set(name, heading.push(name) - 1)
    return heading.length - 1
  }
  return {
    rows,
    add(line, columns, element, constants) {
      if (!columns) return skipRecord(rows, line, 'notFlat', JSON.stringify(element))
      const cells: Cell[] = []
      const set = (name: string, value: unknown) => {
        const place = placeOf(name)
        while (cells.length <= place) cells.push('')
        cells[place] = cellOf(value)
      }
      for (const [name, value] of columns) set(name, value)
      if (cells.length === 0) return
      for (const [name, value] of constants ?? []) set(columns.has(name) ? `${name} 2` : name, value)
      addRow(rows, line, cells)
    },
  }
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value)
}
