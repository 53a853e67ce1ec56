import { useCallback } from 'react'
import { applianceOf } from '../../../contract/devices/kinds/registry.ts'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { DeviceRow } from './device-rows.ts'

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
