import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { capabilityOf } from '../../../../contract/devices/kinds/registry.ts'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { call, callKey } from '../../../data/api.ts'
import { useStatus } from '../../../data/status-store.ts'

/** Learned commands of an infrared remote, with their names; disabled for other devices. */
export function useContainers({ HomeID, PeripheralUID, PeripheralType }: Peripheral) {
  const key = { HomeID, PeripheralUID }
  const containers = useStatus(PeripheralUID)?.['IRContainers']
  return useQuery({
    // Refetches when the remote has learned a command.
    queryKey: [...callKey(cameraAndIr.listIRRemoteContainer, key), JSON.stringify(containers)],
    queryFn: ({ signal }) => call(cameraAndIr.listIRRemoteContainer, key, { signal }),
    placeholderData: keepPreviousData,
    enabled: capabilityOf(PeripheralType, 'irRemote') !== undefined,
  })
}
