import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'

/** `MotionState` of a sensor that detects a person. */
const THERE = 1

/** Time since when a sensor has detected no one, epoch ms, as far as its reports show. */
export type EmptyTracker = (uid: string, status: DeviceStatus) => number

interface LastChange {
  PeripheralUID: string
  Value: number
  Since: number
}

/**
 * Tracks since when each sensor has detected no one: a report gives the state, not its start.
 *
 * returns  also `know`, which takes the gateway's last changes from before this page was open
 */
export function createEmptyTracker(): EmptyTracker & { know(changes: readonly LastChange[]): void } {
  const since = new Map<string, number>()
  const emptySince: EmptyTracker = (uid, { MotionState, Timestamp }) => {
    if (MotionState === THERE) {
      since.delete(uid)
      return Timestamp
    }
    const known = since.get(uid)
    if (known !== undefined && known <= Timestamp) return known
    since.set(uid, Timestamp)
    return Timestamp
  }
  return Object.assign(emptySince, {
    know(changes: readonly LastChange[]) {
      for (const { PeripheralUID, Value, Since } of changes)
        if (Value !== THERE) since.set(PeripheralUID, Math.min(since.get(PeripheralUID) ?? Since, Since))
    },
  })
}
