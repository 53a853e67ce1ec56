import { toWallTimeInput } from '../../lib/wall-input.ts'

/** Time in the time zone of a room, e.g. "09:30". */
export const timeOn = (timestamp: number, zone: string): string =>
  toWallTimeInput(timestamp, zone).slice(11, 16)
