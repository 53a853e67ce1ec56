import { describe, expect, it } from 'vitest'
import { isPartly } from '../../../../src/ui/chart/partly.ts'
import { HOUR } from './support.ts'

describe('a figure that lacks something', () => {
  const day = { from: 0, to: 24 * HOUR }
  it('says so once its time is over, however little that is', () => {
    expect(isPartly(0.001, day, 24 * HOUR)).toBe(true)
    expect(isPartly(0, day, 24 * HOUR)).toBe(false)
  })
  it('says so while its time runs when more is missing than may still be on its way', () => {
    const at = 10 * HOUR
    expect(isPartly(0.05, day, at)).toBe(false)
    expect(isPartly(0.051, day, at)).toBe(true)
    expect(isPartly(1, day, 0.5 * HOUR)).toBe(false)
  })
})
