import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../../../contract/features.ts'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { type Caller, rights, type World } from '../../../../support/world.ts'
import { schedule, startBuilding } from './support.ts'

const ACTING = [rights('schedule', 'Read', 'Create', 'Update'), rights('device_control', 'Control')]
/** May change people, and holds what the person above holds. */
const ADMIN = [rights('user', 'Read', 'Create', 'Update', 'Delete'), ...ACTING]

let world: World
let root: Caller
let HomeID: string
let owner: Caller
let key: { AutomationType: number; AutomationID: string }

beforeAll(async () => ({ world, root, HomeID } = await startBuilding()))
afterAll(() => world.close())
beforeEach(async () => {
  owner = await world.createUser(root, ACTING)
  const { AutomationID } = (await owner.post('/CreateAutomation', schedule(HomeID))).results
  key = { AutomationType: 1, AutomationID }
})

const rule = async () =>
  (await root.post('/ListAutomation', { AutomationType: 1, HomeID })).results.find(
    ({ AutomationID }: { AutomationID: string }) => AutomationID === key.AutomationID,
  )
const grant = (by: Caller, Permissions: Permission[]) =>
  by.post('/UpdateUserInfo', { Email: owner.email, Permissions })
const takenOver = async () =>
  (await root.post('/ListAuditLog', { Path: '/TakeOverAutomation', Search: key.AutomationID })).results.Rows

describe('the automations of a person who', () => {
  it('is deleted go over to whoever deleted them, with a row of the audit', async () => {
    expect((await root.post('/DeleteUser', { Email: owner.email })).status.code).toBe(0)
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: root.cognitoId })
    expect(await takenOver()).toEqual([
      expect.objectContaining({
        Before: expect.objectContaining({ OwnerID: owner.cognitoId }),
        After: expect.objectContaining({ OwnerID: root.cognitoId }),
      }),
    ])
  })

  it('is disabled go over as well', async () => {
    await root.post('/UpdateUserInfo', { Email: owner.email, enabled: false })
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: root.cognitoId })
  })

  it.each([
    ['Control', [rights('schedule', 'Read')]],
    ['the right to read them', [rights('device_control', 'Control')]],
  ])('loses %s go over as well', async (_right, left) => {
    expect((await grant(root, left)).status.code).toBe(0)
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: root.cognitoId })
  })

  it('loses another right stay theirs', async () => {
    await grant(root, [rights('schedule', 'Read'), rights('device_control', 'Control')])
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: owner.cognitoId })
    expect(await takenOver()).toEqual([])
  })

  it('is deleted by somebody without Control are suspended until somebody takes them over', async () => {
    await grant(root, [...ACTING.slice(0, 1), rights('device_control', 'Control')])
    const clerk = await world.createUser(root, [rights('user', 'Read', 'Update', 'Delete')])
    // Nobody deletes a person who holds more than they do: the owner loses it first, from a person who cannot answer either.
    await world.db.query({
      name: 'empty',
      text: 'update users set permissions = $1 where cognito_id = $2',
      values: ['[]', owner.cognitoId],
    })
    expect((await clerk.post('/DeleteUser', { Email: owner.email })).status.code).toBe(0)
    expect(await rule()).toMatchObject({
      State: 'suspended',
      OwnerID: null,
      OwnerName: null,
      Problem: { Reason: 'ownerGone', Since: expect.any(Number) },
    })
    const taken = await root.post('/TakeOverAutomation', key)
    expect(taken.results).toMatchObject({ State: 'ready', OwnerID: root.cognitoId, Problem: null })
  })

  it('gets the right back act again', async () => {
    const clerk = await world.createUser(root, [
      rights('user', 'Read', 'Update'),
      rights('schedule', 'Read', 'Create', 'Update'),
    ])
    await world.db.query({
      name: 'only-read',
      text: 'update users set permissions = $1 where cognito_id = $2',
      values: [JSON.stringify([rights('schedule', 'Read', 'Update')]), owner.cognitoId],
    })
    await grant(clerk, [rights('schedule', 'Read')])
    expect(await rule()).toMatchObject({ State: 'suspended', Problem: { Reason: 'noRight' } })
    await grant(root, ACTING)
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: owner.cognitoId, Problem: null })
  })

  it('is about to lose them are listed before', async () => {
    const asked = { Subject: 'person', ID: owner.cognitoId }
    expect((await root.post('/ListUsedBy', asked)).results).toEqual({
      Rows: [
        expect.objectContaining({
          Kind: 'automation',
          ID: key.AutomationID,
          Role: 'owner',
          AutomationType: 1,
        }),
      ],
      Hidden: 0,
    })
    const blind = await world.createUser(root, [rights('user', 'Read')])
    expect((await blind.post('/ListUsedBy', asked)).results).toEqual({ Rows: [], Hidden: 1 })
  })
})

describe('taking over', () => {
  it('needs Control', async () => {
    const person = await world.createUser(root, [rights('schedule', 'Read', 'Update')])
    expect((await person.post('/TakeOverAutomation', key)).status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
      missing: { feature: 'device_control', operation: 'Control' },
    })
  })

  it('is kept in the audit', async () => {
    const admin = await world.createUser(root, ADMIN)
    await admin.post('/TakeOverAutomation', key)
    expect(await takenOver()).toHaveLength(1)
    expect((await rule()).OwnerID).toBe(admin.cognitoId)
  })
})
