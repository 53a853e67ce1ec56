import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { QuietBroker } from '../../../support/quiet-broker.ts'
import { PASSWORD, type Caller, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const change = (caller: Caller, PreviousPassword: string, ProposedPassword: string) =>
  caller.post(
    '/ChangePassword',
    { PreviousPassword, ProposedPassword },
    { 'x-access-token': caller.accessToken },
  )

it('changes the password, audits it without its value, and rejects a wrong old one', async () => {
  const person = await world.createUser(root)
  const wrong = await change(person, 'not this 1', 'new-passw0rd')
  expect(wrong.status).toMatchObject({
    code: ERRORS.INVALID.code,
    fields: { PreviousPassword: 'wrongPassword' },
  })
  expect((await change(person, PASSWORD, 'new-passw0rd')).status.code).toBe(0)
  expect((await world.signIn(person.email, 'new-passw0rd')).cognitoId).toBe(person.cognitoId)
  const { rows } = await world.db.pool.query("select input from audit_log where path = '/ChangePassword'")
  expect(rows).toEqual([{ input: { PreviousPassword: '***', ProposedPassword: '***' } }])
})

it('allows more concurrent password changes than there are database connections', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => world.createUser(root)))
  const answers = await Promise.all(people.map((person) => change(person, PASSWORD, 'new-passw0rd')))
  expect(answers.map(({ status }) => status.code)).toEqual(people.map(() => 0))
})

it('ends one session for good, even if that session calls at the same time', async () => {
  const person = await world.createUser(root)
  const other = await world.signIn(person.email, person.password)
  const sessions = (await person.post('/ListSessions')).results as { SessionID: string; Current: boolean }[]
  const { SessionID } = sessions.find(({ Current }) => !Current) as { SessionID: string }
  const audit = await world.db.pool.connect()
  try {
    // The revocation blocks before its commit, at its audit row.
    await audit.query('begin; lock table audit_log in exclusive mode')
    const revoking = person.post('/RevokeSession', { SessionID })
    await vi.waitFor(async () => {
      const waiting = await world.db.pool.query(
        "select 1 from pg_locks where not granted and relation = 'audit_log'::regclass",
      )
      expect(waiting.rowCount).toBeGreaterThan(0)
    }, PATIENT)
    expect((await other.post('/ListHome')).status.code).toBe(0)
    await audit.query('commit')
    expect((await revoking).status.code).toBe(0)
  } finally {
    audit.release(true)
  }
  expect((await other.post('/ListHome')).status.code).toBe(ERRORS.UNAUTHENTICATED.code)
  expect((await person.post('/ListHome')).status.code).toBe(0)
})

it('closes only the realtime connections of the session that was signed out', async () => {
  const person = await world.createUser(root)
  const other = await world.signIn(person.email, person.password)
  const sessions = (await other.post('/ListSessions')).results as { SessionID: string; Current: boolean }[]
  const { SessionID } = sessions.find(({ Current }) => Current) as { SessionID: string }
  const { disconnected } = world.broker as QuietBroker
  await person.post('/RevokeSession', { SessionID })
  expect(disconnected.filter((who) => 'cognitoId' in who && who.cognitoId === person.cognitoId)).toEqual([
    { cognitoId: person.cognitoId, sessions: [SessionID] },
  ])
})

it('audits the first sign-in once, however often a page calls with its first token', async () => {
  const person = await world.createUser(root)
  for (let load = 0; load < 3; load += 1) expect((await person.post('/InitializeUser')).status.code).toBe(0)
  const { rows } = await world.db.pool.query(
    "select 1 from audit_log where path = '/InitializeUser' and cognito_id = $1",
    [person.cognitoId],
  )
  expect(rows).toHaveLength(1)
})

it.each([
  ['zh-TW', '驗證碼不正確或已失效'],
  ['en-US', 'The code is incorrect or has expired'],
  [undefined, '驗證碼不正確或已失效'],
])('rejects a password reset in the language of the caller (%s)', async (Language, error) => {
  const { status } = await world.post('/ConfirmForgotPassword', {
    Email: root.email,
    ConfirmationCode: 'a'.repeat(43),
    NewPassword: 'new-passw0rd',
    ...(Language && { Language }),
  })
  expect(status).toMatchObject({ code: ERRORS.INVALID.code, error, fields: { ConfirmationCode: 'code' } })
})
