import { useCallback } from 'react'
import { useT } from '../../providers/i18n.ts'
import type { DeviceRow } from './device-rows.ts'

/** What one row is, in words: its product family, a hub, or an unknown type. */
export function useKindName(): (row: DeviceRow) => string {
  const t = useT()
  return useCallback(
    ({ type, device }: DeviceRow) =>
      t(type ? `devices:kinds.${type.kind}` : device ? 'devices:kinds.other' : 'devices:kinds.hub'),
    [t],
  )
}
