import { isCurrent } from '../../../contract/rules/device/status-order.ts'

/**
 * How far a device's shown state can be believed:
 * offline  its hub is not connected
 * none     it has never reported
 * stale    the last reading is older than its update frequency (§4)
 * current  it is not
 */
export type Freshness = 'offline' | 'none' | 'stale' | 'current'

/**
 * Tells offline from "no data yet" and from old.
 *
 * reports  whether the device sends on a clock (a meter); a switch or a door only speaks when something happens, so
 *          its last word stays current while its hub is connected
 */
export function freshness(device: {
  hubOnline: boolean | undefined
  timestamp: number | undefined
  frequencySeconds: number
  reports: boolean
  now: number
}): Freshness {
  if (device.hubOnline === false) return 'offline'
  if (device.timestamp === undefined) return 'none'
  if (device.reports && !isCurrent(device.timestamp, device.frequencySeconds, device.now)) return 'stale'
  return 'current'
}
