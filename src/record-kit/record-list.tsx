import { Button, Grid } from 'antd'
import { useCallback, useMemo, type ReactNode } from 'react'
import type { Right } from '../../contract/features.ts'
import type { ResourceName } from '../../contract/index.ts'
import type { ViewedList } from '../../contract/rules/view-query.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { KeptBar } from './bulk/kept-bar.tsx'
import { ListExport } from './export/list-export.tsx'
import type { Bulk } from './paged-list/paged-list.tsx'
import { SearchBox } from '../ui/inputs/search-box.tsx'
import { readSort, useAddress } from '../ui/page/use-address.ts'
import { Tick } from '../ui/table/tick.tsx'
import { useChoice } from '../ui/table/use-choice.ts'
import { ListViews } from './views/list-views.tsx'
import { ColumnMenu } from './column-menu.tsx'
import styles from './crud.module.css'
import { textOf, type Column } from './list-column.ts'
import { RecordActions } from './record-actions.tsx'
import { RecordCards } from './record-cards.tsx'
import type { RecordLines } from './record-lines.ts'
import { RecordTable } from './record-table.tsx'
import { ListSkeleton, LoadFailed, Nothing } from '../ui/page/states.tsx'
import { useColumnChoice } from './use-column-choice.ts'
import { useOrderedRows } from './use-ordered-rows.ts'

interface Props<Row> {
  resource: ResourceName
  title: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  error: unknown
  retry: () => void
  rowKey: (row: Row) => string
  /** The list's first button, e.g. "Add room". */
  create?: ReactNode
  /** Why it is empty. */
  empty: string
  onOpen?: ((row: Row) => void) | undefined
  onEdit?: ((row: Row) => void) | undefined
  onRemove?: ((row: Row) => void) | undefined
  removable?: (row: Row) => boolean
  nameOf: (row: Row) => string
  /** Who may take the list away as a file; it is not offered when left out. */
  exportRight?: Right | undefined
  /** The button that saves it as a file, where that has columns of its own; with the rows as they are filtered and sorted. */
  renderExport?: (rows: readonly Row[] | undefined) => ReactNode
  /** Beside those to edit and delete. */
  renderActions?: (row: Row) => ReactNode
  /** Under which name views of it are saved, where they are. */
  views?: ViewedList | undefined
  /** Undefined where nothing can be done with several at once. */
  renderBar?: Bulk<Row>['renderBar'] | undefined
}

/** What is typed is searched for in rows that are all here, in ms. */
const SEARCH_PAUSE = 60

/** A list of records: search and sort, which stand in the address, chosen columns, actions; cards on a phone. */
export function RecordList<Row extends object>(props: Props<Row>) {
  const { rows, columns, resource, rowKey, nameOf, onEdit, onRemove, removable, renderBar, views } = props
  const t = useT()
  const wide = Grid.useBreakpoint().md ?? true
  const { get, change } = useAddress()
  const search = get('q')
  const setSearch = useCallback((q: string) => change({ q }), [change])
  const sort = readSort(
    columns.map(({ key }) => key),
    get('sort'),
  )
  const { hidden, toggle } = useColumnChoice(resource)
  const ordered = useOrderedRows(rows, columns, search, sort)
  const titleOf = (column: Column<Row>) =>
    column.title ?? t(`resources:${resource}.fields.${column.key}` as 'resources:room.fields.RoomName')

  // oxlint-disable-next-line react-hooks/exhaustive-deps -- rowKey reads only its argument
  const choice = useChoice(useMemo(() => ordered.map(rowKey), [ordered]))
  const tick = (row: Row) => (
    <Tick
      words={t('lists:choose', { name: nameOf(row) })}
      chosen={choice.chosen.has(rowKey(row))}
      toggle={(through) => choice.toggle(rowKey(row), through)}
    />
  )
  const actions = (row: Row) => (
    <RecordActions
      name={nameOf(row)}
      edit={onEdit && (() => onEdit(row))}
      remove={onRemove && (removable?.(row) ?? true) ? () => onRemove(row) : undefined}
    />
  )
  const lines: Omit<RecordLines<Row>, 'columns'> = {
    rows: ordered,
    titleOf,
    rowKey,
    actions: onEdit || onRemove ? actions : undefined,
    moreActions: props.renderActions,
    onOpen: props.onOpen,
    choosing: renderBar && { choice, tick },
  }

  return (
    <section className={styles.page} aria-labelledby="list-title">
      <header className={styles.header}>
        <h1 id="list-title">{props.title}</h1>
        {rows && <span className={styles.count}>{t('screens:list.count', { count: rows.length })}</span>}
        <div className={styles.tools}>
          {rows && rows.length > 0 && (
            <SearchBox
              value={search}
              search={setSearch}
              pause={SEARCH_PAUSE}
              label={t('screens:list.search')}
              className={styles.search}
            />
          )}
          {views && (
            <ListViews
              list={views}
              sorts={Object.fromEntries(columns.map((column) => [column.key, titleOf(column)]))}
            />
          )}
          {wide && columns.length > 2 && (
            <ColumnMenu
              columns={columns.slice(1).map((column) => ({ key: column.key, title: titleOf(column) }))}
              hidden={hidden}
              toggle={toggle}
            />
          )}
          {props.renderExport?.(rows && ordered)}
          {props.exportRight && (
            <ListExport<Row>
              name={props.title}
              right={props.exportRight}
              rows={ordered}
              columns={columns.map((column) => ({
                title: titleOf(column),
                of: (row: Row) => textOf(column, row),
              }))}
            />
          )}
          {props.create}
        </div>
      </header>
      {renderBar && (
        <KeptBar
          count={choice.chosen.size}
          renderBar={() =>
            renderBar(
              ordered.filter((row) => choice.chosen.has(rowKey(row))),
              choice.clear,
            )
          }
        />
      )}
      {!rows && props.error ? (
        <LoadFailed error={props.error} retry={props.retry} />
      ) : !rows ? (
        <ListSkeleton />
      ) : rows.length === 0 ? (
        <Nothing why={props.empty} next={props.create} />
      ) : ordered.length === 0 ? (
        <Nothing
          why={t('screens:list.noMatch', { search })}
          next={<Button onClick={() => setSearch('')}>{t('screens:list.clearSearch')}</Button>}
        />
      ) : wide ? (
        <RecordTable<Row>
          {...lines}
          columns={columns.filter((column, i) => i === 0 || !hidden.has(column.key))}
          sort={sort}
          changeSort={(next) => change({ sort: next })}
        />
      ) : (
        <RecordCards<Row> {...lines} columns={columns} />
      )}
    </section>
  )
}
