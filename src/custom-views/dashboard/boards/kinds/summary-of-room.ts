import type { DeviceSnapshot } from '../../../../../contract/devices/peripheral.ts'
import { statuses } from '../../../../data/status-store.ts'
import type { EmptyTracker } from '../../empty-since.ts'
import { summarize, type Summary } from '../../summarize.ts'
import { linesOf } from '../../use-overview.ts'

/** One room of a home at a glance; what only counts the load of meters elsewhere is no load of it. */
export function summaryOfRoom(
  snapshot: DeviceSnapshot,
  RoomID: number,
  now: number,
  emptySince: EmptyTracker,
): Summary {
  const lines = linesOf(snapshot)
  const parents = new Set(lines.map(({ device }) => device?.ParentMeter))
  return summarize(
    lines.filter((line) => line.RoomID === RoomID && line.device && !parents.has(line.device.PeripheralUID)),
    statuses.get,
    now,
    emptySince,
  )
}
