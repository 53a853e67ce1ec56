import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupState, switchValues } from '../../../../src/resources/group/group-state.ts'

const of = (...values: (number | undefined)[]) =>
  groupState(
    '516',
    values.map((Switch) => (Switch === undefined ? undefined : { Switch })),
  )

describe('what a group is like', () => {
  it('is on or off when all of its devices are, and some of them otherwise', () => {
    expect(of(1, 1).kind).toBe('allOn')
    expect(of(0, 0).kind).toBe('allOff')
    expect(of(1, 0)).toEqual({ kind: 'someOn', on: 1, off: 1, unknown: 0 })
  })

  it('is never all on or all off while one of them is unknown', () => {
    expect(of(1, undefined).kind).toBe('someOn')
    expect(of(0, undefined)).toEqual({ kind: 'unknown', on: 0, off: 1, unknown: 1 })
    expect(of(undefined, undefined).kind).toBe('unknown')
    expect(of().kind).toBe('unknown')
  })

  it('is that as many report, where devices are neither on nor off', () => {
    expect(groupState('515', [{ BlinkRate: 3 }, undefined]).kind).toBe('reporting')
  })

  it('counts every device once', () => {
    const states = fc.array(fc.constantFrom(0, 1, undefined), { maxLength: 8 })
    fc.assert(
      fc.property(states, (values) => {
        const { on, off, unknown } = of(...values)
        expect(on + off + unknown).toBe(values.length)
      }),
    )
  })

  it('is switched by all relays of its type, and not at all where there are none', () => {
    expect(switchValues('534', undefined, 1)).toEqual({ Switch1: 1, Switch2: 1 })
    expect(switchValues('515', undefined, 1)).toBeUndefined()
  })
})
