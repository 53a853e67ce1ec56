import { useEffect } from 'react'
import { useParams } from 'react-router'
import type { Maintenance } from '../../../contract/alarms/calls.ts'
import { useMay } from '../../data/session.ts'
import { onQueriesSettled } from '../../data/on-settled.ts'
import { DevicesInMaintenance } from '../../domain/devices/maintenance-status.ts'
import { useMaintenances } from '../../domain/devices/use-device-notes.ts'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { faces } from '../../domain/devices/control/faces.tsx'
import { BulkBar, DeviceList } from './device-list.tsx'
import { useListAddress } from './use-list-address.ts'

const DevicePanel = lazyPart(() => import('../device-panel/device-drawer.tsx'), { over: true })

function preloadParts() {
  void DevicePanel.preload()
  void BulkBar.preload()
  void faces.switches.preload()
  void faces.meter.preload()
}

const NOTHING: readonly Maintenance[] = []

/** Devices of a home, of one category or of one room: three routes, one view (§2). A panel opens over the list. */
export default function DeviceListPage() {
  const { HomeID = '', Category, RoomID } = useParams()
  const { device, list } = useListAddress()
  // Preloads the code that a click needs, so that it works even if the gateway becomes unreachable.
  useEffect(() => onQueriesSettled(preloadParts), [])
  const maintenances = useMaintenances(useMay('device', 'Read'))
  return (
    <>
      <DevicesInMaintenance value={maintenances ?? NOTHING}>
        <DeviceList HomeID={HomeID} Category={Category} roomInPath={RoomID} address={list} />
      </DevicesInMaintenance>
      {device !== undefined && (
        <DevicePanel homeId={HomeID} id={device} close={() => list.change({ device: undefined })} />
      )}
    </>
  )
}
