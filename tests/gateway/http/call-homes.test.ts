import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../contract/index.ts'
import type { AnyEndpoint, SiteClass } from '../../../contract/kernel/define-endpoint.ts'
import { EVERYWHERE, SOMEWHERE } from '../../../contract/kernel/permissions.ts'
import { assertLimited, accessPlaceOf } from '../../../gateway/http/call-homes.ts'
import type { Actor } from '../../../gateway/kernel/context.ts'

const actor = {
  isRoot: false,
  permissions: [],
  homeGrants: [{ HomeIDs: ['a'], Permissions: [{ FeatureKey: 'room', OperationList: ['Read'] }] }],
} as unknown as Actor
const colleague = { ...actor, homeGrants: [] }
const callOf = (sites: SiteClass, mutates = false) =>
  endpoints.find((one) => one.sites === sites && one.mutates === mutates) as AnyEndpoint

describe('the place at which a call needs its right', () => {
  it.each([
    ['input', false, { HomeID: 'a' }, 'a'],
    ['orCompany', true, { HomeID: 'a' }, 'a'],
    ['orCompany', true, { HomeID: null }, EVERYWHERE],
    ['orCompany', true, {}, EVERYWHERE],
    ['mixed', false, { HomeID: 'a' }, 'a'],
    ['mixed', false, {}, SOMEWHERE],
    ['record', true, {}, SOMEWHERE],
    ['company', true, {}, EVERYWHERE],
    ['company', false, {}, SOMEWHERE],
    ['none', false, {}, SOMEWHERE],
    ['input', false, { HomeID: ['a'] }, SOMEWHERE],
    ['input', false, [], SOMEWHERE],
    ['input', false, null, SOMEWHERE],
  ] as const)('of class %s (mutation: %s) with %o is %o', (sites, mutates, body, place) => {
    expect(accessPlaceOf(callOf(sites, mutates), body, actor)).toBe(place)
  })

  it('is none if the person may not know the home', () => {
    for (const id of ['b', '__proto__', 'x'.repeat(10_000)])
      expect(() => accessPlaceOf(callOf('input'), { HomeID: id }, actor)).toThrow(`Home ${id} does not exist`)
    expect(accessPlaceOf(callOf('input'), { HomeID: 'b' }, colleague)).toBe('b')
  })
})

describe('an answer to a person with rights at single homes', () => {
  const answer =
    (sites: SiteClass, results: unknown, hasDecided = true, person: Actor = actor) =>
    () =>
      assertLimited(callOf(sites), person, { hasDecided, results })

  it('fails if its handler has not decided about homes', () => {
    expect(answer('mixed', [], false)).toThrow(/does not decide/)
    expect(answer('record', [], false)).toThrow(/does not decide/)
    expect(answer('input', [], false)).not.toThrow()
    expect(answer('mixed', [], false, colleague)).not.toThrow()
  })

  it('fails if it names a home that they may not know, at any depth', () => {
    expect(answer('mixed', [{ HomeID: 'a' }, { HomeID: null }])).not.toThrow()
    for (const results of [
      [{ HomeID: 'a' }, { HomeID: 'b' }],
      { Rows: [{ Place: { HomeID: 'b' } }] },
      { HomeIDs: ['a', 'b'] },
    ]) {
      expect(answer('mixed', results)).toThrow(/home b/)
      expect(answer('mixed', results, true, colleague)).not.toThrow()
    }
  })

  it('may name any home by its id where it is about the company', () => {
    expect(answer('company', [{ HomeIDs: ['b'] }])).not.toThrow()
  })
})
