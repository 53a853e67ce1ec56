import type { FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { statuses } from '../../data/status-store.ts'
import { LazyListExport } from '../../record-kit/export/lazy-list-export.tsx'
import type { DeviceRow } from '../../domain/devices/device-rows.ts'
import { useKindName } from '../../domain/devices/use-kind-name.ts'

interface Props {
  /** What the list is called: all devices, a category or a room. */
  name: string
  rows: readonly DeviceRow[] | undefined
  roomName: (id: number) => string
}

/** Hubs and devices as a file, filtered and sorted as they are shown; what they report is left to the history. */
export const DeviceExport: FC<Props> = ({ name, rows, roomName }) => {
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
