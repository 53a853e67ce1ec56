import { intervalsOf, type Sample } from '../../../contract/rules/intervals.ts'
import { judgeReadings, type Reading } from '../../../contract/rules/judge-readings.ts'
import { QUARTER } from '../../../contract/rules/periods.ts'

/** A meter that took another's place. */
export interface Replacement {
  /** Epoch ms. */
  at: number
  /** What the old one showed last and the new one first, in kWh. */
  oldKwh: number
  newKwh: number
}

/** The last reading before a moment, and the first at it or after it. */
export interface Around {
  before: Sample | undefined
  after: Sample | undefined
}

/** readings  ascending */
export function readingsAround(readings: readonly Sample[], at: number): Around {
  return {
    before: readings.findLast(({ timestamp }) => timestamp < at),
    after: readings.find(({ timestamp }) => timestamp >= at),
  }
}

/**
 * By how much the energy of a range changes when a replacement is entered, in kWh: the same rules that the gateway reckons
 * with, without and with what the person says.
 *
 * readings  ascending, with one before and one after the range where there are any
 * from, to  whole quarters, epoch ms; exclusive at the end
 */
export function replacementEffect(
  readings: readonly Sample[],
  { at, oldKwh, newKwh }: Replacement,
  from: number,
  to: number,
): number {
  const said: Reading[] = [
    { timestamp: at, kwh: oldKwh, accepted: true },
    { timestamp: at, kwh: newKwh, anew: true, accepted: true },
  ]
  const energy = (samples: readonly Reading[]) =>
    intervalsOf(judgeReadings(samples).accepted, from / QUARTER, to / QUARTER).kwh.reduce(
      (sum, kwh) => sum + kwh,
      0,
    )
  const first = readings.findIndex(({ timestamp }) => timestamp >= at)
  const split = first < 0 ? readings.length : first
  return energy([...readings.slice(0, split), ...said, ...readings.slice(split)]) - energy(readings)
}
