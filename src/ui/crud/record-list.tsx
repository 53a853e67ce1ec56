import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { Button, Card, Grid, Space, Table, type TableColumnType } from 'antd'
import { useCallback, useMemo, type ReactNode } from 'react'
import type { Right } from '../../../contract/features.ts'
import type { ResourceName } from '../../../contract/index.ts'
import type { ViewedList } from '../../../contract/rules/view-query.ts'
import { holding } from '../../lib/holding.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { ListExport } from '../list-export/list-export.tsx'
import type { Bulk } from '../paged-list/paged-list.tsx'
import { SearchBox } from '../paged-list/search-box.tsx'
import { readSort, useAddress } from '../paged-list/use-address.ts'
import { KeptBar } from '../bulk/kept-bar.tsx'
import { choiceColumn } from '../choice-column.tsx'
import { Tick, TickAll } from '../tick.tsx'
import { useChoice } from '../use-choice.ts'
import { ListViews } from '../views/list-views.tsx'
import { ColumnMenu } from './column-menu.tsx'
import table from '../list-table.module.css'
import styles from './crud.module.css'
import { ListSkeleton, LoadFailed, Nothing } from './states.tsx'
import { useColumnChoice } from './use-column-choice.ts'

/** A column by field name, or one that draws itself. `text` is what it sorts and searches by. */
export interface Column<Row> {
  key: string
  title?: string
  render?: (row: Row) => ReactNode
  text?: (row: Row) => string | number
}

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
/** Of a card that its title says everything of. */
const EMPTY_BODY = { body: { display: 'none' } }

/** A list of records: search and sort, which stand in the address, chosen columns, actions; cards on a phone. */
export function RecordList<Row extends object>(props: Props<Row>) {
  const { rows, columns, resource, rowKey, nameOf, renderBar, views } = props
  const t = useT()
  const language = useLanguage()
  const wide = Grid.useBreakpoint().md ?? true
  const { get, change } = useAddress()
  const search = get('q')
  const setSearch = useCallback((q: string) => change({ q }), [change])
  const sort = readSort(
    columns.map(({ key }) => key),
    get('sort'),
  )
  const { hidden, toggle } = useColumnChoice(resource)

  const textOf = (column: Column<Row>, row: Row) =>
    column.text?.(row) ?? String((row as Record<string, unknown>)[column.key] ?? '')
  const titleOf = (column: Column<Row>) =>
    column.title ?? t(`resources:${resource}.fields.${column.key}` as 'resources:room.fields.RoomName')
  const { compare } = useMemo(() => new Intl.Collator(language, { numeric: true }), [language])

  const found = useMemo(() => {
    if (search.trim() === '') return rows ?? []
    const holds = holding(search)
    return (rows ?? []).filter((row) => holds(columns.map((column) => textOf(column, row)).join('\n')))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- textOf reads only its arguments
  }, [rows, columns, search])

  const ordered = useMemo(() => {
    const column = columns.find(({ key }) => key === sort?.Sort)
    if (!column) return found
    const way = sort?.Descending ? -1 : 1
    return found.toSorted((a, b) => {
      const [first, second] = [textOf(column, a), textOf(column, b)]
      return typeof first === 'number' && typeof second === 'number'
        ? way * (first - second)
        : way * compare(String(first), String(second))
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- textOf reads only its arguments
  }, [found, columns, sort?.Sort, sort?.Descending, compare])

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
    <Space size={4}>
      {props.onEdit && (
        <Button
          type="text"
          icon={<EditOutlined />}
          aria-label={t('screens:list.edit', { name: nameOf(row) })}
          onClick={(event) => {
            event.stopPropagation()
            props.onEdit?.(row)
          }}
        />
      )}
      {props.onRemove && (props.removable?.(row) ?? true) && (
        <Button
          type="text"
          danger
          icon={<DeleteOutlined />}
          aria-label={t('screens:list.remove', { name: nameOf(row) })}
          onClick={(event) => {
            event.stopPropagation()
            props.onRemove?.(row)
          }}
        />
      )}
    </Space>
  )
  const shown = columns.filter((column, i) => i === 0 || !hidden.has(column.key))
  const cell = (column: Column<Row>, row: Row) => (column.render ? column.render(row) : textOf(column, row))
  const hasActions = Boolean(props.onEdit ?? props.onRemove ?? props.renderActions)

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
      ) : found.length === 0 ? (
        <Nothing
          why={t('screens:list.noMatch', { search })}
          next={<Button onClick={() => setSearch('')}>{t('screens:list.clearSearch')}</Button>}
        />
      ) : wide ? (
        <Table<Row>
          dataSource={ordered as Row[]}
          rowKey={rowKey}
          size="small"
          pagination={found.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
          onChange={(_pages, _filters, sorter, { action }) => {
            if (action !== 'sort' || Array.isArray(sorter)) return
            const order = `${sorter.order === 'descend' ? '-' : ''}${String(sorter.columnKey)}`
            change({ sort: sorter.order ? order : undefined })
          }}
          className={table.table ?? ''}
          {...(renderBar && {
            rowSelection: choiceColumn(choice, t('lists:chooseListed'), tick),
          })}
          {...(props.onOpen && {
            onRow: (row: Row) => ({
              onClick: (event) => {
                if (!(event.target as Element).closest('a, .ant-table-selection-column')) props.onOpen?.(row)
              },
              style: { cursor: 'pointer' },
            }),
          })}
          columns={[
            ...shown.map((column): TableColumnType<Row> => ({
              key: column.key,
              title: titleOf(column),
              sorter: true,
              sortOrder: sort?.Sort === column.key ? (sort.Descending ? 'descend' : 'ascend') : null,
              render: (_, row) => cell(column, row),
            })),
            ...(hasActions
              ? [
                  {
                    key: 'actions',
                    title: <span className="visually-hidden">{t('lists:page.actions')}</span>,
                    width: props.renderActions ? 240 : 96,
                    align: 'end' as const,
                    render: (_: unknown, row: Row) => (
                      <Space size={16}>
                        {props.renderActions?.(row)}
                        {actions(row)}
                      </Space>
                    ),
                  },
                ]
              : []),
          ]}
        />
      ) : (
        <>
          {renderBar && (
            <TickAll
              shown
              chosen={choice.chosen}
              of={choice.of}
              toggleAll={choice.toggleAll}
              allWords={t('lists:chooseListed')}
            />
          )}
          <ul className={styles.cards}>
            {ordered.map((row) => (
              <li key={rowKey(row)}>
                <Card
                  size="small"
                  title={cell(columns[0] as Column<Row>, row)}
                  extra={
                    <Space size={0}>
                      {actions(row)}
                      {renderBar && (
                        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps a tick from opening the card
                        <span onClick={(event) => event.stopPropagation()}>{tick(row)}</span>
                      )}
                    </Space>
                  }
                  {...(props.onOpen && { hoverable: true, onClick: () => props.onOpen?.(row) })}
                  {...(columns.length === 1 && !props.renderActions && { styles: EMPTY_BODY })}
                >
                  <dl>
                    {columns.slice(1).map((column) => (
                      <div key={column.key}>
                        <dt>{titleOf(column)}</dt>
                        <dd>{cell(column, row)}</dd>
                      </div>
                    ))}
                  </dl>
                  {props.renderActions && (
                    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps a link inside from opening the card
                    <div className={styles.actions} onClick={(event) => event.stopPropagation()}>
                      {props.renderActions(row)}
                    </div>
                  )}
                </Card>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
