import type { ResourceName } from '../../contract/index.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { pages } from '../providers/calls.ts'
import { textOf, type ListTableColumn, type TitledColumn } from './list/column.ts'
import type { RowOf } from './resource-types.ts'
import { useValueOrHook, type RecordScreen } from './screen.ts'

/** Columns of a record's list with their headings; a list that is not paged can be sorted by each. */
export function useColumns<N extends ResourceName>({
  resource,
  columns,
}: Pick<RecordScreen<N>, 'resource' | 'columns'>): readonly TitledColumn<RowOf<N>>[] {
  const t = useT()
  const paged = pages(resource)
  return useValueOrHook(columns).map((spec) => {
    const column: ListTableColumn<RowOf<N>> = typeof spec === 'object' ? spec : { key: spec }
    return {
      ...column,
      title: column.title ?? t(`resources:${resource}.fields.${column.key}`),
      ...(!paged && { sort: column.key }),
    }
  })
}

/** Name of a record: the text of the first column. */
export const nameIn = <Row extends object>(columns: readonly ListTableColumn<Row>[], row: Row): string =>
  String(textOf(columns[0] as ListTableColumn<Row>, row))

export function useWords<N extends ResourceName>({
  resource,
  words,
}: Pick<RecordScreen<N>, 'resource' | 'words'>) {
  const t = useT()
  const of = (key: 'list' | 'create' | 'empty') => t(`resources:${resource}.${key}`)
  const overrides = words?.() ?? {}
  return {
    list: overrides.list ?? of('list'),
    create: overrides.create ?? of('create'),
    empty: overrides.empty ?? of('empty'),
  }
}
