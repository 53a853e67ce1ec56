import { Space, Table, type TableColumnType } from 'antd'
import { useT } from '../lib/i18n/i18n.ts'
import { choiceColumn } from '../ui/table/choice-column.tsx'
import table from '../ui/table/list-table.module.css'
import { cellOf } from './list-column.ts'
import type { RecordLines } from './record-lines.ts'

const PAGE_SIZE = 50

interface Props<Row> extends RecordLines<Row> {
  sort: { Sort: string; Descending: boolean } | undefined
  /** As the address has it, a dash before what descends; undefined for none. */
  changeSort: (sort: string | undefined) => void
}

/** Records as lines of a table. */
export function RecordTable<Row extends object>(props: Props<Row>) {
  const { rows, columns, titleOf, rowKey, actions, moreActions, onOpen, choosing, sort, changeSort } = props
  const t = useT()
  const ofColumns = columns.map((column): TableColumnType<Row> => ({
    key: column.key,
    title: titleOf(column),
    sorter: true,
    sortOrder: sort?.Sort === column.key ? (sort.Descending ? 'descend' : 'ascend') : null,
    render: (_, row) => cellOf(column, row),
  }))
  const ofActions: TableColumnType<Row> = {
    key: 'actions',
    title: <span className="visually-hidden">{t('lists:page.actions')}</span>,
    width: moreActions ? 240 : 96,
    align: 'end',
    render: (_, row) => (
      <Space size={16}>
        {moreActions?.(row)}
        {actions?.(row)}
      </Space>
    ),
  }
  return (
    <Table<Row>
      dataSource={rows as Row[]}
      rowKey={rowKey}
      size="small"
      pagination={rows.length > PAGE_SIZE ? { pageSize: PAGE_SIZE, showSizeChanger: false } : false}
      onChange={(_pages, _filters, sorter, { action }) => {
        if (action !== 'sort' || Array.isArray(sorter)) return
        const order = `${sorter.order === 'descend' ? '-' : ''}${String(sorter.columnKey)}`
        changeSort(sorter.order ? order : undefined)
      }}
      className={table.table ?? ''}
      {...(choosing && {
        rowSelection: choiceColumn(choosing.choice, t('lists:chooseListed'), choosing.tick),
      })}
      {...(onOpen && {
        onRow: (row: Row) => ({
          onClick: (event) => {
            if (!(event.target as Element).closest('a, .ant-table-selection-column')) onOpen(row)
          },
          style: { cursor: 'pointer' },
        }),
      })}
      columns={actions || moreActions ? [...ofColumns, ofActions] : ofColumns}
    />
  )
}
