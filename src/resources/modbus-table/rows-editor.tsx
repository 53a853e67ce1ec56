import { CopyOutlined, DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button, Card, Space, Table } from 'antd'
import { useState, type FC, type ReactNode } from 'react'
import {
  type ModbusRow,
  MAX_MODBUS_ROWS,
  overlapsOf,
  registersOf,
} from '../../../contract/devices/modbus/modbus-table.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import { RowForm } from './row-form.tsx'
import { useRowWords } from '../../domain/modbus-table/use-row-words.ts'
import { PLAIN_ROW } from './plain-row.ts'
import { usePhone } from '../../ui/page/use-screen.ts'

/** First row of a new table. */
const FIRST: ModbusRow = { ...PLAIN_ROW, Key: 'value1', Area: 'holding', Address: 0, DataType: 'uint16' }

/** Default for a new row: the register after the last row, with the same types. */
export function rowAfter(rows: readonly ModbusRow[]): ModbusRow {
  const last = rows.at(-1)
  if (!last) return FIRST
  const { Area, DataType, ByteOrder, WordOrder, Group } = last
  const Address = Math.min(65_535, last.Address + registersOf(last))
  return { ...PLAIN_ROW, Area, DataType, ByteOrder, WordOrder, Group, Address, Key: freeKey(rows, 'value') }
}

/** Copy of a row with a new key, and without its meter field, which must be unique. */
const copyOf = (rows: readonly ModbusRow[], row: ModbusRow): ModbusRow => ({
  ...row,
  Key: freeKey(rows, row.Key.replace(/\d+$/, '').slice(0, 28)),
  Field: null,
})

function freeKey(rows: readonly ModbusRow[], stem: string): string {
  const takenKeys = new Set(rows.map(({ Key }) => Key))
  let number = 1
  while (takenKeys.has(`${stem}${number}`)) number++
  return `${stem}${number}`
}

/** Maximum number of overlaps listed. */
const MAX_NAMED = 5

interface Props {
  rows: readonly ModbusRow[]
  onChange: (rows: ModbusRow[]) => void
  editable: boolean
  /** Further buttons next to the first one. */
  tools?: ReactNode
}

/** Rows of a table by register, each edited in its own form; cards on phones. */
export const RowsEditor: FC<Props> = ({ rows, onChange, editable, tools }) => {
  const t = useT()
  const isPhone = usePhone()
  /** The open row, by its index; the length of the list for a new row. */
  const [open, setOpen] = useState<{ at: number; row: ModbusRow }>()
  const full = rows.length >= MAX_MODBUS_ROWS
  const overlaps = overlapsOf(rows)

  const words = useRowWords()
  const put = (at: number, row: ModbusRow) => onChange(at < rows.length ? rows.with(at, row) : [...rows, row])
  const actions = (row: ModbusRow, at: number) => (
    <Space size={4}>
      <Button
        type="text"
        icon={<EditOutlined />}
        aria-label={t('modbus:row.open', { label: row.Label })}
        onClick={() => setOpen({ at, row })}
      />
      <Button
        type="text"
        icon={<CopyOutlined />}
        disabled={full}
        aria-label={t('modbus:row.copy', { label: row.Label })}
        onClick={() => setOpen({ at: rows.length, row: copyOf(rows, row) })}
      />
      <Button
        type="text"
        danger
        icon={<DeleteOutlined />}
        aria-label={t('modbus:row.remove', { label: row.Label })}
        onClick={() => onChange(rows.toSpliced(at, 1))}
      />
    </Space>
  )
  const add = (
    <Button
      icon={<PlusOutlined />}
      disabled={full}
      onClick={() => setOpen({ at: rows.length, row: rowAfter(rows) })}
    >
      {t('modbus:form.addRow')}
    </Button>
  )

  return (
    <>
      <header className={`${page.header} ${page.below12}`}>
        <h2>{t('modbus:form.rows')}</h2>
        <span className={page.count}>
          {t('modbus:form.count', { count: rows.length, most: MAX_MODBUS_ROWS })}
        </span>
        <div className={page.tools}>
          {tools}
          {editable && add}
        </div>
      </header>
      {overlaps.length > 0 && (
        <Alert
          type="warning"
          showIcon
          className={page.below12}
          message={
            <ul className={page.bullets}>
              {overlaps.slice(0, MAX_NAMED).map(([first, second]) => (
                <li key={`${first}-${second}`}>
                  {t('modbus:form.overlap', {
                    one: rows[first]?.Label ?? '',
                    other: rows[second]?.Label ?? '',
                  })}
                </li>
              ))}
              {overlaps.length > MAX_NAMED && (
                <li>{t('modbus:form.moreOverlaps', { count: overlaps.length - MAX_NAMED })}</li>
              )}
            </ul>
          }
        />
      )}
      {rows.length === 0 ? (
        <EmptyState message={t('modbus:form.noRows')} next={editable ? add : undefined} />
      ) : !isPhone ? (
        <Table
          dataSource={rows.map((row, at) => ({ row, at }))}
          rowKey={({ at }) => at}
          size="small"
          pagination={false}
          scroll={{ x: 'max-content' }}
          columns={[
            { title: t('modbus:fields.Label'), render: (_, { row }) => row.Label },
            { title: t('modbus:fields.Key'), render: (_, { row }) => <code>{row.Key}</code> },
            {
              title: t('modbus:row.place'),
              render: (_, { row }) => words.place(row),
              sorter: (a, b) => a.row.Area.localeCompare(b.row.Area) || a.row.Address - b.row.Address,
            },
            { title: t('modbus:fields.DataType'), render: (_, { row }) => words.type(row) },
            { title: t('modbus:row.meaning'), render: (_, { row }) => words.meaning(row) },
            { title: t('modbus:fields.Unit'), render: (_, { row }) => row.Unit || '–' },
            { title: t('modbus:fields.Access'), render: (_, { row }) => t(`modbus:access.${row.Access}`) },
            {
              title: t('modbus:fields.Field'),
              render: (_, { row }) => (row.Field ? t(`modbus:meter.${row.Field}`) : '–'),
            },
            ...(editable
              ? [
                  {
                    key: 'actions',
                    title: '',
                    width: 120,
                    render: (_: unknown, { row, at }: { row: ModbusRow; at: number }) => actions(row, at),
                  },
                ]
              : []),
          ]}
        />
      ) : (
        <ul className={page.tightStack}>
          {rows.map((row, at) => (
            <li key={row.Key}>
              <Card size="small" title={row.Label} extra={editable && actions(row, at)}>
                <dl className={page.facts}>
                  <dt>{t('modbus:row.place')}</dt>
                  <dd>{words.place(row)}</dd>
                  <dt>{t('modbus:fields.DataType')}</dt>
                  <dd>{words.type(row)}</dd>
                  <dt>{t('modbus:row.meaning')}</dt>
                  <dd>
                    {words.meaning(row)} {row.Unit}
                  </dd>
                  <dt>{t('modbus:fields.Access')}</dt>
                  <dd>{t(`modbus:access.${row.Access}`)}</dd>
                </dl>
              </Card>
            </li>
          ))}
        </ul>
      )}
      {open && (
        <RowForm
          row={open.row}
          isNew={open.at >= rows.length}
          otherRows={rows.toSpliced(open.at, 1)}
          close={() => setOpen(undefined)}
          apply={(row) => put(open.at, row)}
        />
      )}
    </>
  )
}
