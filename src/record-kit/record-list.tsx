import { hashKey } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { may as holds, SOMEWHERE } from '../../contract/kernel/permissions.ts'
import type { ResourceName } from '../../contract/index.ts'
import { call } from '../data/api.ts'
import { useSubject } from '../data/session.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { listCallOf, pages } from '../providers/calls.ts'
import { idOf } from '../providers/data.ts'
import { EmptyState } from '../ui/page/states.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { ListExport } from './export/list-export.tsx'
import { columnValueOf, type TitledColumn } from './list/column.ts'
import { ListFrame, ListRows } from './list/list-rows.tsx'
import type { LoadPage } from '../data/records.ts'
import { ManyRemoval, useRemove } from './removal.tsx'
import type { AnyRow, RowOf, FilterOf } from './resource-types.ts'
import { useValueOrHook, type RecordScreen, type ListFilter } from './screen.ts'
import { useColumnChoice } from './use-column-choice.ts'
import { nameIn, useColumns, useWords } from './use-columns.ts'
import { useMayDo } from './use-may-do.ts'
import { useOrderedRows, scopeIn, useRecords } from './use-records.ts'
import { ListViews } from './views/list-views.tsx'
import { LOCAL_DEBOUNCE_MS, SearchBox } from '../ui/inputs/search-box.tsx'
import { IconButton } from '../ui/page/icon-button.tsx'
import { readSort, useAddress } from '../ui/page/use-address.ts'
import { usePhone } from '../ui/page/use-screen.ts'

/** Maximum length of a search text, in characters. */
const MAX_SEARCH_LENGTH = 100

/** Search, filters and order of a record's list in the address. */
function useListParams<N extends ResourceName>(
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

interface RecordSearchProps<N extends ResourceName> {
  screen: Pick<RecordScreen<N>, 'search'>
  address: Pick<ReturnType<typeof useListParams>, 'search' | 'change'>
}

/** Search box of a record's list; the text is stored in the address. */
function RecordSearch<N extends ResourceName>({ screen, address }: RecordSearchProps<N>) {
  const t = useT()
  return (
    <SearchBox
      value={address.search}
      search={(q) => address.change({ q })}
      label={screen.search?.() ?? t('screens:list.search')}
      {...(!screen.search && { pause: LOCAL_DEBOUNCE_MS })}
    />
  )
}

interface Props<N extends ResourceName> {
  screen: RecordScreen<N>
  /** Primary button of the list; undefined for users who may not create records. */
  create: ReactNode
  /** Opens the form of a record; undefined if a row leads to a page of its own. */
  edit: ((row: RowOf<N>) => void) | undefined
}

/** List of a record: search, filters and order, which are stored in the address, saved views, export, and actions on rows. */
export function RecordList<N extends ResourceName>({ screen, create, edit }: Props<N>) {
  type Row = RowOf<N>
  const { resource, open, remove = {}, bulk, views, Actions, Menu } = screen
  const navigate = useNavigate()
  const scope = scopeIn(resource, useParams())
  const may = useMayDo(resource, screen.scope)
  const subject = useSubject()
  const phone = usePhone()
  const words = useWords(screen)
  const columns = useColumns(screen)
  const address = useListParams(screen, columns)
  const { filter, search, sort } = address
  const paged = pages(resource)
  const records = useRecords(resource, { filter, sort, scope })
  const ordered = useOrderedRows(records.rows, columns, paged ? '' : search, paged ? undefined : sort)
  const rows = paged ? records.rows : records.rows && ordered
  const { hidden, toggle } = useColumnChoice(resource)
  const confirmRemoval = useRemove(resource, remove)

  const keyOf = (row: Row) => idOf(resource, row as AnyRow)
  const nameOf = (row: Row) => nameIn(columns, row)
  const load: LoadPage<Row> | undefined = paged
    ? (pageInput, signal) => call(listCallOf(resource), { ...filter, ...sort, ...pageInput }, { signal })
    : undefined
  const removable = (row: Row) => may.remove && !remove.notInRows && (remove.when?.(row) ?? true)
  const mayBulk =
    bulk === 'remove'
      ? may.remove
      : subject !== undefined &&
        bulk?.requiredRights.some((right) => holds(subject, right.feature, right.operation, SOMEWHERE))
  const Bar = typeof bulk === 'object' ? bulk.Bar : undefined
  const change = edit ?? (open && ((row: Row) => void navigate(open(row))))
  const hasMenu = Menu !== undefined || (change && may.update) || (may.remove && !remove.notInRows)

  return (
    <ListFrame
      title={words.list}
      total={paged ? records.total : records.rows?.length}
      bar={{
        leading: (paged || records.rows?.length !== 0) && <RecordSearch screen={screen} address={address} />,
        filters: address.filters.map(({ bar }) => bar(address.get, address.change)),
      }}
      tools={
        <>
          {views && (
            <ListViews
              list={views}
              sorts={sortsOf(columns)}
              // Views describe days themselves.
              describe={(get) =>
                address.filters
                  .filter(({ params }) => !params.includes('from'))
                  .map(({ bar }) => bar(get, () => {}).chosenLabel)
              }
            />
          )}
          {screen.Tools && <screen.Tools />}
          {!paged && !phone && columns.length > 2 && (
            <ColumnMenu columns={columns.slice(1)} hidden={hidden} toggle={toggle} />
          )}
          <Export
            screen={screen}
            title={words.list}
            columns={columns}
            rows={load ? undefined : rows}
            load={load}
            total={records.total}
          />
          {create}
        </>
      }
    >
      <ListRows<Row>
        records={{ ...records, rows }}
        list={hashKey([resource, filter, sort])}
        columns={phone ? columns : columns.filter(({ key }, i) => i === 0 || !hidden.has(key))}
        keyOf={keyOf}
        label={words.list}
        sort={sort}
        onSort={address.sortBy}
        open={open && ((row) => void navigate(open(row)))}
        menu={
          hasMenu
            ? {
                nameOf,
                render: (row) => (
                  <>
                    {Menu && <Menu row={row} />}
                    <RecordActions
                      name={nameOf(row)}
                      edit={may.update ? change && (() => change(row)) : undefined}
                      remove={removable(row) ? () => confirmRemoval({ row, name: nameOf(row) }) : undefined}
                    />
                  </>
                ),
              }
            : undefined
        }
        renderActions={Actions && ((row) => <Actions row={row} />)}
        actionsWidth={screen.actionsWidth}
        bulk={
          mayBulk
            ? {
                nameOf,
                load,
                renderBar: (selectedRows, clear) =>
                  Bar ? (
                    <Bar rows={selectedRows} clear={clear} />
                  ) : (
                    <ManyRemoval {...{ screen, nameOf, clear }} rows={selectedRows} />
                  ),
              }
            : undefined
        }
        noMatch={
          address.isFiltered && (paged || records.total !== 0) && <NoMatch address={address} paged={paged} />
        }
        empty={<EmptyState drawing={screen.drawing} message={words.empty} next={create} />}
      />
    </ListFrame>
  )
}

function NoMatch({ address, paged }: { address: { search: string; clear: () => void }; paged: boolean }) {
  const t = useT()
  return (
    <EmptyState
      message={paged ? t('lists:page.noMatch') : t('screens:list.noMatch', { search: address.search })}
      next={
        <Button onClick={address.clear}>
          {t(paged ? 'screens:list.clearFilters' : 'screens:list.clearSearch')}
        </Button>
      }
    />
  )
}

const sortsOf = <Row,>(columns: readonly TitledColumn<Row>[]): Record<string, string> =>
  Object.fromEntries(columns.flatMap(({ sort, title }) => (sort === undefined ? [] : [[sort, title]])))

interface ExportProps<N extends ResourceName> {
  screen: RecordScreen<N>
  title: string
  columns: readonly TitledColumn<RowOf<N>>[]
  rows: readonly RowOf<N>[] | undefined
  load: LoadPage<RowOf<N>> | undefined
  total: number | undefined
}

/** Page size of an export. */
const PAGE_SIZE = 500

function Export<N extends ResourceName>({ screen, title, columns, rows, load, total }: ExportProps<N>) {
  const ownColumns = useValueOrHook(screen.exports?.columns)
  if (!screen.exports) return null
  return (
    <ListExport<RowOf<N>>
      name={title}
      right={screen.exports.requiredRight}
      rows={load ? (Cursor, signal) => load({ Limit: PAGE_SIZE, ...(Cursor && { Cursor }) }, signal) : rows}
      total={total}
      columns={
        ownColumns ??
        columns.map((column) => ({ title: column.title, of: (row) => columnValueOf(column, row) }))
      }
    />
  )
}

interface RecordActionsProps {
  /** Name of the record, for screen readers. */
  name: string
  edit: (() => void) | undefined
  remove: (() => void) | undefined
}

function RecordActions({ name, edit, remove }: RecordActionsProps) {
  const t = useT()
  return (
    <>
      {edit && <IconButton icon={<EditOutlined />} label={t('screens:list.edit', { name })} onPress={edit} />}
      {remove && (
        <IconButton
          danger
          icon={<DeleteOutlined />}
          label={t('screens:list.remove', { name })}
          onPress={remove}
        />
      )}
    </>
  )
}
