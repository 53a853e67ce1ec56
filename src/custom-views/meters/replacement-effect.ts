import { intervalsOf, type Sample } from '../../../contract/meters/intervals.ts'
import { validateReadings, type Reading } from '../../../contract/meters/validate-readings.ts'
import { QUARTER_MS } from '../../../contract/time/periods.ts'
import { type Replacement, withReplacements } from '../../../contract/meters/replacements.ts'

/** The last reading before a moment, and the first at it or after it. */
export interface AdjacentReadings {
  before: Sample | undefined
  after: Sample | undefined
}

/** readings  ascending */
export function adjacentReadings(readings: readonly Sample[], at: number): AdjacentReadings {
  return {
    before: readings.findLast(({ timestamp }) => timestamp < at),
    after: readings.find(({ timestamp }) => timestamp >= at),
  }
}

/**
 * By how much the energy of a range changes when a replacement is entered, in kWh: the same rules that the gateway computes
 * with, without and with what the person says.
 *
 * readings  ascending, with one before and one after the range where there are any
 * from, to  whole quarters, epoch ms; exclusive at the end
 */
export function replacementEffect(
  readings: readonly Sample[],
  replacement: Replacement,
  from: number,
  to: number,
): number {
  const energy = (samples: readonly Reading[]) =>
    intervalsOf(validateReadings(samples).accepted, from / QUARTER_MS, to / QUARTER_MS).kwh.reduce(
      (sum, kwh) => sum + kwh,
      0,
    )
  return energy(withReplacements(readings, [replacement])) - energy(readings)
}

/**
 * How many stored readings would wait for a decision once a replacement is entered that counted before: those that the new meter
 * cannot have shown, beginning with what it is said to have shown first.
 *
 * readings  ascending
 */
export function quarantinedBy(readings: readonly Sample[], replacement: Replacement): number {
  const before = validateReadings(readings).quarantined.length
  return Math.max(0, validateReadings(withReplacements(readings, [replacement])).quarantined.length - before)
}
