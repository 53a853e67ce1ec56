import { describe, expect, it } from 'vitest'
import { isPartly } from '../../../../src/ui/chart/partly.ts'
import { HOUR } from './support.ts'

describe('a partly known value', () => {
  const day = { from: 0, to: 24 * HOUR }
  it('is marked once its time has ended, however little is missing', () => {
    expect(isPartly(0.001, day, 24 * HOUR)).toBe(true)
    expect(isPartly(0, day, 24 * HOUR)).toBe(false)
  })
  it('is marked while its time runs if more is missing than may still arrive', () => {
    const at = 10 * HOUR
    expect(isPartly(0.05, day, at)).toBe(false)
    expect(isPartly(0.051, day, at)).toBe(true)
    expect(isPartly(1, day, 0.5 * HOUR)).toBe(false)
  })
})
