import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ERRORS } from '../../../contract/kernel/errors.ts'
import { openDb } from '../../../gateway/store/db.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { createTestDb, silentLog, testSocketDir } from '../../support/postgres.ts'
import { type Caller, rights, startWorld, type World } from '../../support/world.ts'
import { PATIENT } from '../../support/patient.ts'

/** Two gateways of one database with fixed clocks, so caches never expire by age. */
let one: World
let two: World
let root: Caller
beforeAll(async () => {
  const database = await createTestDb()
  one = await startWorld({ database })
  const db = openDb({ socketDir: testSocketDir(), database: database.name, log: silentLog })
  two = await startWorld({ database: { db, name: database.name, dropDatabase: () => db.close() } })
  root = await one.signUp()
})
afterAll(async () => {
  await two.close()
  await one.close()
})

/** Response code of the other gateway to this person. */
const codeAtTwo = async (person: Caller) => (await two.as(person).post('/ListUser')).status.code

describe('a change on one gateway', () => {
  it.each([
    ['taken rights', { Permissions: [] }],
    ['a right that was given', { Permissions: [rights('user', 'Read', 'Update')] }],
    ['a disabled person', { enabled: false }],
  ])('is applied on the other immediately: %s', async (_what, change) => {
    const person = await one.createUser(root, [rights('user', 'Read')])
    expect(await codeAtTwo(person)).toBe(0)
    await root.post('/UpdateUserInfo', { Email: person.email, ...change })
    await vi.waitFor(async () => expect(await codeAtTwo(person)).toBe(ERRORS.UNAUTHENTICATED.code), PATIENT)
  })

  it('is applied on the other immediately: a sign-out, and a deleted user', async () => {
    for (const end of [
      (person: Caller) => one.gateway.identity.revokeAll(person.cognitoId),
      (person: Caller) => root.post('/DeleteUser', { Email: person.email }),
    ]) {
      const person = await one.createUser(root, [rights('user', 'Read')])
      expect(await codeAtTwo(person)).toBe(0)
      await end(person)
      await vi.waitFor(async () => expect(await codeAtTwo(person)).toBe(ERRORS.UNAUTHENTICATED.code), PATIENT)
    }
  })

  it('is applied on the other when its database connection is restored', async () => {
    const person = await one.createUser(root, [rights('user', 'Read')])
    expect(await codeAtTwo(person)).toBe(0)
    await one.db.transaction(async (tx) => {
      await tx.query(sql`alter table users disable trigger users_changed`)
      await tx.query(sql`update users set permissions = '[]' where cognito_id = ${person.cognitoId}`)
      await tx.query(sql`alter table users enable trigger users_changed`)
    })
    expect(await codeAtTwo(person)).toBe(0)
    await one.db.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen %'`)
    await vi.waitFor(async () => expect(await codeAtTwo(person)).toBe(ERRORS.PERMISSION_DENIED.code), PATIENT)
  })
})
