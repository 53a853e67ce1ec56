import { describe, expect, it } from 'vitest'
import { decide, FEATURES, may, OPERATIONS, right } from '../../../contract/kernel/permissions.ts'

const nobody = { isRoot: false, permissions: [] }
const root = { isRoot: true, permissions: [] }
const reader = {
  isRoot: false,
  permissions: [{ FeatureKey: 'room' as const, OperationList: ['Read' as const] }],
}

describe('the policy', () => {
  it('keeps features and operations in the order of the specification', () => {
    expect(FEATURES).toHaveLength(21)
    expect(OPERATIONS).toEqual(['Read', 'Create', 'Update', 'Delete', 'Export', 'Control'])
  })

  it('allows the owner everything and a person without rights nothing', () => {
    for (const feature of FEATURES)
      for (const operation of OPERATIONS) {
        expect(may(root, feature, operation)).toBe(true)
        expect(may(nobody, feature, operation)).toBe(false)
      }
  })

  it('grants exactly the listed rights', () => {
    for (const feature of FEATURES)
      for (const operation of OPERATIONS)
        expect(may(reader, feature, operation)).toBe(feature === 'room' && operation === 'Read')
  })

  it('names the missing rights', () => {
    expect(decide('public', undefined)).toBe(true)
    expect(decide('signed-in', undefined)).toBe('sign-in')
    expect(decide('signed-in', nobody)).toBe(true)
    expect(decide('root', reader)).toBe('root')
    expect(decide('root', root)).toBe(true)
    expect(decide(right('room', 'Delete'), undefined)).toBe('sign-in')
    expect(decide(right('room', 'Delete'), reader)).toEqual({ feature: 'room', operation: 'Delete' })
    expect(decide(right('room', 'Read'), reader)).toBe(true)
  })
})
