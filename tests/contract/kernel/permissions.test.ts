import { describe, expect, it } from 'vitest'
import {
  decide,
  EVERYWHERE,
  type FeatureKey,
  FEATURES,
  may,
  type Operation,
  OPERATIONS,
  right,
  SOMEWHERE,
} from '../../../contract/kernel/permissions.ts'

const rights = (FeatureKey: FeatureKey, ...OperationList: Operation[]) => ({ FeatureKey, OperationList })
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
        expect(may(root, feature, operation, EVERYWHERE)).toBe(true)
        expect(may(nobody, feature, operation, SOMEWHERE)).toBe(false)
      }
  })

  it('grants exactly the listed rights', () => {
    for (const feature of FEATURES)
      for (const operation of OPERATIONS)
        expect(may(reader, feature, operation, EVERYWHERE)).toBe(feature === 'room' && operation === 'Read')
  })

  it('names the missing rights', () => {
    expect(decide('public', undefined, SOMEWHERE)).toBe(true)
    expect(decide('signed-in', undefined, SOMEWHERE)).toBe('sign-in')
    expect(decide('signed-in', nobody, SOMEWHERE)).toBe(true)
    expect(decide('root', reader, SOMEWHERE)).toBe('root')
    expect(decide('root', root, SOMEWHERE)).toBe(true)
    expect(decide(right('room', 'Delete'), undefined, SOMEWHERE)).toBe('sign-in')
    expect(decide(right('room', 'Delete'), reader, SOMEWHERE)).toEqual({
      feature: 'room',
      operation: 'Delete',
    })
    expect(decide(right('room', 'Read'), reader, SOMEWHERE)).toBe(true)
  })

  it('adds rights at named sites to those at every site', () => {
    const operator = {
      ...reader,
      homeGrants: [
        { HomeIDs: ['a', 'b'], Permissions: [rights('device', 'Read', 'Control')] },
        { HomeIDs: ['c'], Permissions: [rights('conference_room', 'Read')] },
      ],
    }
    expect(
      (['a', 'b', 'c', 'd', EVERYWHERE, SOMEWHERE] as const).filter((place) =>
        may(operator, 'device', 'Control', place),
      ),
    ).toEqual(['a', 'b', SOMEWHERE])
    expect((['a', 'd', EVERYWHERE] as const).every((place) => may(operator, 'room', 'Read', place))).toBe(
      true,
    )
    expect(decide(right('device', 'Read'), operator, 'c')).toEqual(right('device', 'Read'))
  })

  it('shows a person the names of those sites where they have a right', () => {
    const operator = {
      isRoot: false,
      permissions: [],
      homeGrants: [
        { HomeIDs: ['a'], Permissions: [rights('device', 'Read')] },
        { HomeIDs: ['b'], Permissions: [rights('conference_room', 'Read')] },
        { HomeIDs: ['c'], Permissions: [rights('device')] },
      ],
    }
    const places = ['a', 'b', 'c', SOMEWHERE, EVERYWHERE] as const
    expect(places.filter((place) => decide('homes', operator, place) === true)).toEqual(['a', 'b', SOMEWHERE])
    expect(places.filter((place) => decide('rooms', operator, place) === true)).toEqual(['a', SOMEWHERE])
    expect(places.filter((place) => decide('alarms', operator, place) === true)).toEqual(['a', SOMEWHERE])
  })
})
