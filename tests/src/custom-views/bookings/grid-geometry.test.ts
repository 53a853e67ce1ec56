import { describe, expect, it } from 'vitest'
import {
  dragged,
  freeAround,
  minuteOf,
  nudged,
  stretchOf,
} from '../../../../src/custom-views/bookings/grid-geometry.ts'

const at = (text: string) => Date.parse(text)
const DAY = at('2026-01-05T00:00Z') / 86_400_000

describe('the time grid', () => {
  it("places bookings by the room's own clock, cut at its edges", () => {
    expect(minuteOf(at('2026-01-05T01:30Z'), DAY, 'Asia/Taipei')).toBe(570)
    const night = { StartTimestamp: at('2026-01-05T15:00Z'), EndTimestamp: at('2026-01-05T18:00Z') }
    expect(stretchOf(night, DAY, 1, 'Asia/Taipei')).toEqual({ from: 1380, to: 1440 })
    expect(stretchOf(night, DAY + 1, 1, 'Asia/Taipei')).toEqual({ from: 0, to: 120 })
    expect(stretchOf(night, DAY + 2, 1, 'Asia/Taipei')).toBeUndefined()
  })

  it('marks whole quarters between the bookings on either side, in either direction', () => {
    const limits = freeAround(
      600,
      [
        { from: 480, to: 545 },
        { from: 660, to: 720 },
      ],
      1,
    )
    expect(limits).toEqual({ from: 545, to: 660 })
    expect(dragged(610, 640, limits)).toEqual({ from: 600, to: 645 })
    expect(dragged(610, 500, limits)).toEqual({ from: 545, to: 615 })
    expect(dragged(610, 900, limits)).toEqual({ from: 600, to: 660 })
    expect(freeAround(600, [], 7)).toEqual({ from: 0, to: 7 * 1440 })
  })

  it('moves and stretches by keys within itself', () => {
    expect(nudged({ from: 0, to: 60 }, -15, false, 1)).toEqual({ from: 0, to: 60 })
    expect(nudged({ from: 1380, to: 1440 }, 15, false, 1)).toEqual({ from: 1380, to: 1440 })
    expect(nudged({ from: 60, to: 75 }, -15, true, 1)).toEqual({ from: 60, to: 75 })
    expect(nudged({ from: 60, to: 75 }, 15, true, 1)).toEqual({ from: 60, to: 90 })
  })
})
