import type { FC } from 'react'
import { KindIcon } from '../../ui/tags/kind-icon.tsx'
import type { DeviceRow } from './device-rows.ts'

/** Icon of one row: its product family, a hub, or an unknown type. */
export const RowIcon: FC<{ row: Pick<DeviceRow, 'type' | 'device'> }> = ({ row: { type, device } }) => (
  <KindIcon kind={type ? type.kind : device ? 'other' : 'hub'} />
)
