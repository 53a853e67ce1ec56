import { describe, expect, it } from 'vitest'
import { formatPower, formatReading } from '../../../src/lib/format-power.ts'

describe('displayed power', () => {
  it.each([
    [0, '0'],
    [undefined, '0'],
    [null, '0'],
    [Number.NaN, '0'],
    [0.0004, '0'],
    [0.0605, '0.061'],
    [0.5, '0.500'],
    [0.9999, '1.00'],
    [1, '1.00'],
    [12.345, '12.35'],
    [99.999, '100'],
    [100, '100'],
    [150.99, '150'],
    [1234.5, '1,234'],
    [-0.25, '-0.250'],
    [-250.9, '-250'],
  ])('shows %s as %s', (value, shown) => {
    expect(formatPower(value)).toBe(shown)
  })
})

describe('other readings', () => {
  it("have the user's decimal places", () => {
    expect(formatReading(220.456, 0)).toBe('220')
    expect(formatReading(220.456, 2)).toBe('220.46')
    expect(formatReading(12345.6, 1)).toBe('12,345.6')
  })

  it('are a dash if missing, not zero', () => {
    expect(formatReading(undefined, 2)).toBe('–')
    expect(formatReading(0, 2)).toBe('0.00')
    expect([formatReading(-0.004, 2), formatReading(-0.006, 2)]).toEqual(['0.00', '-0.01'])
  })
})
