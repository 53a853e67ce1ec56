import { useMemo } from 'react'
import { matchesAllWords } from '../lib/match-words.ts'
import { useLanguage } from '../lib/i18n/i18n.ts'
import { textOf, columnValueOf, type ListTableColumn } from './list/column.ts'

/**
 * Rows that contain the search text in any column, sorted by one column.
 *
 * sort  by a column's key; without it rows keep their order
 */
export function useOrderedRows<Row extends object>(
  rows: readonly Row[] | undefined,
  columns: readonly ListTableColumn<Row>[],
  search: string,
  sort: { Sort: string; Descending: boolean } | undefined,
): readonly Row[] {
  const language = useLanguage()
  const found = useMemo(() => {
    if (search.trim() === '') return rows ?? []
    const holds = matchesAllWords(search)
    return (rows ?? []).filter((row) => holds(columns.map((column) => textOf(column, row)).join('\n')))
  }, [rows, columns, search])

  return useMemo(() => {
    const column = columns.find(({ key }) => key === sort?.Sort)
    if (!column) return found
    const { compare } = new Intl.Collator(language, { numeric: true })
    const way = sort?.Descending ? -1 : 1
    return found.toSorted((a, b) => {
      const [first, second] = [columnValueOf(column, a), columnValueOf(column, b)]
      return typeof first === 'number' && typeof second === 'number'
        ? way * (first - second)
        : way * compare(String(first), String(second))
    })
  }, [found, columns, sort?.Sort, sort?.Descending, language])
}
