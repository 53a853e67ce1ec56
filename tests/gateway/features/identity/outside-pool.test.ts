import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { afterAll, beforeAll, expect, it, describe, vi } from 'vitest'
import { createActors } from '../../../../gateway/features/identity/actors.ts'
import { cognitoIssuer, createOutsidePool } from '../../../../gateway/features/identity/outside-pool.ts'
import { type Db, sql } from '../../../../gateway/kernel/db.ts'
import { createTestDb, type TestDb } from '../../../support/postgres.ts'
import { CLIENT, testClock, testLog } from './pool-world.ts'

const clock = testClock()
let test: TestDb
let identity: ReturnType<typeof createOutsidePool>
let privateKey: CryptoKey
let close: () => Promise<unknown>

beforeAll(async () => {
  test = await createTestDb()
  const pair = await generateKeyPair('RS256', { extractable: true })
  privateKey = pair.privateKey
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'aws', alg: 'RS256', use: 'sig' }
  const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ap-northeast-1_abc`
  identity = createOutsidePool({
    db: test.db,
    clock,
    log: testLog(),
    poolId: 'ap-northeast-1_abc',
    clientId: CLIENT,
    issuer,
  })
  close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
})
afterAll(async () => {
  await close()
  await test.dropDatabase()
})

const tokenOf = (sub: string, email: string, verified = true) =>
  new SignJWT({ token_use: 'id', email, email_verified: verified, 'custom:tenant_id': randomUUID() })
    .setProtectedHeader({ alg: 'RS256', kid: 'aws' })
    .setSubject(sub)
    .setAudience(CLIENT)
    .setIssuer(identity.issuer)
    .setIssuedAt(clock.now() / 1000)
    .setExpirationTime(clock.now() / 1000 + 3600)
    .sign(privateKey)

describe('a gateway behind a real Cognito pool', () => {
  it('makes its first verified person the owner, once', async () => {
    const stranger = await tokenOf(randomUUID(), 'unverified@example.com', false)
    await expect(identity.authenticate(stranger)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    const people = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => tokenOf(randomUUID(), `${name}@example.com`)),
    )
    const outcomes = await Promise.allSettled(people.map((token) => identity.authenticate(token)))
    const owners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(owners).toHaveLength(1)
    expect(owners[0]).toMatchObject({ isRoot: true })
  })

  it('identifies a colleague by the verified address, and reads the tenant from the database', async () => {
    const [owner] = await test.db.query<{ tenant: string }>(sql`select tenant from companies`)
    const cognitoId = randomUUID()
    await test.db.query(sql`
      insert into users (tenant, cognito_id, email, created_at)
      values (${owner!.tenant}::uuid, ${cognitoId}::uuid, 'colleague@example.com', 0)`)
    await identity.createCredentials(
      { tenant: owner!.tenant, cognitoId, initialPassword: 'a secret 1' },
      test.db,
    )
    const sub = randomUUID()
    const token = await tokenOf(sub, 'Colleague@example.com')
    expect(await identity.authenticate(token)).toMatchObject({
      tenant: owner!.tenant,
      cognitoId,
      isRoot: false,
    })
    const unverified = await tokenOf(randomUUID(), 'colleague@example.com', false)
    await expect(identity.authenticate(unverified)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    await identity.setEnabled(cognitoId, false)
    await expect(identity.authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('takes no lock for unknown persons once there is a company', async () => {
    const transaction = vi.spyOn(test.db, 'transaction')
    for (let i = 0; i < 3; i++) {
      const stranger = await tokenOf(randomUUID(), `stranger${i}@example.com`)
      await expect(identity.authenticate(stranger)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    }
    expect(transaction).not.toHaveBeenCalled()
    transaction.mockRestore()
  })

  it('leaves passwords and sign-up to the pool', async () => {
    await expect(
      identity.forgotPassword('a@example.com', { address: '', userAgent: '' }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(
      (
        await identity.handlePool('AWSCognitoIdentityProviderService.InitiateAuth', '{}', {
          address: '',
          userAgent: '',
        })
      ).status,
    ).toBe(400)
    expect(await identity.webConfig('https://here')).toEqual({
      UserPoolId: 'ap-northeast-1_abc',
      UserPoolClientId: CLIENT,
    })
  })

  it('expects the keys where Amazon publishes them', () => {
    expect(cognitoIssuer('ap-northeast-1_abc')).toBe(
      'https://cognito-idp.ap-northeast-1.amazonaws.com/ap-northeast-1_abc',
    )
  })
})

it('purges a person while they are being looked up, whatever id the pool uses', async () => {
  const cognitoId = randomUUID()
  const row = {
    tenant: cognitoId,
    cognitoId,
    permissions: [],
    Email: 'a@b.tw',
    FirstName: 'A',
    LastName: 'B',
  }
  let answer = (_rows: object[]) => {}
  const query = vi.fn(() => new Promise((resolve) => (answer = resolve)))
  const actors = createActors({ db: { query } as unknown as Db, clock: testClock(), ownPool: false })
  const proof = { email: 'a@b.tw' }
  const subject = randomUUID()
  const first = actors.load(subject, proof)
  actors.purge(cognitoId)
  answer([row])
  expect((await first)?.cognitoId).toBe(cognitoId)
  void actors.load(subject, proof)
  expect(query).toHaveBeenCalledTimes(2)
})

it('rejects sign-ins from before the person was signed out here, and accepts the next', async () => {
  const [owner] = await test.db.query<{ tenant: string; email: string }>(
    sql`select tenant, email from users limit 1`,
  )
  const { tenant, email } = owner as { tenant: string; email: string }
  const before = await tokenOf(tenant, email)
  await expect(identity.authenticate(before)).resolves.toMatchObject({ cognitoId: tenant })
  clock.advance(1_000)
  await identity.revokeAll(tenant)
  await expect(identity.authenticate(before)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  await expect(identity.authenticate(await tokenOf(tenant, email))).resolves.toMatchObject({
    cognitoId: tenant,
  })
})
