import { isCurrent } from '../../../contract/devices/status-order.ts'

/**
 * Freshness of a device's shown state:
 * offline  its hub is not connected
 * none     it has never reported
 * stale    the last reading is older than its update frequency (§4)
 * silent   it has not reported for the maximum time of its kind or setting
 * current  none of these
 */
export type Freshness = 'offline' | 'none' | 'stale' | 'silent' | 'current'

/**
 * Freshness of a device's last report.
 *
 * reports      whether the device reports periodically (a meter); a switch or a door reports only changes, so its last report
 * stays current while its hub is connected
 * silentAfter  ms without a report after which the device is silent; null for never
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
