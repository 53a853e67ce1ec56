import { isCurrent } from '../../../contract/devices/status-order.ts'

/**
 * How far a device's shown state can be believed:
 * offline  its hub is not connected
 * none     it has never reported
 * stale    the last reading is older than its update frequency (§4)
 * silent   it has said nothing for as long as its kind, or a person, allows
 * current  it is not
 */
export type Freshness = 'offline' | 'none' | 'stale' | 'silent' | 'current'

/**
 * Tells offline from "no data yet" and from old.
 *
 * reports      whether the device sends on a clock (a meter); a switch or a door only speaks when something happens, so
 *              its last word stays current while its hub is connected
 * silentAfter  ms after which a device that does not is silent; null for never
 */
export function freshness(device: {
  hubOnline: boolean | undefined
  timestamp: number | undefined
  frequencySeconds: number
  reports: boolean
  silentAfter?: number | null
  now: number
}): Freshness {
  if (device.hubOnline === false) return 'offline'
  if (device.timestamp === undefined) return 'none'
  if (device.reports && !isCurrent(device.timestamp, device.frequencySeconds, device.now)) return 'stale'
  const { silentAfter = null } = device
  if (silentAfter !== null && device.now - device.timestamp >= silentAfter) return 'silent'
  return 'current'
}
