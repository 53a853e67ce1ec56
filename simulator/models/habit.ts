import type { OnOff } from '../../contract/devices/capabilities/capability.ts'

/** Whether the room was occupied at the last step; absent before the first. */
export interface Habit {
  occupied?: boolean
}

/**
 * People switch an appliance on when they arrive and off when the last of them leaves. Any other change stays until the next arrival or
 * departure; in a room that has never been occupied it is off.
 *
 * on  current state
 */
export const switchedBy = (habit: Habit, occupied: boolean, on: OnOff): OnOff =>
  habit.occupied === occupied || (habit.occupied === undefined && occupied) ? on : occupied ? 1 : 0
