import { expect, it } from 'vitest'
import { FEATURES, OPERATIONS } from '../../../../../contract/kernel/permissions.ts'
import { PERMISSION_TEMPLATES, TEMPLATE_NAMES } from '../../../../../contract/people/permission-templates.ts'
import {
  coverage,
  difference,
  grantsOf,
  limitedTo,
  permissionsOf,
  toggled,
} from '../../../../../src/resources/user/rights/permission-matrix-rules.ts'

const none = grantsOf([])

it('grants a whole feature, then revokes it', () => {
  const row = toggled(none, 'room')
  expect(permissionsOf(row)).toEqual([{ FeatureKey: 'room', OperationList: [...OPERATIONS] }])
  expect(permissionsOf(toggled(row, 'room'))).toEqual([])
})

it('completes a partly granted feature', () => {
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

it('returns permissions in the order of the specification, from any order', () => {
  const grants = toggled(toggled(toggled(none, 'room', 'Delete'), 'home', 'Read'), 'room', 'Read')
  expect(permissionsOf(grants)).toEqual([
    { FeatureKey: 'home', OperationList: ['Read'] },
    { FeatureKey: 'room', OperationList: ['Read', 'Delete'] },
  ])
})

it('keeps an unchanged stored list', () => {
  const stored = [{ FeatureKey: 'device' as const, OperationList: ['Read' as const, 'Update' as const] }]
  expect(permissionsOf(grantsOf(stored))).toEqual(stored)
})

it('changes only grantable rights, and keeps the others', () => {
  const within = grantsOf([{ FeatureKey: 'room', OperationList: ['Read', 'Update'] }])
  const held = grantsOf([{ FeatureKey: 'room', OperationList: ['Delete'] }])
  const row = toggled(held, 'room', undefined, within)
  expect(permissionsOf(row)).toEqual([{ FeatureKey: 'room', OperationList: ['Read', 'Update', 'Delete'] }])
  expect(coverage(row, 'room', undefined, within)).toBe('all')
  expect(permissionsOf(toggled(row, 'room', undefined, within))).toEqual([
    { FeatureKey: 'room', OperationList: ['Delete'] },
  ])
  expect(toggled(held, 'home', undefined, within)).toEqual(held)
  const wanted = grantsOf([{ FeatureKey: 'room', OperationList: ['Read', 'Control'] }])
  expect(limitedTo(within, wanted)).toEqual({ grants: new Set(['room.Read']), excludedCount: 1 })
})

it('lists added and removed rights', () => {
  const before = [{ FeatureKey: 'room' as const, OperationList: ['Read' as const, 'Update' as const] }]
  const after = [{ FeatureKey: 'room' as const, OperationList: ['Read' as const, 'Delete' as const] }]
  expect(difference(before, after)).toEqual({
    added: [{ FeatureKey: 'room', OperationList: ['Delete'] }],
    removed: [{ FeatureKey: 'room', OperationList: ['Update'] }],
  })
  expect(difference(before, before)).toEqual({ added: [], removed: [] })
})

it('has templates in the format of the matrix', () => {
  for (const name of TEMPLATE_NAMES)
    expect(permissionsOf(grantsOf(PERMISSION_TEMPLATES[name])), name).toEqual(PERMISSION_TEMPLATES[name])
  expect(grantsOf(PERMISSION_TEMPLATES.operator)).toContain('device_control.Control')
  expect(grantsOf(PERMISSION_TEMPLATES.facilityManager)).not.toContain('user.Update')
})
