import { describe, expect, it } from 'vitest'
import type { HistorySeries } from '../../../../../contract/devices/history-calls.ts'
import { Condition } from '../../../../../contract/automation/condition.ts'
import { offlineSpans } from '../../../../../gateway/features/automation/dry-run/read-tracks.ts'
import {
  knownDuration,
  quantityOf,
  valueTrackOf,
} from '../../../../../gateway/features/automation/dry-run/tracks.ts'

const HOUR = 3_600_000
const ZONE = 'Asia/Taipei'
const NOON = Date.UTC(2026, 0, 5, 4)
/** Devices that were always online, and meters that report each second. */
const HERE = { away: [], zone: ZONE, pause: 1_000 }

const condition = (Field: string, PeripheralUID = 'm') =>
  Condition.parse({ PeripheralUID, Field, Logical: '>', Status: 1 })
const series = (Field: string, values: [number, number][], GapMs: number | null = HOUR): HistorySeries => ({
  PeripheralUID: 'm',
  Field,
  Kind: GapMs === null ? 'state' : 'measured',
  Unit: '',
  BucketMs: 0,
  GapMs,
  Timestamps: values.map(([at]) => at),
  Values: values.map(([, value]) => value),
  Min: null,
  Max: null,
  Unknown: [],
})

describe('the track of a condition', () => {
  it('is not a series for home measures, silence, or added meters, which no history contains', () => {
    const asked = [
      condition('DemandRolling', 'home'),
      condition('DailyKwh', 'virtual-1'),
      condition('SilentFor'),
    ]
    expect(asked.map((one) => quantityOf(one, NOON, ZONE))).toEqual([undefined, undefined, undefined])
  })

  it('is the counter of a meter for its sums, from before the period began', () => {
    expect(quantityOf(condition('DailyKwh'), NOON, ZONE)).toEqual({
      PeripheralUID: 'm',
      Field: 'AccumulatePower',
      from: NOON - 13 * HOUR,
    })
  })

  it('adds up what the counter counted since its period began, from 0', () => {
    const counted = series('AccumulatePower', [
      [NOON - HOUR / 2, 100],
      [NOON + HOUR / 2, 103],
      [NOON + HOUR, 104],
      [NOON + 1.5 * HOUR, 106],
    ])
    const { at, values } = valueTrackOf(condition('HourlyKwh'), counted, HERE)
    expect(at.map((one, i) => [(one - NOON) / HOUR, values[i]])).toEqual([
      [-0.5, 0],
      [0, 0],
      [0.5, 1.5],
      [1, 0],
      [1.5, 2],
      [2, 0],
    ])
  })

  it('knows a sum until its hour ends, and nothing of the next before a reading', () => {
    const silent = series('AccumulatePower', [
      [NOON + HOUR / 4, 100],
      [NOON + HOUR / 2, 103],
      [NOON + 1.25 * HOUR, 106],
    ])
    expect(valueTrackOf(condition('HourlyKwh'), silent, HERE)).toMatchObject({
      goodFor: null,
      unknown: [
        { from: NOON + HOUR + 1, to: NOON + 1.25 * HOUR },
        { from: NOON + 2 * HOUR + 1, to: Infinity },
      ],
    })
  })

  it('has no sum for a period whose start was not counted', () => {
    const late = series('AccumulatePower', [
      [NOON + 6 * HOUR, 100],
      [NOON + 7 * HOUR, 103],
    ])
    expect(valueTrackOf(condition('DailyKwh'), late, HERE).at).toEqual([])
  })

  it('does not use the sum of one day for the next', () => {
    const midnight = NOON + 12 * HOUR
    const stopped = series('AccumulatePower', [
      [NOON - 12 * HOUR, 100],
      [midnight - HOUR / 2, 130],
    ])
    expect(valueTrackOf(condition('DailyKwh'), stopped, HERE)).toMatchObject({
      values: [30, 0],
      unknown: [{ from: midnight + 1, to: Infinity }],
    })
    const later = series('AccumulatePower', [
      [NOON - 12 * HOUR, 100],
      [midnight - HOUR / 2, 130],
      [midnight + HOUR / 2, 132],
    ])
    expect(valueTrackOf(condition('DailyKwh'), later, HERE)).toMatchObject({
      values: [30, 0, 1, 0],
      unknown: [
        { from: midnight + 1, to: midnight + HOUR / 2 },
        { from: midnight + 24 * HOUR + 1, to: Infinity },
      ],
    })
  })

  it('continues from 0 when a counter resets', () => {
    const reset = series('AccumulatePower', [
      [NOON, 100],
      [NOON + HOUR / 4, 101],
      [NOON + HOUR / 2, 3],
    ])
    expect(valueTrackOf(condition('HourlyKwh'), reset, HERE).values).toEqual([1, 3, 0])
  })

  it('is unknown while the device was offline, except that it was offline', () => {
    const presence = [true, false, true, false].map((online, i) => ({ at: i * 10, online }))
    const away = offlineSpans(presence, 40)
    expect(away).toEqual([
      { from: 10, to: 20 },
      { from: 30, to: 40 },
    ])
    expect(
      valueTrackOf(condition('Switch1'), series('Switch1', [[0, 1]], null), { ...HERE, away }).unknown,
    ).toBe(away)
    expect(
      valueTrackOf(condition('Online'), series('Online', [[0, 1]], null), { ...HERE, away }).unknown,
    ).toEqual([])
  })

  it('is known for three intervals of a meter, and of a sensor until its next value', () => {
    expect(valueTrackOf(condition('Power'), series('Power', [[0, 1]], 2_000), HERE).goodFor).toBe(3_001)
    expect(
      valueTrackOf(condition('Temperature'), series('Temperature', [[0, 1]], 2_000), HERE).goodFor,
    ).toBeNull()
  })
})

describe('the known share of a time', () => {
  it('is the time with values, without offline times, each counted once', () => {
    const known = {
      at: [10, 20, 60],
      values: [1, 1, 1],
      goodFor: 20,
      unknown: [
        { from: 0, to: 15 },
        { from: 35, to: 50 },
      ],
    }
    expect(knownDuration(known, 0, 100)).toBe(5 + 15 + 20)
  })
})
