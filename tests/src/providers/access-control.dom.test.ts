import { afterEach, describe, expect, it } from 'vitest'
import type { FeatureKey, Operation } from '../../../contract/kernel/permissions.ts'
import { me } from '../../../src/data/session.ts'
import { accessControlProvider } from '../../../src/providers/refine-frame.tsx'

const signIn = (FeatureKey: FeatureKey, ...OperationList: Operation[]) =>
  me.set({
    CognitoId: 'a',
    RootCognitoId: 'b',
    Permissions: [{ FeatureKey, OperationList }],
  } as never)
const can = (action: string, meta?: object) =>
  accessControlProvider
    .can({ resource: 'automation', action, params: meta && { meta } })
    .then((answer) => answer.can)
const before = me.get()
afterEach(() => me.set(before))

describe('rights that depend on the type of a record', () => {
  it('are those of the type of the record', async () => {
    signIn('schedule', 'Update')
    expect(await can('edit', { AutomationType: 1 })).toBe(true)
    expect(await can('edit', { AutomationType: 2 })).toBe(true)
    expect(await can('edit', { AutomationType: 3 })).toBe(false)
    expect(await can('delete', { AutomationType: 1 })).toBe(false)
  })

  it('allow a list of all types with the right to any of them', async () => {
    signIn('smart_link', 'Read')
    expect(await can('list')).toBe(true)
    expect(await can('list', { AutomationType: 1 })).toBe(false)
    expect(await can('create')).toBe(false)
  })

  it('name what is missing', async () => {
    signIn('home', 'Read')
    const answer = await accessControlProvider.can({
      resource: 'automation',
      action: 'create',
      params: { meta: { AutomationType: 1 } },
    })
    expect(answer).toMatchObject({ can: false, reason: expect.any(String) })
  })
})
