import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupState, switchValues } from '../../../../src/resources/group/group-state.ts'

const of = (...values: (number | undefined)[]) =>
  groupState(
    '516',
    values.map((Switch) => (Switch === undefined ? undefined : { Switch })),
  )

describe('the state of a group', () => {
  it('is on or off if all of its devices are, and mixed otherwise', () => {
    expect(of(1, 1).kind).toBe('allOn')
    expect(of(0, 0).kind).toBe('allOff')
    expect(of(1, 0)).toEqual({ kind: 'someOn', onCount: 1, offCount: 1, unknownCount: 0 })
  })

  it('is never all on or all off if one of them is unknown', () => {
    expect(of(1, undefined).kind).toBe('someOn')
    expect(of(0, undefined)).toEqual({ kind: 'unknown', onCount: 0, offCount: 1, unknownCount: 1 })
    expect(of(undefined, undefined).kind).toBe('unknown')
    expect(of().kind).toBe('unknown')
  })

  it('is the number of reporting devices if they have no on and off', () => {
    expect(groupState('515', [{ BlinkRate: 3 }, undefined]).kind).toBe('reporting')
  })

  it('is open for covers while one is not closed, moving or not', () => {
    const [closed, open, closing] = [1, 2, 4].map((CoverState) => ({ CoverState, Move: 1 }))
    expect(groupState('901', [closed, closed]).kind).toBe('allOff')
    expect(groupState('901', [open, closing]).kind).toBe('allOn')
    expect(groupState('902', [closed, open])).toEqual({
      kind: 'someOn',
      onCount: 1,
      offCount: 1,
      unknownCount: 0,
    })
    expect(groupState('901', [{ Position: 3 }]).kind).toBe('reporting')
  })

  it('is on for thermostats while any zone is', () => {
    const [on, off] = [1, 0].map((Switch) => ({ ThermostatTable: [{ NodeID: 1, Switch }] }))
    expect(groupState('525', [off, off]).kind).toBe('allOff')
    expect(groupState('525', [off, on]).kind).toBe('someOn')
  })

  it('counts every device once', () => {
    const states = fc.array(fc.constantFrom(0, 1, undefined), { maxLength: 8 })
    fc.assert(
      fc.property(states, (values) => {
        const { onCount, offCount, unknownCount } = of(...values)
        expect(onCount + offCount + unknownCount).toBe(values.length)
      }),
    )
  })

  it('switches all relays of its type, and nothing if there are none', () => {
    expect(switchValues('534', undefined, 1)).toEqual({ Switch1: 1, Switch2: 1 })
    expect(switchValues('515', undefined, 1)).toBeUndefined()
  })
})
