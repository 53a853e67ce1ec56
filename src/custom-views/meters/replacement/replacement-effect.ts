import { intervalsOf, type Sample } from '../../../../contract/meters/intervals.ts'
import { validateReadings, type Reading } from '../../../../contract/meters/validate-readings.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { type Replacement, withReplacements } from '../../../../contract/meters/replacements.ts'

/** The last reading before a time, and the first at or after it. */
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
 * Change in the energy of a range when a replacement is entered, in kWh: computed by the gateway's rules, with and without it.
 *
 * readings  ascending, with one before and one after the range if available
 * from, to whole quarter hours, epoch ms; `to` is exclusive
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
 * Number of stored readings that a replacement would newly quarantine: those that the new meter cannot have shown, starting from
 * its stated first value.
 *
 * readings  ascending
 */
export function quarantinedBy(readings: readonly Sample[], replacement: Replacement): number {
  const before = validateReadings(readings).quarantined.length
  return Math.max(0, validateReadings(withReplacements(readings, [replacement])).quarantined.length - before)
}
