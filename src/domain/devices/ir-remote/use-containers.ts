import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { capabilityOf } from '../../../../contract/devices/kinds/registry.ts'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { call, callKey } from '../../../data/api.ts'
import { useStatus } from '../../../data/status-store.ts'

/** What an infrared remote was taught, under the names that people gave; nothing for any other device. */
export function useContainers({ HomeID, PeripheralUID, PeripheralType }: Peripheral) {
  const key = { HomeID, PeripheralUID }
  const taught = useStatus(PeripheralUID)?.['IRContainers']
  return useQuery({
    // Asked for again when the remote was taught something.
    queryKey: [...callKey(cameraAndIr.listIRRemoteContainer, key), JSON.stringify(taught)],
    queryFn: ({ signal }) => call(cameraAndIr.listIRRemoteContainer, key, { signal }),
    placeholderData: keepPreviousData,
    enabled: capabilityOf(PeripheralType, 'irRemote') !== undefined,
  })
}
