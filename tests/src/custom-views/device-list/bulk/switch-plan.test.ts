import { describe, expect, it } from 'vitest'
import { mayMoveMachines, switchValues } from '../../../../../src/custom-views/device-list/bulk/actions.ts'

const of = (PeripheralType: string, ControlMode = 0) => ({ PeripheralType, ControlMode })

describe('turning a device on or off', () => {
  it('switches every relay', () => {
    expect(switchValues(of('516'), true)).toEqual({ Switch: 1 })
    expect(switchValues(of('535'), false)).toEqual({ Switch1: 0, Switch2: 0, Switch3: 0 })
  })

  it('says that a sensor or an unknown type has no switch', () => {
    expect(switchValues(of('755'), true)).toBe('cannotSwitch')
    expect(switchValues(of('999'), true)).toBe('cannotSwitch')
  })

  it('skips a device whose control mode hides the switches', () => {
    expect(switchValues(of('516', 2), true)).toBe('hidden')
  })
})

describe('confirmation', () => {
  it('is required for outputs that may start a machine', () => {
    expect(mayMoveMachines(of('517'))).toBe(true)
    expect(mayMoveMachines(of('516'))).toBe(false)
    expect(mayMoveMachines(of('755'))).toBe(false)
  })

  it('is not required for an output that is skipped anyway', () => {
    expect(mayMoveMachines(of('517', 2))).toBe(false)
  })
})
