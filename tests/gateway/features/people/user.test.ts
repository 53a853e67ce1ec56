import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const said = (cognitoId: string) =>
  world.events.filter(
    ({ name, event }) => name === 'personChanged' && 'cognitoId' in event && event.cognitoId === cognitoId,
  )

describe('people', () => {
  it('have unique addresses, regardless of case', async () => {
    const email = (await world.createUser(root)).email
    const again = { Email: email.toUpperCase(), password: 'initial1' }
    expect((await root.post('/CreateUser', again)).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Email: 'taken' },
    })
  })

  it('lose a right with their sign-in at their next call, and are notified', async () => {
    const person = await world.createUser(root, [rights('room', 'Read')])
    expect((await person.post('/ListRoom')).status.code).toBe(0)
    await root.post('/UpdateUserInfo', { Email: person.email, Permissions: [] })
    expect((await person.post('/ListRoom')).status.code).toBe(ERRORS.UNAUTHENTICATED.code)
    const again = await world.signIn(person.email, person.password)
    expect((await again.post('/ListRoom')).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
    expect(said(person.cognitoId)).toContainEqual({
      name: 'personChanged',
      event: { tenant: root.tenant, cognitoId: person.cognitoId, change: 'permissions' },
    })
  })

  it('are signed out immediately when disabled or deleted', async () => {
    for (const end of ['/UpdateUserInfo', '/DeleteUser']) {
      const person = await world.createUser(root, [rights('room', 'Read')])
      await root.post(end, { Email: person.email, ...(end === '/UpdateUserInfo' && { enabled: false }) })
      expect((await person.post('/ListRoom')).status.code).toBe(ERRORS.UNAUTHENTICATED.code)
      await expect(world.signIn(person.email, person.password)).rejects.toThrow(/NotAuthorized/)
    }
  })

  it('keep their rights if only their name changes', async () => {
    const person = await world.createUser(root, [rights('room', 'Read')])
    await root.post('/UpdateUserInfo', { Email: person.email, nickname: '阿明' })
    expect((await person.post('/ListRoom')).status.code).toBe(0)
  })

  it('cannot change their own rights or grant rights they do not hold', async () => {
    const admin = await world.createUser(root, [rights('user', 'Read', 'Create', 'Update', 'Delete')])
    const own = { Email: admin.email, Permissions: [rights('company', 'Update')] }
    expect((await admin.post('/UpdateUserInfo', own)).status.code).toBe(ERRORS.CONFLICT.code)
    const beyond = {
      Email: 'beyond@example.com',
      password: 'initial1',
      Permissions: [rights('company', 'Update')],
    }
    expect((await admin.post('/CreateUser', beyond)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
    expect((await admin.post('/DeleteUser', { Email: admin.email })).status.code).toBe(ERRORS.CONFLICT.code)
  })

  it('cannot sign in as a person with more rights by giving them a new password', async () => {
    const admin = await world.createUser(root, [rights('user', 'Read', 'Update')])
    const mighty = await world.createUser(root, [rights('company', 'Update')])
    const refused = await admin.post('/UpdateUserInfo', { Email: mighty.email, password: 'initial1' })
    expect(refused.status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
      fields: { Email: 'stronger' },
    })
    expect((await world.signIn(mighty.email, mighty.password)).cognitoId).toBe(mighty.cognitoId)
    const equal = await world.createUser(root, [rights('user', 'Read')])
    const helped = await admin.post('/UpdateUserInfo', { Email: equal.email, password: 'initial1' })
    expect(helped.status.code).toBe(0)
  })

  it.each([
    ['strip', '/UpdateUserInfo', { Permissions: [] }],
    ['rename', '/UpdateUserInfo', { nickname: '小王' }],
    ['disable', '/UpdateUserInfo', { enabled: false }],
    ['delete', '/DeleteUser', {}],
  ])('cannot %s a person who holds rights that they do not', async (_, call, more) => {
    const admin = await world.createUser(root, [rights('user', 'Read', 'Update', 'Delete')])
    const mighty = await world.createUser(root, [rights('user', 'Read'), rights('company', 'Update')])
    const { status } = await admin.post(call, { Email: mighty.email, ...more })
    expect(status).toMatchObject({ code: ERRORS.PERMISSION_DENIED.code, fields: { Email: 'stronger' } })
    const kept = (await root.post('/GetUser', { CognitoId: mighty.cognitoId })).results
    expect(kept).toMatchObject({ enabled: true, nickname: '', Version: 1 })
    expect(kept.Permissions).toHaveLength(2)
  })

  it('have to sign in again when their rights change: earlier tokens are rejected and not refreshed', async () => {
    const person = await world.createUser(root, [rights('room', 'Read')])
    const Permissions = [rights('room', 'Read', 'Update')]
    expect((await root.post('/UpdateUserInfo', { Email: person.email, Permissions })).status.code).toBe(0)
    for (const call of ['/ListRoom', '/InitializeUser', '/ConnectRealtime', '/ListSessions'])
      expect((await person.post(call)).status.code).toBe(ERRORS.UNAUTHENTICATED.code)
    expect(await world.gateway.identity.findSessions([person.cognitoId])).toEqual(new Map())
  })

  it('change their own password only with the present one', async () => {
    const admin = await world.createUser(root, [rights('user', 'Read', 'Update')])
    for (const caller of [admin, root])
      expect(
        (await caller.post('/UpdateUserInfo', { Email: caller.email, password: 'initial1' })).status,
      ).toMatchObject({
        code: ERRORS.CONFLICT.code,
        fields: { password: 'ownPassword' },
      })
  })

  it('reject an update with an outdated version', async () => {
    const person = await world.createUser(root)
    const { Version } = (await root.post('/GetUser', { CognitoId: person.cognitoId })).results
    const first = await root.post('/UpdateUserInfo', { Email: person.email, rank: 5, Version })
    expect(first.results).toMatchObject({ rank: 5, Version: Version + 1 })
    const second = await root.post('/UpdateUserInfo', { Email: person.email, rank: 9, Version })
    expect(second.status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { Version: 'changed' } })
    expect((await root.post('/GetUser', { CognitoId: person.cognitoId })).results).toMatchObject({ rank: 5 })
    const knowing = { Email: person.email, rank: 9, Version: Version + 1 }
    expect((await root.post('/UpdateUserInfo', knowing)).results).toMatchObject({ rank: 9 })
    const [one, other] = await Promise.all(
      [1, 2].map((rank) => root.post('/UpdateUserInfo', { Email: person.email, rank, Version: Version + 2 })),
    )
    expect([one?.status.code, other?.status.code].sort()).toEqual([0, ERRORS.CONFLICT.code])
  })

  it('never lock the owner out', async () => {
    const admin = await world.createUser(root, [rights('user', 'Read', 'Update', 'Delete')])
    for (const [caller, path, change] of [
      [root, '/UpdateUserInfo', { enabled: false }],
      [root, '/DeleteUser', {}],
      [admin, '/DeleteUser', {}],
      [admin, '/UpdateUserInfo', { enabled: false }],
      [admin, '/UpdateUserInfo', { password: 'initial1' }],
    ] as const)
      expect((await caller.post(path, { Email: root.email, ...change })).status.code).not.toBe(0)
    expect((await root.post('/ListHome')).status.code).toBe(0)
  })

  it('belong to an existing department, which cannot be deleted meanwhile', async () => {
    const { DepartmentID } = (await root.post('/CreateDepartment', { Department: '廠務部' })).results
    const person = await world.createUser(root)
    expect(
      (await root.post('/UpdateUserInfo', { Email: person.email, DepartmentID: 'nowhere' })).status.code,
    ).toBe(ERRORS.NOT_FOUND.code)
    await root.post('/UpdateUserInfo', { Email: person.email, DepartmentID })
    expect((await root.post('/DeleteDepartment', { DepartmentID })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { DepartmentID: 'members' },
    })
    await root.post('/DeleteUser', { Email: person.email })
    expect((await root.post('/DeleteDepartment', { DepartmentID })).status.code).toBe(0)
  })
})
