import { describe, expect, it } from 'vitest'
import {
  dragged,
  freeRangeAround,
  hoursWith,
  keysBegin,
  minuteOf,
  nudgeRange,
  minuteRangeOf,
  percentOf,
  usualPeriod,
} from '../../../../src/custom-views/bookings/grid-geometry.ts'

const at = (text: string) => Date.parse(text)
const DAY = at('2026-01-05T00:00Z') / 86_400_000

const WHOLE_DAY = { from: 0, to: 1440 }

describe('the time grid', () => {
  it("places bookings by the room's own clock, clipped at its edges", () => {
    expect(minuteOf(at('2026-01-05T01:30Z'), DAY, 'Asia/Taipei')).toBe(570)
    const night = { StartTimestamp: at('2026-01-05T15:00Z'), EndTimestamp: at('2026-01-05T18:00Z') }
    expect(minuteRangeOf(night, DAY, 'Asia/Taipei')).toEqual({ from: 1380, to: 1440 })
    expect(minuteRangeOf(night, DAY + 1, 'Asia/Taipei')).toEqual({ from: 0, to: 120 })
    expect(minuteRangeOf(night, DAY + 2, 'Asia/Taipei')).toBeUndefined()
  })

  it('shows a booking at its true length when clocks go back', () => {
    // In Berlin 02:45 the first time until 02:15 the second time.
    const night = { StartTimestamp: at('2026-10-25T00:45Z'), EndTimestamp: at('2026-10-25T01:15Z') }
    const day = at('2026-10-25T00:00Z') / 86_400_000
    expect(minuteRangeOf(night, day, 'Europe/Berlin')).toEqual({ from: 165, to: 195 })
    expect(minuteRangeOf(night, day + 1, 'Europe/Berlin')).toBeUndefined()
  })

  it("offers nine o'clock in the room's time zone, or the next quarter if that has passed", () => {
    const offered = (now: string, day = DAY) =>
      new Date(usualPeriod(day, 'Asia/Taipei', at(now)).StartTimestamp).toISOString().slice(0, 16)
    expect(offered('2026-01-04T20:00Z')).toBe('2026-01-05T01:00')
    expect(offered('2026-01-05T06:01Z')).toBe('2026-01-05T06:15')
    expect(offered('2026-01-05T06:01Z', DAY + 1)).toBe('2026-01-06T01:00')
    expect(offered('2026-01-05T06:01Z', DAY - 3)).toBe('2026-01-05T06:15')
    expect(keysBegin(DAY, 'Asia/Taipei', at('2026-01-05T06:01Z'), WHOLE_DAY)).toEqual({ from: 855, to: 915 })
    expect(keysBegin(DAY + 1, 'Asia/Taipei', at('2026-01-05T06:01Z'), WHOLE_DAY)).toEqual({
      from: 540,
      to: 600,
    })
  })

  it('selects whole quarters between neighboring bookings, in either direction', () => {
    const busy = [
      { from: 480, to: 545 },
      { from: 660, to: 720 },
    ]
    const limits = freeRangeAround(600, busy, WHOLE_DAY)
    expect(limits).toEqual({ from: 545, to: 660 })
    expect(dragged(610, 640, limits)).toEqual({ from: 600, to: 645 })
    expect(dragged(610, 500, limits)).toEqual({ from: 545, to: 615 })
    expect(dragged(610, 900, limits)).toEqual({ from: 600, to: 660 })
    expect(freeRangeAround(600, [], WHOLE_DAY)).toEqual({ from: 0, to: 1440 })
    expect(freeRangeAround(600, [], { from: 420, to: 1260 })).toEqual({ from: 420, to: 1260 })
  })

  it('shows seven to twenty-one, and more if a booking lies outside', () => {
    expect(hoursWith([])).toEqual({ from: 420, to: 1260 })
    expect(hoursWith([{ from: 540, to: 600 }])).toEqual({ from: 420, to: 1260 })
    expect(
      hoursWith([
        { from: 395, to: 450 },
        { from: 1260, to: 1275 },
      ]),
    ).toEqual({ from: 360, to: 1320 })
    expect(percentOf(420, { from: 420, to: 1260 })).toBe('0%')
    expect(percentOf(1050, { from: 420, to: 1260 })).toBe('75%')
    expect(keysBegin(DAY, 'Asia/Taipei', at('2026-01-05T14:01Z'), { from: 420, to: 1260 })).toEqual({
      from: 540,
      to: 600,
    })
    expect(nudgeRange({ from: 420, to: 480 }, -15, false, { from: 420, to: 1260 })).toEqual({
      from: 420,
      to: 480,
    })
  })

  it('moves and resizes by keyboard within its bounds', () => {
    expect(nudgeRange({ from: 0, to: 60 }, -15, false, WHOLE_DAY)).toEqual({ from: 0, to: 60 })
    expect(nudgeRange({ from: 1380, to: 1440 }, 15, false, WHOLE_DAY)).toEqual({ from: 1380, to: 1440 })
    expect(nudgeRange({ from: 60, to: 75 }, -15, true, WHOLE_DAY)).toEqual({ from: 60, to: 75 })
    expect(nudgeRange({ from: 60, to: 75 }, 15, true, WHOLE_DAY)).toEqual({ from: 60, to: 90 })
  })
})
