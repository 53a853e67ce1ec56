import { describe, expect, it } from 'vitest'
import { isPaper } from '../../../../src/domain/floor/plan-image.tsx'

const points = (...colours: readonly (readonly number[])[]) => Array.from({ length: 12 }, (_, i) => colours[i % colours.length] ?? []).flat() // prettier-ignore
const WHITE = [255, 255, 255, 255]
const BLACK = [0, 0, 0, 255]
const CLEAR = [0, 0, 0, 0]

describe('a plan', () => {
  it.each([
    ['of lines on white', points(WHITE, WHITE, WHITE, WHITE, BLACK, WHITE), true],
    ['of coloured rooms on white', points(WHITE, [200, 230, 255, 255], [255, 236, 200, 255]), true],
    ['of lines on nothing', points(CLEAR, CLEAR, CLEAR, BLACK, CLEAR, CLEAR), true],
    ['drawn on black', points(BLACK, BLACK, WHITE), false],
    [
      'that is an aerial photograph',
      points([96, 110, 82, 255], [140, 128, 118, 255], [70, 90, 60, 255]),
      false,
    ],
    ['of which nothing is known', [], false],
  ])('%s', (_, pixels, expected) => {
    expect(isPaper(pixels)).toBe(expected)
  })
})
