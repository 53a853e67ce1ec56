import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createActors } from '../../../../gateway/features/identity/actors.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { caller, PASSWORD, startPool, testClock, type PoolWorld } from './pool-world.ts'

let world: PoolWorld

beforeAll(async () => {
  world = await startPool()
})
afterAll(() => world.stop())

const signedOut = { code: 'UNAUTHENTICATED' }

describe('the actor', () => {
  it('is loaded from the database, not from the token, in one query per 30 s', async () => {
    const owner = await world.addPerson()
    const person = await world.addPerson({ tenant: owner.tenant })
    const { IdToken } = await world.tokens(person.email)
    const permissions = [{ FeatureKey: 'room', OperationList: ['Read'] }]
    await world.db.query(sql`
      update users set permissions = ${JSON.stringify(permissions)}::jsonb where cognito_id = ${person.cognitoId}::uuid`)
    world.identity.purge(person.cognitoId)
    const queries = vi.spyOn(world.db, 'query')
    const actor = await world.identity.authenticate(IdToken)
    await Promise.all([1, 2, 3].map(() => world.identity.authenticate(IdToken)))
    expect(queries).toHaveBeenCalledTimes(1)
    queries.mockRestore()
    expect(actor).toEqual({
      tenant: owner.tenant,
      cognitoId: person.cognitoId,
      email: person.email,
      name: 'First Last',
      isRoot: false,
      permissions,
      homeGrants: [],
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it('changes immediately after a purge, and after 30 s without one', async () => {
    const { email, cognitoId } = await world.addPerson()
    const { IdToken } = await world.tokens(email)
    await world.identity.authenticate(IdToken)
    await world.db.query(sql`update users set first_name = 'New' where cognito_id = ${cognitoId}::uuid`)
    expect((await world.identity.authenticate(IdToken)).name).toBe('First Last')
    world.identity.purge(cognitoId)
    expect((await world.identity.authenticate(IdToken)).name).toBe('New Last')
    await world.db.query(sql`update users set first_name = 'Newer' where cognito_id = ${cognitoId}::uuid`)
    world.clock.advance(30_000)
    expect((await world.identity.authenticate(IdToken)).name).toBe('Newer Last')
  })

  it('is rejected immediately when signed out elsewhere, disabled or deleted', async () => {
    for (const end of [
      (id: string) => world.identity.revokeAll(id),
      (id: string) => world.identity.setEnabled(id, false),
      async (id: string) => {
        await world.db.query(sql`update users set enabled = false where cognito_id = ${id}::uuid`)
        world.identity.purge(id)
      },
      async (id: string) => {
        await world.db.query(sql`delete from users where cognito_id = ${id}::uuid`)
        world.identity.purge(id)
      },
    ]) {
      const owner = await world.addPerson()
      const { email, cognitoId } = await world.addPerson({ tenant: owner.tenant })
      const { IdToken } = await world.tokens(email)
      await world.identity.authenticate(IdToken)
      await end(cognitoId)
      await expect(world.identity.authenticate(IdToken)).rejects.toMatchObject(signedOut)
    }
  })

  it('does not keep what was read before a purge', async () => {
    const { email, cognitoId } = await world.addPerson()
    const { IdToken } = await world.tokens(email)
    world.identity.purge(cognitoId)
    const slow = world.identity.authenticate(IdToken)
    await world.db.query(sql`update users set first_name = 'Later' where cognito_id = ${cognitoId}::uuid`)
    world.identity.purge(cognitoId)
    expect((await world.identity.authenticate(IdToken)).name).toBe('Later Last')
    await slow
    expect((await world.identity.authenticate(IdToken)).name).toBe('Later Last')
  })

  it('is queried again after a failed query', async () => {
    const { email } = await world.addPerson()
    const { IdToken } = await world.tokens(email)
    await world.identity.verifier.verify(IdToken)
    const away = vi.spyOn(world.db, 'query').mockRejectedValueOnce(new Error('away'))
    await expect(world.identity.authenticate(IdToken)).rejects.toThrow('away')
    away.mockRestore()
    expect(await world.identity.authenticate(IdToken)).toMatchObject({ email })
  })

  it('of a real Cognito pool is found by subject, or by the verified address', async () => {
    const { email, cognitoId } = await world.addPerson()
    const actors = createActors({ db: world.db, clock: testClock(), ownPool: false })
    const foreign = randomUUID()
    expect(await actors.load(foreign)).toBeUndefined()
    expect(await actors.load(foreign, { email: email.toUpperCase() })).toMatchObject({ cognitoId })
    expect(await actors.load(cognitoId, { originJti: randomUUID() })).toMatchObject({ cognitoId })
    const own = createActors({ db: world.db, clock: testClock(), ownPool: true })
    expect(await own.load(foreign, { email })).toBeUndefined()
    expect(await own.load("' or true --")).toBeUndefined()
  })
})

describe('the pool interface for other features', () => {
  it('gives a new colleague an initial password in the transaction that creates them', async () => {
    const owner = await world.addPerson()
    const cognitoId = randomUUID()
    const create = (initialPassword: string, fail: boolean) =>
      world.db.transaction(async (tx) => {
        await tx.query(sql`
          insert into users (tenant, cognito_id, email, created_at)
          values (${owner.tenant}::uuid, ${cognitoId}::uuid, 'colleague@example.com', 0)`)
        await world.identity.createCredentials({ tenant: owner.tenant, cognitoId, initialPassword }, tx)
        if (fail) throw new Error('undo')
      })
    await expect(create('weak', false)).rejects.toMatchObject({
      code: 'INVALID',
      fields: { password: 'password' },
    })
    await expect(create(PASSWORD, true)).rejects.toThrow('undo')
    expect((await world.signIn('colleague@example.com')).status).toBe(400)
    await create(PASSWORD, false)
    expect((await world.signIn('colleague@example.com')).json.ChallengeName).toBe('NEW_PASSWORD_REQUIRED')
  })

  it('gives no password to a person of another company', async () => {
    const [one, two] = [await world.addPerson(), await world.addPerson()]
    await expect(
      world.identity.createCredentials({
        tenant: one.tenant,
        cognitoId: two.cognitoId,
        initialPassword: 'stolen 1',
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await world.signIn(two.email)).status).toBe(200)
  })

  it('also replaces a password: sessions end and the next sign-in requires a new one', async () => {
    const { email, tenant, cognitoId } = await world.addPerson()
    const { RefreshToken } = await world.tokens(email)
    await world.identity.createCredentials({ tenant, cognitoId, initialPassword: 'initial 9' })
    expect((await world.refresh(RefreshToken)).status).toBe(400)
    expect((await world.signIn(email, 'initial 9')).json.ChallengeName).toBe('NEW_PASSWORD_REQUIRED')
  })

  it('keeps a disabled person out, including refresh, until enabled again', async () => {
    const { email, cognitoId } = await world.addPerson()
    const { RefreshToken } = await world.tokens(email)
    await world.db.query(sql`update users set enabled = false where cognito_id = ${cognitoId}::uuid`)
    expect((await world.refresh(RefreshToken)).json.__type).toBe('NotAuthorizedException')
    expect((await world.signIn(email)).status).toBe(400)
    await world.identity.setEnabled(cognitoId, true)
    expect((await world.signIn(email)).status).toBe(200)
  })

  it('removes password and sessions', async () => {
    const { email, cognitoId } = await world.addPerson()
    const { RefreshToken } = await world.tokens(email)
    await world.identity.removeCredentials(cognitoId)
    expect((await world.signIn(email)).status).toBe(400)
    expect((await world.refresh(RefreshToken)).status).toBe(400)
  })

  it('changes the own password and names the wrong field', async () => {
    const { email } = await world.addPerson()
    const { AccessToken } = await world.tokens(email)
    const change = (previous: string, next: string, token = AccessToken) =>
      world.identity.changePassword(token, previous, next, caller)
    await expect(change(PASSWORD, 'weak')).rejects.toMatchObject({
      code: 'INVALID',
      fields: { ProposedPassword: 'password' },
    })
    await expect(change('wrong 1', 'better 22')).rejects.toMatchObject({
      code: 'INVALID',
      fields: { PreviousPassword: 'wrongPassword' },
    })
    await expect(change(PASSWORD, 'better 22', 'forged')).rejects.toMatchObject(signedOut)
    for (let i = 0; i < 4; i++) await change('wrong 1', 'better 22').catch(() => {})
    await expect(change(PASSWORD, 'better 22')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    world.clock.advance(1000)
    await change(PASSWORD, 'better 22')
    expect((await world.signIn(email, 'better 22')).status).toBe(200)
  })

  it('marks the first sign-in as done, which the next tokens contain', async () => {
    const { email, cognitoId } = await world.addPerson()
    await world.identity.initializeUser(cognitoId)
    const { IdToken } = await world.tokens(email)
    const claims = JSON.parse(Buffer.from(IdToken.split('.')[1]!, 'base64url').toString())
    expect(claims['custom:initialized_user']).toBe('true')
  })

  it('verifies tokens with its cached keys while the database is unavailable', async () => {
    const { email } = await world.addPerson()
    const { IdToken } = await world.tokens(email)
    world.clock.advance(120_000)
    const away = vi.spyOn(world.db, 'query').mockRejectedValue(new Error('away'))
    expect(await world.identity.verifier.verify(IdToken)).toMatchObject({ email })
    away.mockRestore()
  })
})
