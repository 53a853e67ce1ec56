import type { World } from './model.ts'

/** Where a room's temperature goes by itself, in °C: the sun, machines and people warm it. */
export const naturalTemperature = ({ outdoors, occupied }: World): number => outdoors + (occupied ? 3.5 : 2)

/**
 * A quantity that goes to its goal ever more slowly.
 *
 * minutes  time constant: after so long 63 % of the way is done
 */
export const approach = (value: number, goal: number, seconds: number, minutes: number): number =>
  goal + (value - goal) * Math.exp(-seconds / (minutes * 60))

/** The value, or the bound that it passes. */
export const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value))

/** As a sensor shows it. */
export const tenths = (value: number): number => Math.round(value * 10) / 10
