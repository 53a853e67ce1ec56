import type { OnOff } from '../../contract/devices/capabilities/capability.ts'

/** Whether somebody was in the room when the device looked last; absent before its first look. */
export interface Habit {
  occupied?: boolean
}

/**
 * What people do to an appliance: they switch it on as they come and off as the last of them goes. What was switched otherwise
 * stays until the next person comes or goes; in a room that was never seen with people it is off.
 *
 * on  as it is
 */
export const switchedBy = (habit: Habit, occupied: boolean, on: OnOff): OnOff =>
  habit.occupied === occupied || (habit.occupied === undefined && occupied) ? on : occupied ? 1 : 0
