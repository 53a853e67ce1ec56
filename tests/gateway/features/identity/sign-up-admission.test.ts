import { CompactEncrypt, importJWK } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { inviteCompany } from '../../../../gateway/features/identity/company-invitations.ts'
import type { SignUpMode } from '../../../../gateway/domain/identity/identity.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { caller, PASSWORD, random, startPool, type PoolWorld } from './pool-world.ts'

let world: PoolWorld
let from = caller
let network = 0

async function start(signUpMode: SignUpMode, { mails = false } = {}) {
  world = await startPool({ signUpMode })
  Object.assign(world.mail, { isDelivered: mails })
  from = { ...caller, address: `203.0.113.${++network}` }
}
afterEach(() => world.stop())

async function signUp(email: string, invitation?: string) {
  const jwk = await world.identity.signUpKey()
  const passwordJwe = await new CompactEncrypt(new TextEncoder().encode(PASSWORD))
    .setProtectedHeader({ alg: jwk.alg!, enc: 'A256GCM', kid: jwk.kid! })
    .encrypt(await importJWK(jwk))
  const names = { firstName: 'First', lastName: 'Last', language: 'en-US' as const }
  return world.identity.signUp({ email, passwordJwe, ...names, invitation }, from)
}

const invite = (email: string) => inviteCompany(world.db, email, { clock: world.clock, random })
const companies = async () =>
  (await world.db.query<{ n: number }>(sql`select count(*)::int as n from companies`))[0]!.n
const mailTo = async (email: string) => {
  await world.identity.close()
  return world.mail.sent.findLast(({ to }) => to === email)
}
const codeFor = async (email: string) => /Your code is (\d{6})/.exec((await mailTo(email))!.text)![1]!
const claims = async (email: string) => {
  const { IdToken } = await world.tokens(email)
  return JSON.parse(Buffer.from(IdToken.split('.')[1]!, 'base64url').toString())
}

describe('creating a company', () => {
  it('is open to the first sign-up, one of several at once, and then by invitation only', async () => {
    await start('first')
    expect(await world.identity.webConfig('')).toMatchObject({ SignUp: 'open' })
    const outcomes = await Promise.allSettled([1, 2, 3].map((n) => signUp(`first${n}@example.com`)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await companies()).toBe(1)
    expect(await world.identity.webConfig('')).toMatchObject({ SignUp: 'invitation' })
    await expect(signUp('second@example.com')).rejects.toMatchObject({
      code: 'CONFLICT',
      fields: { Invitation: 'invitation' },
    })
  })

  it('requires an invitation even for the first if configured so', async () => {
    await start('invite')
    await expect(signUp('first@example.com')).rejects.toMatchObject({ code: 'CONFLICT' })
    await signUp('first@example.com', await invite('First@example.com'))
    expect(await companies()).toBe(1)
  })

  it('is allowed by an invitation, once, for seven days', async () => {
    await start('invite')
    const secret = await invite('guest@example.com')
    await expect(signUp('other@example.com', secret)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(signUp('guest@example.com', `${secret}x`)).rejects.toMatchObject({ code: 'CONFLICT' })
    await signUp('guest@example.com', secret)
    await expect(signUp('guest@example.com', secret)).rejects.toMatchObject({
      fields: { Invitation: 'invitation' },
    })
    const late = await invite('late@example.com')
    world.clock.advance(7 * 24 * 3_600_000)
    await expect(signUp('late@example.com', late)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await companies()).toBe(1)
  })

  it('stores no secret of an invitation in the database', async () => {
    await start('invite')
    const secret = await invite('guest@example.com')
    const [row] = await world.db.query<{ text: string }>(
      sql`select row_to_json(i)::text as text from company_invitations i`,
    )
    expect(row!.text).not.toContain(secret)
    expect(row!.text).not.toContain(Buffer.from(secret).toString('hex'))
  })
})

describe('an address that signs up', () => {
  it('is confirmed by an emailed code if mail is configured, and then is verified', async () => {
    await start('open', { mails: true })
    const { session } = await signUp('owner@example.com')
    expect(await companies()).toBe(0)
    expect((await world.signIn('owner@example.com')).status).toBe(400)
    const code = await codeFor('owner@example.com')
    const wrong = String((Number(code) + 1) % 1e6).padStart(6, '0')
    await expect(world.identity.confirmSignUp(session!, wrong, from)).rejects.toMatchObject({
      code: 'INVALID',
      fields: { ConfirmationCode: 'code' },
    })
    await world.identity.confirmSignUp(session!, code, from)
    expect(await claims('owner@example.com')).toMatchObject({ email_verified: true })
    await expect(world.identity.confirmSignUp(session!, code, from)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await companies()).toBe(1)
  })

  it('is unverified without mail, until an emailed secret is returned', async () => {
    await start('open')
    await signUp('owner@example.com')
    expect(await claims('owner@example.com')).toMatchObject({ email_verified: false })
    await world.identity.forgotPassword('owner@example.com', from)
    const code = /\b(\d{6})\b/.exec((await mailTo('owner@example.com'))!.text)![1]!
    await world.identity.confirmForgotPassword('owner@example.com', code, PASSWORD, from)
    expect(await claims('owner@example.com')).toMatchObject({ email_verified: true })
  })

  it('gets the same answer if taken, and its person gets an email', async () => {
    await start('open', { mails: true })
    const { email } = await world.addPerson()
    const { session } = await signUp(email)
    expect(session).toMatch(/^[\w-]{100,}$/)
    expect((await mailTo(email))!.text).toContain('The address already has an account')
    await expect(world.identity.confirmSignUp(session!, '123456', from)).rejects.toMatchObject({
      code: 'INVALID',
    })
    expect(await companies()).toBe(1)
  })

  it('is not confirmed by a code of another session, or by a late or guessed one', async () => {
    await start('open', { mails: true })
    const { session: theirs } = await signUp('victim@example.com')
    const { session: mine } = await signUp('victim@example.com')
    const code = await codeFor('victim@example.com')
    await expect(world.identity.confirmSignUp(`${mine!.slice(0, -2)}AA`, code, from)).rejects.toMatchObject({
      code: 'INVALID',
    })
    for (let i = 0; i < 4; i++)
      await expect(world.identity.confirmSignUp(theirs!, `00000${i}`, from)).rejects.toMatchObject({
        code: 'INVALID',
      })
    await expect(world.identity.confirmSignUp(theirs!, '000009', from)).rejects.toMatchObject({
      code: 'INVALID',
    })
    await expect(world.identity.confirmSignUp(mine!, code, from)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
    world.clock.advance(30 * 60_000)
    await expect(world.identity.confirmSignUp(mine!, code, from)).rejects.toMatchObject({ code: 'INVALID' })
    expect(await companies()).toBe(0)
  })

  it('gets at most five codes an hour from one network', async () => {
    await start('open', { mails: true })
    const outcomes = []
    for (let i = 0; i < 7; i++)
      outcomes.push(
        await signUp('owner@example.com').then(
          () => 'sent',
          (error) => error.code,
        ),
      )
    expect(outcomes).toEqual(['sent', 'sent', 'sent', 'sent', 'sent', 'LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'])
  })
})
