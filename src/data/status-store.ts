import { useCallback, useSyncExternalStore } from 'react'
import type { DeviceStatus } from '../../contract/devices/kinds/status.ts'
import { mergeStatus } from '../../contract/devices/merge-status.ts'
import { supersedes } from '../../contract/devices/status-order.ts'
import { nextFrame } from '../lib/next-frame.ts'

type Listener = () => void

/** A status without fields that are null, which are unknown: to screens they are as fields that were never reported. */
function withoutUnknown(status: DeviceStatus): DeviceStatus {
  const zones = status['ThermostatTable']
  if (!Object.values(status).includes(null) && !Array.isArray(zones)) return status
  const known = (one: object) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null))
  return {
    ...(known(status) as DeviceStatus),
    ...(Array.isArray(zones) && { ThermostatTable: zones.map((zone: object) => known(zone)) }),
  }
}

/**
 * The last known status of every device. A report is merged at once and told at most once per frame, and only to
 * those who look at that device.
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
    /** Merges a report; an older one than the stored is ignored (§4). Thermostat tables merge by NodeID. */
    report(status: DeviceStatus) {
      const previous = byUid.get(status.PeripheralUID)
      // What the gateway stored later it has put in order: it may replace a time in the future, of a clock that was ahead.
      if (!supersedes(status, previous) && previous && status.updateAt <= previous.updateAt) return
      byUid.set(status.PeripheralUID, withoutUnknown(previous ? mergeStatus(previous, status) : status))
      touch(status.PeripheralUID)
    },
    remove(uid: string) {
      if (byUid.delete(uid)) touch(uid)
    },
    /** Forgets everything: sign-out. */
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
    /** Told once per frame in which anything changed: for sums over many devices. */
    subscribeAll(listener: Listener): () => void {
      everyListeners.add(listener)
      return () => everyListeners.delete(listener)
    },
  }
}

/** The statuses of the signed-in company. */
export const statuses = createStatusStore()

/** One device's live status; undefined before its first report. Draws again only when this device changes. */
export function useStatus(uid: string): DeviceStatus | undefined {
  const subscribe = useCallback((listener: Listener) => statuses.subscribe(uid, listener), [uid])
  return useSyncExternalStore(subscribe, () => statuses.get(uid))
}
