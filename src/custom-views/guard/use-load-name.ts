import { useQuery } from '@tanstack/react-query'
import type { Shedding } from '../../../contract/automation/shedding-calls.ts'
import { group } from '../../../contract/automation/group.ts'
import { callQuery } from '../../data/api.ts'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'

/** What the load of a shedding is called: its device or group; its id where that is gone. */
export function useLoadName(HomeID: string): (load: Pick<Shedding, 'PeripheralUID' | 'GroupID'>) => string {
  const devices = useDevices(HomeID).data?.Peripherals
  const mayReadGroups = useMay('group', 'Read')
  const groups = useQuery({
    ...callQuery(group.operations.list, { HomeID }),
    enabled: mayReadGroups,
  }).data
  return ({ PeripheralUID, GroupID }) =>
    devices?.find((device) => device.PeripheralUID === PeripheralUID)?.PeripheralName ??
    groups?.find((one) => one.GroupID === GroupID)?.GroupName ??
    PeripheralUID ??
    GroupID ??
    ''
}
