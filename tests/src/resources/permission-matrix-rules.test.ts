import { expect, it } from 'vitest'
import { FEATURES, OPERATIONS } from '../../../contract/features.ts'
import {
  coverage,
  grantsOf,
  permissionsOf,
  toggled,
} from '../../../src/resources/user/permission-matrix-rules.ts'

const none = grantsOf([])

it('grants a whole feature, then takes it all away', () => {
  const row = toggled(none, 'room')
  expect(permissionsOf(row)).toEqual([{ FeatureKey: 'room', OperationList: [...OPERATIONS] }])
  expect(permissionsOf(toggled(row, 'room'))).toEqual([])
})

it('completes a feature that is granted in part', () => {
  const some = toggled(none, 'room', 'Read')
  expect(coverage(some, 'room')).toBe('some')
  expect(coverage(toggled(some, 'room'), 'room')).toBe('all')
})

it('grants one operation on every feature', () => {
  const column = toggled(none, undefined, 'Read')
  expect(column.size).toBe(FEATURES.length)
  expect(coverage(column, undefined, 'Read')).toBe('all')
  expect(coverage(column)).toBe('some')
})

it('writes permissions in the order of the specification, whatever order they were given in', () => {
  const grants = toggled(toggled(toggled(none, 'room', 'Delete'), 'home', 'Read'), 'room', 'Read')
  expect(permissionsOf(grants)).toEqual([
    { FeatureKey: 'home', OperationList: ['Read'] },
    { FeatureKey: 'room', OperationList: ['Read', 'Delete'] },
  ])
})

it('keeps a stored list as it was', () => {
  const stored = [{ FeatureKey: 'device' as const, OperationList: ['Read' as const, 'Update' as const] }]
  expect(permissionsOf(grantsOf(stored))).toEqual(stored)
})
