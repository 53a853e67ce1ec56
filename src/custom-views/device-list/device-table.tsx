import { useMemo, type FC, type MouseEvent } from 'react'
import { SORT_KEYS, type SortKey } from '../../../contract/lists/list-query.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { VirtualTable, type RowSelection, type VirtualColumn } from '../../ui/table/virtual-table.tsx'
import styles from './device-list.module.css'
import type { DeviceRow } from '../../domain/devices/device-rows.ts'
import { KindName, RowIcon } from '../../domain/devices/kind-name.tsx'
import { AgeCell, StateCell } from '../../domain/devices/cells/live-cells.tsx'
import type { ListAddress } from './use-list-address.ts'
import page from '../../ui/page/page.module.css'

interface RowLinkProps {
  id: string
  name: string
  linkTo: (id: string) => string
  open: (id: string) => void
}

/**
 * Name of a row: a link that opens its panel and can be copied or opened in another tab. A plain link, because the router's renders in
 * every row on each change of the address.
 */
export const RowLink: FC<RowLinkProps> = ({ id, name, linkTo, open }) => (
  <a
    className={`${page.ellipsis} ${page.touch} ${styles.name}`}
    href={linkTo(id)}
    onClick={(event) => {
      event.stopPropagation()
      if (opensNewTab(event)) return
      event.preventDefault()
      open(id)
    }}
  >
    {name}
  </a>
)

const opensNewTab = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey

interface Props {
  rows: readonly DeviceRow[]
  height: number
  roomName: (roomId: number) => string
  hidden: ReadonlySet<string>
  address: ListAddress
  open: (id: string) => void
  ticks: RowSelection<DeviceRow> | undefined
  onLeftOut: (keys: string) => void
}

const keyOf = (row: DeviceRow) => row.id

/** Device list as a virtual table: scrolls ten thousand rows, and live values render single cells. */
export function DeviceTable({ rows, height, roomName, hidden, address, open, ticks, onLeftOut }: Props) {
  const t = useT()
  const { sort, descending, linkTo } = address
  const columns = useMemo(() => {
    const sortable = (key: SortKey) => ({
      order: sort !== key ? null : descending ? ('descending' as const) : ('ascending' as const),
    })
    const all: VirtualColumn<DeviceRow>[] = [
      {
        key: 'name',
        title: t('devices:columns.name'),
        width: 172,
        ...sortable('name'),
        render: (row) => <RowLink id={row.id} name={row.name} linkTo={linkTo} open={open} />,
      },
      {
        key: 'state',
        title: t('devices:columns.state'),
        width: 352,
        minWidth: 348,
        ...sortable('state'),
        render: (row) => <StateCell row={row} aligns />,
      },
      {
        key: 'age',
        title: t('devices:columns.age'),
        width: 148,
        minWidth: 112,
        ...sortable('age'),
        render: (row) => <AgeCell row={row} />,
      },
      {
        key: 'room',
        title: t('devices:columns.room'),
        width: 132,
        minWidth: 112,
        ...sortable('room'),
        render: (row) => roomName(row.RoomID),
      },
      {
        key: 'kind',
        title: t('devices:columns.kind'),
        width: 194,
        minWidth: 140,
        omitOrder: 2,
        ...sortable('kind'),
        render: (row) => (
          <span className={styles.kindCell}>
            <RowIcon row={row} />
            <span className={page.ellipsis}>
              <KindName row={row} />
            </span>
          </span>
        ),
      },
      {
        key: 'hub',
        title: t('devices:columns.hub'),
        width: 120,
        minWidth: 112,
        omitOrder: 1,
        render: (row) => (row.device ? (row.hub?.DeviceName ?? row.device.ThingName) : ''),
      },
    ]
    return all.filter(({ key }) => !hidden.has(key))
  }, [t, sort, descending, linkTo, open, roomName, hidden])
  const sortBy = (key: string) => {
    const next = SORT_KEYS.find((name) => name === key)
    if (!next) return
    // Ascending, descending, then back to the order by name.
    if (sort !== next) address.change({ sort: next, descending: false })
    else if (!descending) address.change({ sort: next, descending: true })
    else address.change({ sort: 'name', descending: false })
  }
  return (
    <VirtualTable
      rows={rows}
      height={height}
      columns={columns}
      keyOf={keyOf}
      label={t('screens:devices.all')}
      open={open}
      sort={sortBy}
      ticks={ticks}
      onLeftOut={onLeftOut}
    />
  )
}
