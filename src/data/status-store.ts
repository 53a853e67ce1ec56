import { useCallback, useSyncExternalStore } from 'react'
import type { DeviceStatus } from '../../contract/devices/kinds/status.ts'
import { mergeStatus, supersedes } from '../../contract/devices/status-order.ts'
import { nextFrame } from '../lib/next-frame.ts'

type Listener = () => void

/** Removes null (unknown) fields from a status: screens treat them as never reported. */
function withoutUnknown(status: DeviceStatus): DeviceStatus {
  const zones = status['ThermostatTable']
  if (!Object.values(status).includes(null) && !Array.isArray(zones)) return status
  const knownFields = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  return {
    ...(knownFields(status) as DeviceStatus),
    ...(Array.isArray(zones) && { ThermostatTable: zones.map((zone: object) => knownFields(zone)) }),
  }
}

/**
 * The last known status of every device. Reports are merged at once; listeners are notified at most once per frame, and only about
 * their device.
 */
export function createStatusStore(schedule: (flush: () => void) => void = nextFrame) {
  const byUid = new Map<string, DeviceStatus>()
  const listeners = new Map<string, Set<Listener>>()
  const everyListeners = new Set<Listener>()
  const changed = new Set<string>()
  let pending = false

  function flush() {
    pending = false
    const uids = [...changed]
    changed.clear()
    for (const uid of uids) for (const listener of listeners.get(uid) ?? []) listener()
    for (const listener of everyListeners) listener()
  }

  function touch(uid: string) {
    changed.add(uid)
    if (pending) return
    pending = true
    schedule(flush)
  }

  return {
    get: (uid: string): DeviceStatus | undefined => byUid.get(uid),
    all: (): ReadonlyMap<string, DeviceStatus> => byUid,
    /** Merges a report; ignores one older than the stored status (§4). Thermostat tables merge by NodeID. */
    report(status: DeviceStatus) {
      const previous = byUid.get(status.PeripheralUID)
      // A later `updateAt` wins: the gateway may have corrected a timestamp in the future, from a device clock that was ahead.
      if (!supersedes(status, previous) && previous && status.updateAt <= previous.updateAt) return
      byUid.set(status.PeripheralUID, withoutUnknown(previous ? mergeStatus(previous, status) : status))
      touch(status.PeripheralUID)
    },
    remove(uid: string) {
      if (byUid.delete(uid)) touch(uid)
    },
    /** Removes all statuses, at sign-out. */
    clear() {
      for (const uid of byUid.keys()) touch(uid)
      byUid.clear()
    },
    subscribe(uid: string, listener: Listener): () => void {
      const set = listeners.get(uid) ?? new Set()
      listeners.set(uid, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(uid) === set) listeners.delete(uid)
      }
    },
    /** Notifies once per frame in which any status changed, for sums over many devices. */
    subscribeAll(listener: Listener): () => void {
      everyListeners.add(listener)
      return () => everyListeners.delete(listener)
    },
  }
}

/** The statuses of the signed-in company. */
export const statuses = createStatusStore()

/** One device's live status; undefined before its first report. Renders again only when this device changes. */
export function useStatus(uid: string): DeviceStatus | undefined {
  const subscribe = useCallback((listener: Listener) => statuses.subscribe(uid, listener), [uid])
  return useSyncExternalStore(subscribe, () => statuses.get(uid))
}
