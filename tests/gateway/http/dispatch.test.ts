import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { department } from '../../../contract/people/department.ts'
import { user as users } from '../../../contract/people/user.ts'
import { type Caller, rights, startWorld, type World } from '../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const HOME = { HomeName: '辦公室', TimeZone: 'Asia/Taipei' }
const createHome = async (HomeName: string): Promise<string> =>
  (await root.post('/CreateHome', { ...HOME, HomeName })).results.HomeID

describe('permission to call', () => {
  it('answers a signed-in call with code 0 and its results', async () => {
    const answer = await root.post('/ListHome')
    expect(answer).toMatchObject({ http: 200, status: { code: 0 }, results: [] })
  })

  it('rejects a call without a token, or with another kind of credentials', async () => {
    const unauthenticated = { http: 401, status: { code: 4 } }
    expect(await world.gateway.post('/ListHome')).toMatchObject(unauthenticated)
    const headers = { authorization: 'Basic cm9vdDpyb290' }
    expect(await world.gateway.post('/ListHome', {}, { headers })).toMatchObject(unauthenticated)
  })

  it('names the missing feature and operation, and does nothing', async () => {
    const reader = await world.createUser(root, [rights('room', 'Read')])
    const HomeID = await createHome('Readers')
    const answer = await reader.post('/CreateRoom', { HomeID, RoomName: 'Forbidden' })
    expect(answer).toMatchObject({
      http: 403,
      status: { code: 5, missing: { feature: 'room', operation: 'Create' } },
    })
    const rooms = await reader.post('/GetRoombyHomeId', { HomeID })
    expect(JSON.stringify(rooms.results)).not.toContain('Forbidden')
  })

  it('requires the API key on public calls', async () => {
    const refused = await world.post('/ForgotPassword', { Email: 'a@b.tw' }, { 'x-api-key': 'wrong' })
    expect(refused).toMatchObject({ http: 401, status: { code: 4 } })
    expect(await world.post('/ForgotPassword', { Email: 'a@b.tw' })).toMatchObject({ status: { code: 0 } })
  })

  it('applies changed rights at the next call', async () => {
    const user = await world.createUser(root, [rights('user', 'Read')])
    expect((await user.post('/ListUser')).status.code).toBe(0)
    await root.post('/UpdateUserInfo', { Email: user.email, Permissions: [] })
    expect((await user.post('/ListUser')).status.code).not.toBe(0)
  })

  it('signs a disabled person out at the next call', async () => {
    const user = await world.createUser(root, [])
    await root.post('/UpdateUserInfo', { Email: user.email, enabled: false })
    expect(await user.post('/ListHome')).toMatchObject({ http: 401, status: { code: 4 } })
  })
})

describe('a rejection', () => {
  it('names every invalid field', async () => {
    const answer = await root.post('/CreateHome', { HomeName: '', TimeZone: 'Mars/Olympus', Nonsense: 1 })
    expect(answer).toMatchObject({
      http: 400,
      status: { code: 1, fields: { HomeName: 'required', TimeZone: 'timeZone', Nonsense: 'unknown' } },
    })
  })

  it("answers another company's ids like unknown ids", async () => {
    const HomeID = await createHome('Ours')
    const stranger = await world.signUp()
    const foreign = await stranger.post('/UpdateHomeInfo', { HomeID, HomeName: 'Theirs' })
    const absent = await stranger.post('/UpdateHomeInfo', { HomeID: 'absent', HomeName: 'Theirs' })
    expect(foreign).toMatchObject({ http: 404, status: { code: 2 } })
    expect(foreign.status.error?.replace(HomeID, 'absent')).toBe(absent.status.error)
  })

  it('logs the reason of an error and keeps it out of the answer', async () => {
    const answer = await world.gateway.http.inject({
      method: 'PUT',
      url: '/uploads/x',
      headers: { 'content-type': 'image/png' },
      payload: 'x',
    })
    expect(answer.json().status.code).toBe(2)
    const { requestId } = answer.json().status
    expect(requestId).toMatch(/^[\w]+-\w+$/)
  })
})

describe('a mutation', () => {
  it('publishes its change only after the commit', async () => {
    const HomeID = await createHome('Events')
    const before = world.events.length
    await root.post('/CreateRoom', { HomeID, RoomName: 'One' })
    expect(world.events.slice(before)).toContainEqual({
      name: 'dataChange',
      event: expect.objectContaining({ tenant: root.tenant, name: 'room.add', by: root.cognitoId }),
    })
    const quiet = world.events.length
    expect(await root.post('/CreateRoom', { HomeID, RoomName: 'One' })).toMatchObject({ status: { code: 3 } })
    expect(world.events).toHaveLength(quiet)
  })

  it('writes one audit row with who, from where, what, before and after, and no secret', async () => {
    const HomeID = await createHome('Audited')
    await root.post('/UpdateHomeInfo', { HomeID, HomeName: 'Renamed' })
    await root.post('/CreateUser', { Email: 'audited@example.com', password: 'hunter of 22' })
    const rows = await world.db.query<Record<string, unknown>>({
      name: 'test_audit',
      text: 'select * from audit_log where tenant = $1 order by audit_id',
      values: [root.tenant],
    })
    const renamed = rows.filter(
      ({ path, input }) => path === '/UpdateHomeInfo' && JSON.stringify(input).includes(HomeID),
    )
    expect(renamed).toHaveLength(1)
    expect(renamed[0]).toMatchObject({
      cognito_id: root.cognitoId,
      ip: '127.0.0.1',
      at: world.clock.now(),
      input: { HomeID, HomeName: 'Renamed' },
      before: expect.objectContaining({ HomeName: 'Audited' }),
      after: expect.objectContaining({ HomeName: 'Renamed' }),
    })
    const text = JSON.stringify(rows)
    expect(text).not.toContain('hunter of 22')
    expect(text).toContain('"password":"***"')
  })
})

describe('a changed record', () => {
  const declared = department.operations.create.changes
  afterEach(() => void Object.assign(department.operations.create, { changes: declared }))

  it('not declared by the call is an internal error, and nothing is stored', async () => {
    Object.assign(department.operations.create, { changes: ['user'] })
    const answer = await root.post('/CreateDepartment', { Department: 'Undeclared' })
    expect(answer).toMatchObject({ http: 500, status: { code: 9 } })
    const faults = world.log.lines.map(({ fields }) => String(fields['err']))
    expect(faults).toContain('Error: /CreateDepartment does not declare the change department.add')
    const { results } = await root.post('/ListDepartment')
    expect(JSON.stringify(results)).not.toContain('Undeclared')
  })
})

describe('a RequestID', () => {
  it('executes a mutation once and returns the first result again', async () => {
    const body = { ...HOME, HomeName: 'Once', RequestID: 'once-1' }
    const first = await root.post('/CreateHome', body)
    const again = await root.post('/CreateHome', body)
    expect(first.status.code).toBe(0)
    expect(again.results).toEqual(first.results)
    const rows = await world.db.query({
      name: 'test_audit_request',
      text: `select 1 as one from audit_log where path = '/CreateHome' and input->>'HomeName' = 'Once'`,
      values: [],
    })
    expect(rows).toHaveLength(1)
  })

  it('is published with the change, if there is one', async () => {
    await root.post('/CreateDepartment', { Department: 'Told', RequestID: 'told-1' })
    await root.post('/CreateDepartment', { Department: 'Told too' })
    const told = world.events.flatMap(({ name, event }) =>
      name === 'dataChange' && JSON.stringify(event).includes('Told') ? [event] : [],
    )
    expect(told).toMatchObject([{ requestId: 'told-1' }, { record: { Department: 'Told too' } }])
    expect(told[1]).not.toHaveProperty('requestId', expect.anything())
  })

  it('lets only one of many concurrent calls execute', async () => {
    const body = { ...HOME, HomeName: 'Race', RequestID: 'race-1' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => root.post('/CreateHome', body)))
    expect(new Set(answers.map(({ results }) => results?.HomeID)).size).toBe(1)
    expect(answers.every(({ status }) => status.code === 0)).toBe(true)
  })

  it('is rejected for another input or another call', async () => {
    await root.post('/CreateHome', { ...HOME, HomeName: 'First', RequestID: 'used-1' })
    const other = await root.post('/CreateHome', { ...HOME, HomeName: 'Second', RequestID: 'used-1' })
    expect(other).toMatchObject({ http: 409, status: { code: 3, fields: { RequestID: 'used' } } })
    const department = await root.post('/CreateDepartment', { Department: 'First', RequestID: 'used-1' })
    expect(department).toMatchObject({ status: { code: 3 } })
  })

  it('lets only one of two concurrent calls with different inputs execute', async () => {
    const ask = (HomeName: string) => root.post('/CreateHome', { ...HOME, HomeName, RequestID: 'two-things' })
    const answers = await Promise.all([ask('One thing'), ask('Another thing')])
    expect(answers.map(({ status }) => status.code).toSorted()).toEqual([0, 3])
    const names = (await root.post('/ListHome')).results.map((home: { HomeName: string }) => home.HomeName)
    expect(names.filter((name: string) => name.endsWith(' thing'))).toHaveLength(1)
  })

  it('stores no digest of the input from which a password could be guessed', async () => {
    const body = { Email: 'digest@example.com', password: 'initial1' }
    expect((await root.post('/CreateUser', { ...body, RequestID: 'digest-1' })).status.code).toBe(0)
    const plain = createHash('sha256')
      .update(JSON.stringify(users.operations.create.input.parse(body)))
      .digest()
    const rows = await world.db.query({
      name: 'test_digest',
      text: `select 1 from request_results where request_id = 'digest-1' and input_hash <> $1`,
      values: [plain],
    })
    expect(rows).toHaveLength(1)
  })

  it('is private to a person', async () => {
    const user = await world.createUser(root, [rights('home', 'Create')])
    await root.post('/CreateHome', { ...HOME, HomeName: 'Mine', RequestID: 'own-1' })
    const theirs = await user.post('/CreateHome', { ...HOME, HomeName: 'Theirs', RequestID: 'own-1' })
    expect(theirs).toMatchObject({ status: { code: 0 }, results: { HomeName: 'Theirs' } })
  })

  it('of a failed mutation can be sent again', async () => {
    const body = { HomeID: 'later', HomeName: 'x', RequestID: 'failed-1' }
    expect((await root.post('/UpdateHomeInfo', body)).status.code).toBe(2)
    const HomeID = await createHome('Later')
    const retried = await root.post('/UpdateHomeInfo', { ...body, HomeID })
    expect(retried).toMatchObject({ status: { code: 0 } })
  })

  it('can be reused after 24 hours', async () => {
    await root.post('/CreateHome', { ...HOME, HomeName: 'Yesterday', RequestID: 'day-1' })
    world.clock.advance(24 * 3_600_000)
    const fresh = await world.signIn(root.email, root.password)
    const answer = await fresh.post('/CreateHome', { ...HOME, HomeName: 'Today', RequestID: 'day-1' })
    expect(answer).toMatchObject({ status: { code: 0 }, results: { HomeName: 'Today' } })
    root = fresh
  })

  it('stores credentials in its result only under the master key', async () => {
    const HomeID = await createHome('Hubs')
    const body = { HomeID, DeviceName: 'Hub', RequestID: 'hub-1' }
    const first = await root.post('/AddThing', body)
    expect((await root.post('/AddThing', body)).results).toEqual(first.results)
    const rows = await world.db.query({
      name: 'test_results',
      text: `select results::text from request_results where request_id = 'hub-1'`,
      values: [],
    })
    expect(JSON.stringify(rows)).not.toContain(first.results.Secret)
  })
})
