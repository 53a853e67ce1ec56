import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PERMISSION_TEMPLATES } from '../../../../contract/people/permission-templates.ts'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

let number = 0
const hire = async (who: object) =>
  (
    await root.post('/CreateUser', {
      Email: `hired-${++number}@people.example`,
      password: 'initial1',
      ...who,
    })
  ).results

describe('a page of people', () => {
  it('is filtered by either name order, department and state, and continues where it ended', async () => {
    const { DepartmentID } = (await root.post('/CreateDepartment', { Department: '工務部' })).results
    const ming = await hire({ FirstName: '小明', LastName: '陳', DepartmentID, rank: 4 })
    await hire({ FirstName: 'Ann', LastName: 'Lee', enabled: false, Permissions: [rights('room', 'Read')] })
    await hire({ nickname: '100%' })
    const page = async (input: object) => (await root.post('/ListUserPage', input)).results
    for (const Search of ['陳小明', '小明 陳', '工務'])
      expect((await page({ Search })).Rows, Search).toMatchObject([
        { CognitoId: ming.CognitoId, Department: '工務部' },
      ])
    expect((await page({ Search: 'ann lee' })).Rows).toMatchObject([
      { enabled: false, Rights: 1, Template: null },
    ])
    await hire({ nickname: 'guard', Permissions: PERMISSION_TEMPLATES.operator.toReversed() })
    expect((await page({ Search: 'guard' })).Rows).toMatchObject([{ Template: 'operator' }])
    expect((await page({ Search: '%' })).Total).toBe(1)
    expect((await page({ DepartmentID })).Total).toBe(1)
    expect((await page({ enabled: false })).Total).toBe(1)
    for (const Sort of ['Name', 'Email', 'Department', 'rank']) {
      const whole = (await page({ Sort, Descending: true })).Rows
      const first = await page({ Sort, Descending: true, Limit: 2 })
      const rest = await page({ Sort, Descending: true, Cursor: first.NextCursor })
      expect([...first.Rows, ...rest.Rows], Sort).toEqual(whole)
      expect(rest.NextCursor).toBeNull()
    }
    expect((await page({ Sort: 'rank', Descending: true })).Rows[0]).toMatchObject({ rank: 4 })
    expect(JSON.stringify(await page({}))).not.toContain('OperationList')
  })
})

it('returns one person with their rights, and rejects other companies', async () => {
  const person = await hire({ Permissions: [rights('room', 'Read')] })
  const key = { CognitoId: person.CognitoId }
  expect((await root.post('/GetUser', key)).results).toEqual(person)
  const stranger = await world.signUp()
  expect((await stranger.post('/GetUser', key)).status.code).toBe(ERRORS.NOT_FOUND.code)
})

describe('the list of people who can grant rights', () => {
  it('names the owner and users who can change people, without other data', async () => {
    await hire({ FirstName: '管理', LastName: '林', Permissions: [rights('user', 'Read', 'Update')] })
    await hire({ FirstName: '唯讀', LastName: '林', Permissions: [rights('user', 'Read')] })
    await hire({ FirstName: '停用', LastName: '林', enabled: false, Permissions: [rights('user', 'Update')] })
    await hire({ Permissions: [rights('user', 'Update')] })
    const nobody = await world.createUser(root)
    expect((await nobody.post('/ListGrantors')).results).toEqual([{ Name: 'Owner Test' }, { Name: '林管理' }])
  })

  it('names for one right only its holders, who can grant it', async () => {
    await hire({
      FirstName: '人資',
      LastName: '陳',
      Permissions: [rights('user', 'Read', 'Update'), rights('company', 'Read')],
    })
    const nobody = await world.createUser(root)
    const grantorsOf = async (FeatureKey: string, Operation: string) =>
      (await nobody.post('/ListGrantors', { Right: { FeatureKey, Operation } })).results
    expect(await grantorsOf('company', 'Read')).toEqual([{ Name: 'Owner Test' }, { Name: '陳人資' }])
    expect(await grantorsOf('company', 'Update')).toEqual([{ Name: 'Owner Test' }])
  })
})

describe('checking people of a file', () => {
  it('returns why each would be rejected, and creates no one', async () => {
    const admin = await world.createUser(root, [rights('user', 'Read', 'Create')])
    const other = await world.signUp()
    const fresh = (Email: string, more: object = {}) => ({
      Email,
      DepartmentID: null,
      Permissions: [],
      ...more,
    })
    const People = [
      fresh('new@people.example'),
      fresh(other.email.toUpperCase()),
      fresh('NEW@people.example'),
      fresh('lost@people.example', { DepartmentID: 'nowhere' }),
      fresh('mighty@people.example', { Permissions: [rights('company', 'Update')] }),
      fresh('modest@people.example', { Permissions: [rights('user', 'Read')] }),
    ]
    expect((await admin.post('/CheckUserImport', { People })).results).toEqual([
      // Row 1 belongs to another company and is not disclosed.
      { Row: 2, Field: 'Email', Reason: 'taken' },
      { Row: 3, Field: 'DepartmentID', Reason: 'notFound' },
      { Row: 4, Field: 'Permissions', Reason: 'beyondOwn' },
    ])
    expect((await root.post('/ListUserPage', { Search: 'new@people.example' })).results.Total).toBe(0)
  })

  it('accepts at most 500', async () => {
    const People = Array.from({ length: 501 }, (_, i) => ({
      Email: `many-${i}@people.example`,
      DepartmentID: null,
      Permissions: [],
    }))
    const refused = await root.post('/CheckUserImport', { People })
    expect(refused.status).toMatchObject({ code: ERRORS.INVALID.code })
  })
})

describe('a link for a new password', () => {
  const askFor = (caller: Caller, Email: string) => caller.post('/ResetUserPassword', { Email })
  const asking = async (work: () => Promise<void>) => {
    world.mail.isDelivered = true
    await work().finally(() => (world.mail.isDelivered = false))
  }

  it('is rejected for a person with more rights, disabled or unknown, and without mail', async () => {
    const strong = await hire({ Permissions: [rights('user', 'Update'), rights('room', 'Delete')] })
    const off = await hire({ enabled: false })
    const weak = await world.createUser(root, [rights('user', 'Read', 'Update')])
    expect(await askFor(root, strong.Email)).toMatchObject({ status: { code: ERRORS.CONFLICT.code } })
    await asking(async () => {
      const sent = world.mails.length
      expect(await askFor(weak, strong.Email)).toMatchObject({
        status: { code: ERRORS.PERMISSION_DENIED.code },
      })
      expect(await askFor(root, off.Email)).toMatchObject({
        status: { code: ERRORS.CONFLICT.code, fields: { Email: 'disabled' } },
      })
      expect(await askFor(root, 'nobody@people.example')).toMatchObject({
        status: { code: ERRORS.NOT_FOUND.code },
      })
      expect(world.mails).toHaveLength(sent)
    })
  })

  it('is emailed for an administrator, sets the password within a day, and ends every sign-in', () =>
    asking(async () => {
      const { Email } = await hire({ FirstName: 'Locked', LastName: 'Out' })
      expect(await askFor(root, Email)).toMatchObject({ status: { code: 0 }, results: { Email } })
      const { to, text } = world.mails.at(-1)!
      expect(to).toBe(Email)
      const given = new URLSearchParams(new URL(/http\S+/.exec(text)![0]).hash.slice(1))
      world.clock.advance(23 * 3_600_000)
      const input = { Email, ConfirmationCode: given.get('code'), NewPassword: 'chosen 1' }
      expect((await world.post('/ConfirmForgotPassword', input)).status.code).toBe(0)
      expect((await world.signIn(Email, 'chosen 1')).token).toBeTruthy()
      const { results } = await root.post('/ListAuditPage', { Limit: 1 })
      expect(JSON.stringify(results ?? {})).not.toContain(given.get('code'))
    }))
})
