import { describe, expect, it } from 'vitest'
import { linePower } from '../../../../gateway/domain/meters/meter-limit.ts'

describe('the power of a meter that measures only current', () => {
  it('is volts times amperes on one phase, √3 of it on three, and one phase by default', () => {
    expect(linePower(10, { Voltage: 220, PhaseElectricPower: 1 })).toBe(2200)
    expect(linePower(10, { Voltage: 220, PhaseElectricPower: null })).toBe(2200)
    expect(linePower(10, { Voltage: 380, PhaseElectricPower: 3 })).toBeCloseTo(6581.8, 1)
  })
})
