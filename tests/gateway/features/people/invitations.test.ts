import { CompactEncrypt, importJWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Language } from '../../../../contract/kernel/scalars.ts'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { PERMISSION_TEMPLATES } from '../../../../contract/people/permission-templates.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

const DAY = 24 * 3_600_000

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  await root.post('/UpdateCompanyProfile', { CompanyName: '示範公司' })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.mail.isDelivered = true
  world.mails.length = 0
  // Limits and tokens both last an hour.
  world.clock.advance(3_600_000)
  root = await world.signIn(root.email, root.password)
})

/** If mail is configured, sign-up first mails a code. */
async function anotherCompany(): Promise<Caller> {
  world.mail.isDelivered = false
  const owner = await world.signUp()
  world.mail.isDelivered = true
  return owner
}

let made = 0
const anAddress = () => `invited-${(made += 1)}@people.example`
const invite = (by: Caller, more: object = {}, language: Language = 'zh-TW') =>
  by.post('/InviteUser', { Email: anAddress(), Language: language, ...more })
const tokenIn = (text: string) => /\/invitation#([\w-]{43})/.exec(text)?.[1] ?? ''
const mailedToken = () => tokenIn(world.mails.at(-1)?.text ?? '')

/** Password as the invitation page sends it. */
async function sealed(password: string): Promise<string> {
  const jwk = await world.gateway.identity.signUpKey()
  return new CompactEncrypt(new TextEncoder().encode(password))
    .setProtectedHeader({ alg: jwk.alg as string, enc: 'A256GCM', kid: jwk.kid as string })
    .encrypt(await importJWK(jwk))
}
const accept = async (Token: string, password = 'chosen1x', more: object = {}) =>
  world.post('/AcceptInvitation', {
    Token,
    Password: await sealed(password),
    FirstName: '小美',
    LastName: '林',
    ...more,
  })
const listed = async (email: string) =>
  (await root.post('/ListUser')).results.find(({ Email }: { Email: string }) => Email === email)

describe('unused access', () => {
  const grant = (Email: string, more: object = {}) =>
    root.post('/UpdateUserInfo', { Email, Permissions: [rights('room', 'Read', 'Update')], ...more })

  it('of an invitation ends when rights change, and the person can be invited again', async () => {
    const Email = anAddress()
    await invite(root, { Email, Template: 'viewer' })
    const old = mailedToken()
    expect((await grant(Email)).results).toMatchObject({ InvitedUntil: world.clock.now() })
    expect(await listed(Email)).toMatchObject({ InvitedUntil: world.clock.now() })
    expect((await accept(old)).status.code).toBe(ERRORS.NOT_FOUND.code)
    expect((await root.post('/ResendInvitation', { Email })).status.code).toBe(0)
    expect((await accept(mailedToken())).status.code).toBe(0)
  })

  it('stays valid if a name changes or the same rights are saved again', async () => {
    const Email = anAddress()
    await invite(root, { Email, Permissions: [rights('room', 'Read')] })
    const same = { Email, Permissions: [rights('room', 'Read')], FirstName: 'Mei' }
    expect((await root.post('/UpdateUserInfo', same)).status.code).toBe(0)
    expect((await accept(mailedToken())).status.code).toBe(0)
  })

  it('by an initial password ends when rights change, unless a new one is given', async () => {
    const Email = anAddress()
    await root.post('/CreateUser', { Email, password: 'Initial1x', Permissions: [rights('room', 'Read')] })
    await expect(world.signIn(Email, 'Initial1x')).rejects.toThrow(/NEW_PASSWORD_REQUIRED/)
    expect(await listed(Email)).toMatchObject({ HasInitialPassword: true })
    expect(await listed(root.email)).toMatchObject({ HasInitialPassword: false })
    expect((await grant(Email)).status.code).toBe(0)
    await expect(world.signIn(Email, 'Initial1x')).rejects.toThrow(/NotAuthorized/)
    const again = { password: 'Second2x', Permissions: [rights('room', 'Read')] }
    expect((await grant(Email, again)).status.code).toBe(0)
    await expect(world.signIn(Email, 'Second2x')).rejects.toThrow(/NEW_PASSWORD_REQUIRED/)
  })

  it('does not include a password that the person chose', async () => {
    const member = await world.createUser(root, [rights('room', 'Read')])
    expect((await grant(member.email)).status.code).toBe(0)
    expect((await world.signIn(member.email, member.password)).cognitoId).toBe(member.cognitoId)
  })
})

describe('an invitation', () => {
  it('leads from the email to an own password, with the rights of the template', async () => {
    const Email = anAddress()
    const { results } = await invite(root, { Email, Template: 'operator', LastName: '林' })
    expect(results).toEqual({
      CognitoId: expect.any(String),
      ExpiresAt: world.clock.now() + 7 * DAY,
      Sent: true,
    })
    expect(await listed(Email)).toMatchObject({ InvitedUntil: results.ExpiresAt, enabled: true })
    await expect(world.signIn(Email, 'chosen1x')).rejects.toThrow(/NotAuthorized/)
    const [mail] = world.mails
    expect(mail).toMatchObject({ to: Email, subject: '邀請您加入「示範公司」' })
    const Token = mailedToken()
    expect((await world.post('/ReadInvitation', { Token })).results).toEqual({
      CompanyName: '示範公司',
      InvitedBy: 'Owner Test',
      MaskedEmail: 'i•••@people.example',
      FirstName: '',
      LastName: '林',
      Language: 'zh-TW',
    })
    expect((await accept(Token)).results).toEqual({ Email })
    const person = await world.signIn(Email, 'chosen1x')
    const me = (await person.post('/GetPersonalPermissions')).results
    expect(me).toMatchObject({ FirstName: '小美', LastName: '林' })
    expect(me.Permissions).toHaveLength(PERMISSION_TEMPLATES.operator.length)
    expect(await listed(Email)).toMatchObject({ InvitedUntil: null, FirstName: '小美' })
  })

  it('is written in the chosen language, as are later emails', async () => {
    const Email = anAddress()
    await invite(root, { Email }, 'en-US')
    expect(world.mails[0]?.subject).toBe('Invitation to 示範公司')
    await accept(mailedToken())
    await world.post('/ForgotPassword', { Email })
    await world.gateway.identity.close()
    expect(world.mails.at(-1)?.subject).toBe('Password reset code')
  })

  it('stores no usable link: a digest in the database, nothing in audit, log or cached answers', async () => {
    world.mail.isDelivered = false
    const { results } = await invite(root, { RequestID: 'invite-once' })
    const secret = tokenIn(results.Link)
    expect(secret).toHaveLength(43)
    const kept = await world.db.query<{ text: string }>(sql`
      select (select json_agg(a) from audit_log a)::text || (select json_agg(r) from request_results r)::text
        || (select json_agg(i) from invitations i)::text as text`)
    expect(kept[0]?.text).not.toContain(secret)
    expect(JSON.stringify(world.log.lines)).not.toContain(secret)
    await accept(secret)
    const { results: audit } = await root.post('/ListAuditLog', { Limit: 5 })
    expect(JSON.stringify(audit)).not.toContain(secret)
  })

  it('returns its link if mail is not configured, which then verifies no address', async () => {
    world.mail.isDelivered = false
    const Email = anAddress()
    const { results } = await invite(root, { Email })
    expect(results).toMatchObject({ Sent: false, Link: expect.stringContaining('/invitation#') })
    expect(world.mails).toEqual([])
    await accept(tokenIn(results.Link))
    const [person] = await world.db.query(
      sql`select email_verified as proven from users where email = ${Email}`,
    )
    expect(person).toEqual({ proven: false })
  })

  it('gets the same answer if used, replaced, revoked, expired, truncated or unknown', async () => {
    const refusals: unknown[] = []
    const noted = async (Token: string) => {
      const read = await world.post('/ReadInvitation', { Token })
      const accepted = await accept(Token)
      for (const { status, http } of [read, accepted]) {
        const { requestId: _, ...said } = status as typeof status & { requestId?: string }
        refusals.push({ http, said })
      }
    }
    await invite(root)
    const used = mailedToken()
    await accept(used)
    await noted(used)
    const Email = anAddress()
    await invite(root, { Email })
    const replaced = mailedToken()
    await root.post('/ResendInvitation', { Email })
    await noted(replaced)
    const revoked = mailedToken()
    expect((await root.post('/RevokeInvitation', { Email })).results).toEqual({ Email })
    await noted(revoked)
    await invite(root)
    const over = mailedToken()
    await noted(over.slice(0, -1))
    world.clock.advance(7 * DAY)
    await noted(over)
    await noted('never')
    expect(refusals).toHaveLength(12)
    expect(new Set(refusals.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(refusals[0]).toMatchObject({ http: 404, said: { code: ERRORS.NOT_FOUND.code } })
  })

  it('is accepted once, even in two tabs at the same time', async () => {
    await invite(root)
    const token = mailedToken()
    const codes = (await Promise.all([accept(token), accept(token)])).map(({ status }) => status.code)
    expect(codes.toSorted()).toEqual([0, ERRORS.NOT_FOUND.code])
  })

  it('remains valid after an invalid password, and is rejected for a disabled person', async () => {
    const Email = anAddress()
    await invite(root, { Email })
    const token = mailedToken()
    expect((await accept(token, 'short')).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { Password: 'password' },
    })
    await root.post('/UpdateUserInfo', { Email, enabled: false })
    expect((await accept(token)).status.code).toBe(ERRORS.NOT_FOUND.code)
    await root.post('/UpdateUserInfo', { Email, enabled: true })
    expect((await accept(token)).status.code).toBe(0)
  })

  it('ends when an initial password is set', async () => {
    const Email = anAddress()
    await invite(root, { Email })
    const token = mailedToken()
    expect((await root.post('/UpdateUserInfo', { Email, password: 'initial1' })).status.code).toBe(0)
    expect(await listed(Email)).toMatchObject({ InvitedUntil: null })
    expect((await accept(token)).status.code).toBe(ERRORS.NOT_FOUND.code)
    await expect(world.signIn(Email, 'initial1')).rejects.toThrow(/NEW_PASSWORD_REQUIRED/)
  })

  it('allows no other sign-in, and no reset email for a password that does not exist', async () => {
    const Email = anAddress()
    await invite(root, { Email })
    expect((await root.post('/ResetUserPassword', { Email })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Email: 'invited' },
    })
    const before = world.mails.length
    await world.post('/ForgotPassword', { Email })
    await world.gateway.identity.close()
    expect(world.mails).toHaveLength(before)
  })

  it('creates no one if its email cannot be sent', async () => {
    const Email = anAddress()
    const { mail } = world
    const works = { ...mail }
    Object.assign(mail, { send: () => Promise.reject(new Error('no server')) })
    const { status } = await invite(root, { Email })
    Object.assign(mail, works)
    expect(status.code).toBe(ERRORS.UNAVAILABLE.code)
    expect(await listed(Email)).toBeUndefined()
    expect((await invite(root, { Email })).status.code).toBe(0)
  })
})

describe('the inviting user', () => {
  it('grants only rights of their own, and cannot resend to a person with more rights', async () => {
    const admin = await world.createUser(root, [rights('user', 'Read', 'Create'), rights('room', 'Read')])
    expect((await invite(admin, { Template: 'viewer' })).status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
      fields: { Permissions: 'beyondOwn' },
    })
    expect((await invite(admin, { Permissions: [rights('room', 'Read')] })).status.code).toBe(0)
    const Email = anAddress()
    await invite(root, { Email, Template: 'facilityManager' })
    for (const path of ['/ResendInvitation', '/RevokeInvitation'])
      expect((await admin.post(path, { Email })).status).toMatchObject({
        code: ERRORS.PERMISSION_DENIED.code,
        fields: { Email: 'stronger' },
      })
  })

  it('gets an error if the person is already a member or invited, including themselves', async () => {
    const Email = anAddress()
    await invite(root, { Email })
    expect((await invite(root, { Email })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Email: 'invited' },
    })
    await accept(mailedToken())
    for (const member of [Email, root.email])
      expect((await invite(root, { Email: member })).status).toMatchObject({
        code: ERRORS.CONFLICT.code,
        fields: { Email: 'taken' },
      })
    for (const path of ['/ResendInvitation', '/RevokeInvitation'])
      expect((await root.post(path, { Email })).status.code).toBe(ERRORS.NOT_FOUND.code)
    expect(await listed(Email)).toBeDefined()
  })

  it('can invite a hundred an hour, and one address ten times', async () => {
    const admin = await world.createUser(root, [rights('user', 'Create')])
    const Email = anAddress()
    await invite(admin, { Email, Permissions: [] })
    const again = []
    for (let i = 0; i < 10; i++) again.push((await admin.post('/ResendInvitation', { Email })).status.code)
    expect(again).toEqual([...Array.from({ length: 9 }, () => 0), ERRORS.LIMIT_EXCEEDED.code])
    // Requests rejected for another reason count towards the limit, too.
    const many = []
    const asked = { Permissions: [], DepartmentID: '0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b0009' }
    for (let i = 0; i < 90; i++) many.push((await invite(admin, asked)).status.code)
    expect(many).toEqual([
      ...Array.from({ length: 89 }, () => ERRORS.NOT_FOUND.code),
      ERRORS.LIMIT_EXCEEDED.code,
    ])
    expect((await invite(root)).status.code).toBe(0)
  })
})

describe('lists of people', () => {
  it('can be filtered by invited people', async () => {
    const other = await anotherCompany()
    const { email } = await world.createUser(other)
    const Email = anAddress()
    await invite(other, { Email })
    const emails = async (filter: object) =>
      (await other.post('/ListUserPage', filter)).results.Rows.map((row: { Email: string }) => row.Email)
    expect(await emails({ Invited: true })).toEqual([Email])
    expect((await emails({ Invited: false, enabled: true })).toSorted()).toEqual(
      [email, other.email].toSorted(),
    )
  })
})
