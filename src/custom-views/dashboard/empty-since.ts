import type { DeviceStatus } from '../../../contract/device-kinds/status.ts'

/** Since when a sensor has seen nobody, epoch ms, as far as its reports say. */
export type EmptySince = (uid: string, status: DeviceStatus) => number

/** Remembers since when each sensor says that nobody is there: a report tells that it is so, not since when. */
export function createEmptySince(): EmptySince {
  const since = new Map<string, number>()
  return (uid, { MotionState, Timestamp }) => {
    if (MotionState === 1) {
      since.delete(uid)
      return Timestamp
    }
    const known = since.get(uid)
    if (known !== undefined && known <= Timestamp) return known
    since.set(uid, Timestamp)
    return Timestamp
  }
}
