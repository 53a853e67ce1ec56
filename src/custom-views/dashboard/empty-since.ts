import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'

/** What a sensor reports that sees somebody. */
const THERE = 1

/** Since when a sensor has seen nobody, epoch ms, as far as its reports say. */
export type EmptyTracker = (uid: string, status: DeviceStatus) => number

/** What the gateway knows of the last change of a sensor. */
interface LastChange {
  PeripheralUID: string
  Value: number
  Since: number
}

/**
 * Remembers since when each sensor says that nobody is there: a report tells that it is so, not since when.
 *
 * returns  also `know`, to be told what the gateway knows: it heard the sensor before this page did
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
