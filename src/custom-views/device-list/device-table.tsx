import { Table, type TableColumnType } from 'antd'
import { Link } from 'react-router'
import { useT } from '../../providers/i18n.ts'
import styles from './device-list.module.css'
import { SORT_KEYS, type DeviceRow, type SortKey } from './device-rows.ts'
import { AgeCell, StateCell } from './live-cells.tsx'
import { useKindName } from './use-kind-name.ts'
import type { useListAddress } from './use-list-address.ts'

interface Props {
  rows: readonly DeviceRow[]
  height: number
  roomName: (roomId: number) => string
  /** Columns the person does not want. */
  hidden: ReadonlySet<string>
  address: ReturnType<typeof useListAddress>
  open: (id: string) => void
}

const HEAD = 55

/** The device list as a virtual table: ten thousand rows scroll, live values change cells only. */
export default function DeviceTable({ rows, height, roomName, hidden, address, open }: Props) {
  const t = useT()
  const kindName = useKindName()
  const sortable = (key: SortKey) => ({
    sorter: true,
    sortOrder:
      address.sort === key ? (address.descending ? ('descend' as const) : ('ascend' as const)) : null,
  })
  const columns: TableColumnType<DeviceRow>[] = [
    {
      key: 'name',
      title: t('devices:columns.name'),
      width: 230,
      ...sortable('name'),
      render: (_, row) => (
        <Link
          className={styles.name}
          to={address.linkTo(row.id)}
          onClick={(event) => event.stopPropagation()}
        >
          {row.name}
        </Link>
      ),
    },
    {
      key: 'state',
      title: t('devices:columns.state'),
      width: 280,
      render: (_, row) => <StateCell row={row} />,
    },
    { key: 'age', title: t('devices:columns.age'), width: 140, render: (_, row) => <AgeCell row={row} /> },
    {
      key: 'room',
      title: t('devices:columns.room'),
      width: 160,
      ...sortable('room'),
      render: (_, row) => roomName(row.RoomID),
    },
    {
      key: 'kind',
      title: t('devices:columns.kind'),
      width: 140,
      ...sortable('kind'),
      render: (_, row) => kindName(row),
    },
    {
      key: 'hub',
      title: t('devices:columns.hub'),
      width: 160,
      render: (_, row) => (row.device ? (row.hub?.DeviceName ?? row.device.ThingName) : ''),
    },
  ]
  const shown = columns.filter((column) => !hidden.has(String(column.key)))
  return (
    <Table<DeviceRow>
      virtual
      rowKey="id"
      size="middle"
      dataSource={rows as DeviceRow[]}
      pagination={false}
      scroll={{ x: shown.reduce((sum, column) => sum + Number(column.width), 0), y: height - HEAD }}
      rowClassName={styles.row ?? ''}
      onRow={(row) => ({ onClick: () => open(row.id) })}
      onChange={(_page, _filters, sorter) => {
        const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter
        const sort = SORT_KEYS.find((key) => key === columnKey)
        address.change(
          sort && order ? { sort, descending: order === 'descend' } : { sort: 'name', descending: false },
        )
      }}
      columns={shown}
    />
  )
}
