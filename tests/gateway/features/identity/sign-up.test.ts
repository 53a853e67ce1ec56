import { CompactEncrypt, generateKeyPair, importJWK, type JWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../../gateway/kernel/db.ts'
import { caller, startPool, type PoolWorld } from './pool-world.ts'

let world: PoolWorld
let from = caller
let next = 0

beforeAll(async () => {
  world = await startPool()
})
afterAll(() => world.stop())
beforeEach(() => {
  from = { ...caller, address: `203.0.113.${++next}` }
})

const encryptTo = async (jwk: JWK, password: string) =>
  new CompactEncrypt(new TextEncoder().encode(password))
    .setProtectedHeader({ alg: jwk.alg!, enc: 'A256GCM', kid: jwk.kid! })
    .encrypt(await importJWK(jwk))

async function signUp(
  email: string,
  password = 'a secret 1',
  names: { firstName: string; lastName: string; companyName?: string } = {
    firstName: '小明',
    lastName: '王',
  },
) {
  const passwordJwe = await encryptTo(await world.identity.signUpKey(), password)
  await world.identity.signUp({ email, passwordJwe, ...names, language: 'zh-TW' }, from)
  const [made] = await world.db.query<{ tenant: string; cognitoId: string }>(
    sql`select tenant, cognito_id as "cognitoId" from users where email = ${email.trim().toLowerCase()}`,
  )
  return made!
}

const companies = async () =>
  (await world.db.query<{ n: number }>(sql`select count(*) as n from companies`))[0]!.n

describe('sign-up', () => {
  it('creates a company with its owner, who can sign in immediately and is root', async () => {
    const { tenant, cognitoId } = await signUp(' Owner@Example.com ')
    expect(cognitoId).toBe(tenant)
    const { IdToken } = await world.tokens('owner@example.com')
    expect(await world.identity.authenticate(IdToken)).toMatchObject({
      tenant,
      cognitoId,
      email: 'owner@example.com',
      name: '王小明',
      isRoot: true,
    })
  })

  it('names the company as entered, or after its owner', async () => {
    const nameOf = async (tenant: string) =>
      (
        await world.db.query<{ name: string }>(
          sql`select company_name as name from companies where tenant = ${tenant}`,
        )
      )[0]?.name
    const named = { firstName: '小明', lastName: '王', companyName: ' 示範精密 ' }
    expect(await nameOf((await signUp('named@example.com', 'a secret 1', named)).tenant)).toBe('示範精密')
    expect(await nameOf((await signUp('unnamed@example.com')).tenant)).toBe('王小明')
  })

  it('rejects an address that is taken, in any spelling, and creates no company', async () => {
    await signUp('taken@example.com')
    const before = await companies()
    await expect(signUp('TAKEN@example.com')).rejects.toMatchObject({
      code: 'CONFLICT',
      fields: { Email: 'unavailable' },
    })
    expect(await companies()).toBe(before)
  })

  it('creates one company if the same sign-up is sent many times at once', async () => {
    const before = await companies()
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => signUp('eager@example.com')))
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    expect(await companies()).toBe(before + 1)
  })

  it('names the invalid fields', async () => {
    await expect(
      signUp('not an address', 'weak', { firstName: '', lastName: 'x'.repeat(65), companyName: ' ' }),
    ).rejects.toMatchObject({
      code: 'INVALID',
      fields: {
        Email: 'email',
        Password: 'password',
        FirstName: 'required',
        LastName: 'tooLong',
        CompanyName: 'required',
      },
    })
  })

  it('rejects NUL characters, which the database cannot store', async () => {
    await expect(
      signUp('a\u0000@example.com', 'a secret 1', { firstName: 'a\u0000', lastName: 'b' }),
    ).rejects.toMatchObject({
      code: 'INVALID',
      fields: { Email: 'invalid', FirstName: 'invalid' },
    })
  })

  it('rejects a clear-text password, one for another key and a modified one', async () => {
    const key = await world.identity.signUpKey()
    const good = await encryptTo(key, 'a secret 1')
    const parts = good.split('.')
    const { publicKey } = await generateKeyPair('ECDH-ES+A256KW')
    const toOther = await new CompactEncrypt(new TextEncoder().encode('a secret 1'))
      .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: 'A256GCM', kid: key.kid! })
      .encrypt(publicKey)
    const direct = await new CompactEncrypt(new TextEncoder().encode('a secret 1'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: key.kid! })
      .encrypt(new Uint8Array(32))
    const tampered = [...parts.slice(0, 3), `${parts[3]!.slice(0, -2)}AA`, parts[4]].join('.')
    const unknownKey = await encryptTo({ ...key, kid: 'unknown' }, 'a secret 1')
    for (const passwordJwe of ['a secret 1', '', '....', toOther, direct, tampered, unknownKey])
      await expect(
        world.identity.signUp(
          { email: 'clear@example.com', passwordJwe, firstName: 'A', lastName: 'B', language: 'zh-TW' },
          from,
        ),
      ).rejects.toMatchObject({ code: 'INVALID', fields: { Password: 'encryption' } })
  })

  it('is rejected after twenty from one address within an hour', async () => {
    for (let i = 0; i < 20; i++) await signUp(`many${i}@example.com`)
    await expect(signUp('many20@example.com')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })

  it('stores malicious names unchanged without harm', async () => {
    const firstName = `'); drop table users; --`
    await signUp('hostile@example.com', 'a secret 1', { firstName, lastName: '<script>alert(1)</script>' })
    const { AccessToken } = await world.tokens('hostile@example.com')
    const { json } = await world.call('GetUser', { AccessToken })
    expect(json.UserAttributes).toContainEqual({ Name: 'given_name', Value: firstName })
  })
})
