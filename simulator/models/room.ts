import type { OnOff } from '../../contract/devices/capabilities/capability.ts'
import type { World } from './model.ts'

/** Temperature in °C that a room approaches by itself: the sun, machines and people warm it. */
export const naturalTemperature = ({ outdoors, occupied }: World): number => outdoors + (occupied ? 3.5 : 2)

/**
 * A value that approaches its goal exponentially.
 *
 * minutes  time constant: 63 % of the difference disappears within it
 */
export const approach = (value: number, goal: number, seconds: number, minutes: number): number =>
  goal + (value - goal) * Math.exp(-seconds / (minutes * 60))

export const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/** Rounds to tenths, as a sensor does. */
export const tenths = (value: number): number => Math.round(value * 10) / 10

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
