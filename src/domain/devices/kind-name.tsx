import { memo, useCallback, type FC } from 'react'
import { useStatus } from '../../data/status-store.ts'
import type { DeviceRow } from './device-rows.ts'
import { applianceOf } from '../../../contract/devices/kinds/registry.ts'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { KindIcon } from '../../ui/tags/kind-icon.tsx'

/** Kind of one row in words; re-renders when the device reports which appliance it is. */
export const KindName = memo(function KindName({ row }: { row: Pick<DeviceRow, 'id' | 'type' | 'device'> }) {
  return useKindName()(row, useStatus(row.id))
})

/** Kind of one row in words: the reported appliance, its product family, a hub, or an unknown type. */
export function useKindName(): (
  row: Pick<DeviceRow, 'type' | 'device'>,
  status: DeviceStatus | undefined,
) => string {
  const t = useT()
  return useCallback(
    ({ type, device }, status) => {
      const appliance = applianceOf(type, status)
      return appliance
        ? t(`devices:appliances.${appliance as 'dehumidifier'}`)
        : t(type ? `devices:kinds.${type.kind}` : device ? 'devices:kinds.other' : 'devices:kinds.hub')
    },
    [t],
  )
}

/** Icon of one row: its product family, a hub, or an unknown type. */
export const RowIcon: FC<{ row: Pick<DeviceRow, 'type' | 'device'> }> = ({ row: { type, device } }) => (
  <KindIcon kind={type ? type.kind : device ? 'other' : 'hub'} />
)
