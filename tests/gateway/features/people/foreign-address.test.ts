import { CompactEncrypt, importJWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Caller, PASSWORD, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.mail.isDelivered = false
  world.clock.advance(3_600_000)
  root = await world.signUp()
  world.mails.length = 0
})

let addresses = 0
const unknownAddress = () => `unknown-${(addresses += 1)}@example.com`
/** Address of an account of another company. */
const foreignAccount = async () => world.createUser(await world.signUp())

const sealed = async (password: string) => {
  const jwk = await world.gateway.identity.signUpKey()
  return new CompactEncrypt(new TextEncoder().encode(password))
    .setProtectedHeader({ alg: jwk.alg as string, enc: 'A256GCM', kid: jwk.kid as string })
    .encrypt(await importJWK(jwk))
}

/** Records responses about an address without the address, ids and link secrets, which differ between any two people. */
function recorderOf(address: string) {
  const answers: unknown[] = []
  const rest = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(new RegExp(address, 'gi'), 'ADDRESS')
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
        .replaceAll(/#[\w-]{43}/g, '#SECRET')
        .replaceAll(/已刪除 Deleted \w{8}/g, 'PSEUDONYM'),
    )
  return {
    answers,
    call: async (path: string, body: object, by: Pick<Caller, 'post'> = root) => {
      const {
        http,
        status: { requestId: _, ...status },
        results,
      } = await by.post(path, body)
      answers.push(rest({ path, http, status, results }))
      return results
    },
  }
}

/** All data that a company can read of a person. */
async function readAll(call: ReturnType<typeof recorderOf>['call'], Email: string) {
  await call('/ListUser', {})
  for (const Sort of ['Name', 'Email']) await call('/ListUserPage', { Sort })
  await call('/ListUserPage', { Search: Email.split('@')[0] })
  await call('/ListUserPage', { Invited: true })
  await call('/SearchColleague', { Search: Email.split('@')[0] })
  await call('/CheckUserImport', { People: [{ Email, DepartmentID: null, Permissions: [] }] })
  await call('/WebPushBroadcast', { Title: 'Notice', Text: 'To all' })
}

const SEQUENCES: Record<
  string,
  (call: ReturnType<typeof recorderOf>['call'], Email: string) => Promise<void>
> = {
  'a person with an initial password': async (call, Email) => {
    const create = { Email, password: 'initial1', FirstName: 'Mei', Permissions: [rights('room', 'Read')] }
    const { CognitoId } = await call('/CreateUser', create)
    await call('/CreateUser', { ...create, Email: Email.toUpperCase() })
    await call('/InviteUser', { Email, Language: 'en-US' })
    await call('/GetUser', { CognitoId })
    await readAll(call, Email)
    await call('/UpdateUserInfo', { Email, LastName: 'Lin' })
    await call('/UpdateUserInfo', { Email, Permissions: [rights('room', 'Read', 'Update')] })
    await call('/UpdateUserInfo', { Email, password: 'initial2' })
    await call('/UpdateUserInfo', { Email, password: 'weak' })
    for (const enabled of [false, true]) await call('/UpdateUserInfo', { Email, enabled })
    await call('/ExportUserData', { CognitoId })
    for (const path of ['/ResendInvitation', '/RevokeInvitation', '/ResetUserPassword'])
      await call(path, { Email })
    await readAll(call, Email)
    for (let i = 0; i < 2; i++) await call('/DeleteUser', { Email })
    await readAll(call, Email)
    const again = await call('/CreateUser', create)
    await call('/EraseUserData', { CognitoId: again.CognitoId, Confirmation: 'Mei' })
    await call('/GetUser', { CognitoId: again.CognitoId })
  },
  'an invitation by mail': async (call, Email) => {
    world.mail.isDelivered = true
    const invite = { Email, Language: 'en-US', Template: 'viewer' }
    await call('/InviteUser', invite)
    await call('/InviteUser', invite)
    await call('/CreateUser', { Email, password: 'initial1' })
    await readAll(call, Email)
    await call('/ResendInvitation', { Email })
    await call('/UpdateUserInfo', { Email, Permissions: [rights('room', 'Read')] })
    await call('/ResetUserPassword', { Email })
    await readAll(call, Email)
    for (let i = 0; i < 9; i++) await call('/ResendInvitation', { Email })
    for (let i = 0; i < 2; i++) await call('/RevokeInvitation', { Email })
    world.clock.advance(3_600_000)
    root = await world.signIn(root.email, root.password)
    await call('/InviteUser', invite)
    await call('/UpdateUserInfo', { Email, password: 'initial1' })
    for (let i = 0; i < 7; i++) await call('/ResetUserPassword', { Email })
    await readAll(call, Email)
  },
  'an invitation by link': async (call, Email) => {
    const { Link } = await call('/InviteUser', { Email, Language: 'en-US' })
    const Token = Link.split('#')[1]
    await call('/ReadInvitation', { Token }, world)
    const names = { FirstName: 'Mei', LastName: 'Lin' }
    await call('/AcceptInvitation', { Token, Password: await sealed(PASSWORD), ...names }, world)
    await readAll(call, Email)
    await call('/DeleteUser', { Email })
  },
}

describe('an address of another company', () => {
  it.each(Object.keys(SEQUENCES))('is answered like an unknown one in every call about %s', async (name) => {
    const record = async (address: string) => {
      world.mail.isDelivered = false
      root = await world.signUp(`owner-${(addresses += 1)}@example.com`)
      const { answers, call } = recorderOf(address)
      await SEQUENCES[name]?.(call, address)
      return answers.map((answer) => JSON.parse(JSON.stringify(answer).replaceAll(root.email, 'OWNER')))
    }
    const foreign = (await foreignAccount()).email
    const [unknown, known] = [await record(unknownAddress()), await record(foreign)]
    const timeless = (answers: unknown[]) =>
      answers.map((answer) => JSON.parse(JSON.stringify(answer).replaceAll(/\b1[0-9]{12}\b/g, '0')))
    expect(timeless(known)).toEqual(timeless(unknown))
  })

  it('opens no account: neither its initial password nor its placeholder signs in', async () => {
    const owner = await foreignAccount()
    const { results } = await root.post('/CreateUser', { Email: owner.email, password: 'initial1' })
    await expect(world.signIn(owner.email, 'initial1')).rejects.toThrow(/NotAuthorized/)
    const [row] = await world.db.query<{ email: string }>(
      sql`select email from users where cognito_id = ${results.CognitoId}`,
    )
    expect(row?.email).not.toBe(owner.email)
    await expect(world.signIn(row?.email ?? '', 'initial1')).rejects.toThrow(/NotAuthorized/)
    expect((await world.signIn(owner.email, owner.password)).tenant).toBe(owner.tenant)
  })

  it('leaves the account unchanged, whatever the company does with its user', async () => {
    const owner = await foreignAccount()
    const Email = owner.email
    await root.post('/CreateUser', { Email, password: 'initial1' })
    await root.post('/UpdateUserInfo', { Email, password: 'initial2', enabled: false })
    await root.post('/DeleteUser', { Email })
    expect((await owner.post('/GetPersonalPermissions')).results.Email).toBe(Email)
    expect((await world.signIn(Email, owner.password)).cognitoId).toBe(owner.cognitoId)
  })

  it.each(['/CreateUser', '/InviteUser'])('is notified by email of %s, in plain words', async (path) => {
    const { email } = await foreignAccount()
    await root.post('/UpdateCompanyProfile', { CompanyName: 'https://bad.example' })
    world.mail.isDelivered = true
    world.mails.length = 0
    await root.post(path, {
      Email: email,
      ...(path === '/CreateUser' ? { password: 'initial1' } : { Language: 'en-US' }),
    })
    expect(world.mails).toMatchObject([{ to: email, subject: '有公司邀請您的電子郵件地址' }])
    expect(world.mails[0]?.text).toContain('已有另一家公司的帳號')
    expect(world.mails[0]?.text).not.toMatch(/https:\/\/bad|invitation#/)
  })

  it('is notified at most twenty times an hour by one administrator, without changing the answers', async () => {
    const { email } = await foreignAccount()
    const codes = []
    for (let i = 0; i < 21; i++) {
      codes.push((await root.post('/CreateUser', { Email: email, password: 'initial1' })).status.code)
      await root.post('/DeleteUser', { Email: email })
    }
    expect(new Set(codes)).toEqual(new Set([0]))
    expect(world.mails.filter(({ to }) => to === email)).toHaveLength(20)
  })

  it('belongs to the new user once the account no longer exists and they get a new password', async () => {
    const company = await world.signUp()
    const { email } = await world.createUser(company)
    await root.post('/CreateUser', { Email: email, password: 'initial1' })
    await company.post('/DeleteUser', { Email: email })
    await expect(world.signIn(email, 'initial1')).rejects.toThrow(/NotAuthorized/)
    await root.post('/UpdateUserInfo', { Email: email, password: 'initial2' })
    await expect(world.signIn(email, 'initial2')).rejects.toThrow(/NEW_PASSWORD_REQUIRED/)
  })
})
