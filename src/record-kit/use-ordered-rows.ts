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
  const matchingRows = useMemo(() => {
    if (search.trim() === '') return rows ?? []
    const isMatch = matchesAllWords(search)
    return (rows ?? []).filter((row) => isMatch(columns.map((column) => textOf(column, row)).join('\n')))
  }, [rows, columns, search])

  return useMemo(() => {
    const column = columns.find(({ key }) => key === sort?.Sort)
    if (!column) return matchingRows
    const { compare } = new Intl.Collator(language, { numeric: true })
    const direction = sort?.Descending ? -1 : 1
    return matchingRows.toSorted((a, b) => {
      const [first, second] = [columnValueOf(column, a), columnValueOf(column, b)]
      return typeof first === 'number' && typeof second === 'number'
        ? direction * (first - second)
        : direction * compare(String(first), String(second))
    })
  }, [matchingRows, columns, sort?.Sort, sort?.Descending, language])
}
