import { describe, expect, it } from 'vitest'
import {
  adjacentReadings,
  replacementEffect,
  quarantinedBy,
} from '../../../../../src/custom-views/meters/replacement/use-replacement.ts'

const HOUR = 3_600_000
const day = Date.parse('2026-03-04T00:00:00+08:00')
const at = (hours: number, kwh: number) => ({ timestamp: day + hours * HOUR, kwh })

describe('the effect of a replacement', () => {
  it('adds the energy of both meters around a fall, which counted nothing', () => {
    const readings = [at(0, 100), at(10, 110), at(12, 3), at(24, 15)]
    const said = { at: day + 11 * HOUR, oldKwh: 111.5, newKwh: 1 }
    // 1.5 until its removal, and 2 from then on.
    expect(replacementEffect(readings, said, day, day + 24 * HOUR)).toBeCloseTo(3.5, 9)
  })

  it('removes the false energy of a rise', () => {
    const readings = [at(0, 100), at(10, 110), at(12, 210), at(24, 220)]
    const said = { at: day + 11 * HOUR, oldKwh: 111, newKwh: 209 }
    expect(replacementEffect(readings, said, day, day + 24 * HOUR)).toBeCloseTo(2 - 100, 9)
  })

  it('counts only the part of an interval that is in the range', () => {
    const readings = [at(-1, 100), at(1, 0)]
    const said = { at: day, oldKwh: 101, newKwh: -1 }
    expect(replacementEffect(readings, said, day, day + 24 * HOUR)).toBeCloseTo(1, 9)
  })

  it('assigns a reading at the exact time to the meter with the closer counter', () => {
    const readings = [at(0, 100), at(11, 111), at(12, 3), at(24, 15)]
    const said = { at: day + 11 * HOUR, oldKwh: 111, newKwh: 1 }
    expect(replacementEffect(readings, said, day, day + 24 * HOUR)).toBeCloseTo(2, 9)
    const first = [at(0, 100), at(11, 1), at(12, 3), at(24, 15)]
    expect(replacementEffect(first, said, day, day + 24 * HOUR)).toBeCloseTo(11, 9)
  })

  it('quarantines values that the new meter cannot have after its first value', () => {
    const readings = [at(0, 78_000), at(10, 78_010), at(12, 178_012), at(24, 178_024)]
    const said = { at: day + 11 * HOUR, oldKwh: 78_011 }
    // Without a replacement the same two are quarantined.
    expect(quarantinedBy(readings, { ...said, newKwh: 0 })).toBe(0)
    const going = [at(0, 178_000), at(10, 178_010), at(12, 178_012), at(24, 178_024)]
    expect(quarantinedBy(going, { at: day + 11 * HOUR, oldKwh: 178_011, newKwh: 0 })).toBe(2)
    expect(quarantinedBy(going, { at: day + 11 * HOUR, oldKwh: 178_011, newKwh: 178_011 })).toBe(0)
  })

  it('suggests the reading before, and the first one at or after that time', () => {
    const readings = [at(1, 1), at(2, 2)]
    expect(adjacentReadings(readings, day + 2 * HOUR)).toEqual({ before: at(1, 1), after: at(2, 2) })
    expect(adjacentReadings([], day)).toEqual({ before: undefined, after: undefined })
  })
})
