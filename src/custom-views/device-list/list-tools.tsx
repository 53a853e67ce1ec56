import type { FC, ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { lazyPart } from '../../ui/page/lazy.tsx'
import styles from './device-list.module.css'
import type { MoreToolsProps } from './more-tools.tsx'
import type { ListedRows } from './use-listed-rows.ts'
import { statuses } from '../../data/status-store.ts'
import { LazyListExport } from '../../record-kit/export/lazy-list-export.tsx'
import type { DeviceRow } from '../../domain/devices/device-rows.ts'
import { useKindName } from '../../domain/devices/kind-name.tsx'

interface DeviceExportProps {
  /** Name of the list: all devices, a category or a room. */
  name: string
  rows: readonly DeviceRow[] | undefined
  roomName: (id: number) => string
}

/** Exports hubs and devices to a file, filtered and sorted as shown, without reported values, which the history exports. */
const DeviceExport: FC<DeviceExportProps> = ({ name, rows, roomName }) => {
  const t = useT()
  const kindName = useKindName()
  return (
    <LazyListExport<DeviceRow>
      name={name}
      right={{ feature: 'device', operation: 'Export' }}
      rows={rows}
      columns={[
        { title: t('devices:columns.name'), of: (row) => row.name },
        { title: t('devices:columns.room'), of: (row) => roomName(row.RoomID) },
        { title: t('devices:columns.kind'), of: (row) => kindName(row, statuses.get(row.id)) },
        { title: t('devices:columns.hub'), of: (row) => (row.device ? (row.hub?.DeviceName ?? null) : null) },
        { title: t('devices:columns.id'), of: (row) => row.id },
      ]}
    />
  )
}

const MoreTools = lazyPart(() => import('./more-tools.tsx'), {
  fallback: ({ isWide, layout }) => (
    <span
      className={styles.tools}
      data-tools={!isWide ? 'phone' : layout === 'cards' ? 'cards' : 'table'}
      aria-busy="true"
    />
  ),
})

interface Props extends MoreToolsProps {
  title: string
  listedRows: ListedRows
  add: ReactNode
}

/** Views, layout, columns and export of the device list, and the add button. */
export const ListTools: FC<Props> = ({ title, listedRows, add, ...props }) => {
  return (
    <>
      <MoreTools {...props} />
      <DeviceExport
        name={title}
        rows={listedRows.query.data && listedRows.rows}
        roomName={listedRows.roomName}
      />
      {props.isWide && add}
    </>
  )
}
