import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { Button, Card, Grid, Input, Space, Table, type TableColumnType } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import type { ResourceName } from '../../../contract/index.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { ColumnMenu } from './column-menu.tsx'
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
}

/** A list of records: search, sort, chosen columns, actions; cards on a phone. */
export function RecordList<Row extends object>(props: Props<Row>) {
  const { rows, columns, resource, rowKey, nameOf } = props
  const t = useT()
  const language = useLanguage()
  const wide = Grid.useBreakpoint().md ?? true
  const [search, setSearch] = useState('')
  const { hidden, toggle } = useColumnChoice(resource)

  const textOf = (column: Column<Row>, row: Row) =>
    column.text?.(row) ?? String((row as Record<string, unknown>)[column.key] ?? '')
  const titleOf = (column: Column<Row>) =>
    column.title ?? t(`resources:${resource}.fields.${column.key}` as 'resources:room.fields.RoomName')
  const { compare } = useMemo(() => new Intl.Collator(language, { numeric: true }), [language])

  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return rows ?? []
    return (rows ?? []).filter((row) => {
      const text = columns
        .map((column) => textOf(column, row))
        .join('\n')
        .toLowerCase()
      return words.every((word) => text.includes(word))
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- textOf reads only its arguments
  }, [rows, columns, search])

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
  const hasActions = Boolean(props.onEdit ?? props.onRemove)

  return (
    <section className={styles.page} aria-labelledby="list-title">
      <header className={styles.header}>
        <h1 id="list-title">{props.title}</h1>
        {rows && <span className={styles.count}>{t('screens:list.count', { count: rows.length })}</span>}
        <div className={styles.tools}>
          {rows && rows.length > 0 && (
            <Input.Search
              allowClear
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              placeholder={t('screens:list.search')}
              aria-label={t('screens:list.search')}
              className={styles.search}
            />
          )}
          {wide && columns.length > 2 && (
            <ColumnMenu
              columns={columns.slice(1).map((column) => ({ key: column.key, title: titleOf(column) }))}
              hidden={hidden}
              toggle={toggle}
            />
          )}
          {props.create}
        </div>
      </header>
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
          dataSource={found as Row[]}
          rowKey={rowKey}
          size="small"
          sticky
          pagination={found.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
          {...(props.onOpen && {
            onRow: (row: Row) => ({ onClick: () => props.onOpen?.(row), style: { cursor: 'pointer' } }),
          })}
          columns={[
            ...shown.map((column): TableColumnType<Row> => ({
              key: column.key,
              title: titleOf(column),
              sorter: (a, b) => {
                const [first, second] = [textOf(column, a), textOf(column, b)]
                return typeof first === 'number' && typeof second === 'number'
                  ? first - second
                  : compare(String(first), String(second))
              },
              render: (_, row) => cell(column, row),
            })),
            ...(hasActions
              ? [
                  {
                    key: 'actions',
                    title: '',
                    width: 96,
                    align: 'end' as const,
                    render: (_: unknown, row: Row) => actions(row),
                  },
                ]
              : []),
          ]}
        />
      ) : (
        <ul className={styles.cards}>
          {found.map((row) => (
            <li key={rowKey(row)}>
              <Card
                size="small"
                title={cell(columns[0] as Column<Row>, row)}
                extra={actions(row)}
                {...(props.onOpen && { hoverable: true, onClick: () => props.onOpen?.(row) })}
              >
                <dl>
                  {columns.slice(1).map((column) => (
                    <div key={column.key}>
                      <dt>{titleOf(column)}</dt>
                      <dd>{cell(column, row)}</dd>
                    </div>
                  ))}
                </dl>
              </Card>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
