import { memo } from 'react'
import { useStatus } from '../../data/status-store.ts'
import type { DeviceRow } from './device-rows.ts'
import { useKindName } from './use-kind-name.ts'

/** Kind of one row in words; re-renders when the device reports which appliance it is. */
export const KindName = memo(function KindName({ row }: { row: Pick<DeviceRow, 'id' | 'type' | 'device'> }) {
  return useKindName()(row, useStatus(row.id))
})
