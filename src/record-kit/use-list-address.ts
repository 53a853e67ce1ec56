import type { ResourceName } from '../../contract/index.ts'
import { pages } from '../providers/calls.ts'
import { readSort, useAddress } from '../ui/page/use-address.ts'
import type { TitledColumn } from './list/column.ts'
import type { FilterOf, RowOf } from './resource-types.ts'
import { useValueOrHook, type ListFilter, type RecordScreen } from './screen.ts'

/** Maximum length of a search text, in characters. */
const MAX_SEARCH_LENGTH = 100

/** Search, filters and order of a record's list in the address. */
export function useListParams<N extends ResourceName>(
  screen: RecordScreen<N>,
  columns: readonly TitledColumn<RowOf<N>>[],
) {
  const { get, change } = useAddress()
  const filters: readonly ListFilter<FilterOf<N>>[] = useValueOrHook(screen.filters ?? [])
  const paged = pages(screen.resource)
  const sorts = columns.flatMap(({ sort }) => (sort === undefined ? [] : [sort]))
  const sort = readSort(sorts, get('sort')) ?? screen.sort
  const search = get('q')
  const filter = Object.assign(
    { ...screen.scope, ...(paged && { Search: search.slice(0, MAX_SEARCH_LENGTH) }) },
    ...filters.map((spec) => spec.read(get)),
  ) as FilterOf<N>
  const names = ['q', ...filters.flatMap(({ params }) => params)]
  return {
    get,
    change,
    filters,
    filter,
    search,
    sort,
    /** Handles a click on a heading; a list that is not paged returns to its original order after descending. */
    sortBy: (by: string) => {
      const isDescending = sort?.Sort === by && sort.Descending
      const next = sort?.Sort !== by || isDescending ? by : `-${by}`
      change({ sort: isDescending && !paged ? undefined : next })
    },
    isFiltered: search.trim() !== '' || filters.some((spec) => Object.values(spec.read(get)).some(narrows)),
    clear: () => change(Object.fromEntries(names.map((name) => [name, undefined]))),
  }
}

const narrows = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0)
