import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { MAX_DASHBOARDS_OF_PERSON, UNSHARED, type Shared } from '../../../../contract/dashboards/dashboard.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let owner: Caller
let colleague: Caller
let viewer: Caller
let stranger: Caller
let departments: string[]
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  stranger = await world.signUp()
  departments = []
  for (const Department of ['能源組', '總務組'])
    departments.push((await root.post('/CreateDepartment', { Department })).results.DepartmentID)
  const editing = [rights('dashboard', 'Read', 'Update'), rights('electricity', 'Read')]
  owner = await world.createUser(root, editing)
  colleague = await world.createUser(root, [rights('dashboard', 'Read', 'Update')])
  viewer = await world.createUser(root, [rights('dashboard', 'Read')])
  for (const { email } of [colleague, viewer])
    await root.post('/UpdateUserInfo', { Email: email, DepartmentID: departments[0] })
})
afterAll(() => world.close())

const note = (CardID: string, place: object = {}) => ({
  ...{ CardID, X: 0, Y: 0, W: 4, H: 2, Kind: 'note', Text: '早會' },
  ...place,
})
const made = async (caller: Caller, input: object = {}) => {
  const { status, results } = await caller.post('/CreateDashboard', { Name: '早會看板', ...input })
  expect(status).toMatchObject({ code: 0 })
  return results
}
const shared = (changes: Partial<Shared> = {}): Shared => ({
  ...UNSHARED,
  DepartmentIDs: departments.slice(0, 1),
  ...changes,
})
const names = async (caller: Caller) =>
  ((await caller.post('/ListDashboard')).results as { Name: string }[]).map(({ Name }) => Name)
const codeOf = async (caller: Caller, path: string, input: object) =>
  (await caller.post(path, input)).status.code
const removed = (caller: Caller, { DashboardID }: { DashboardID: string }) =>
  codeOf(caller, '/DeleteDashboard', { DashboardID })

describe('a private dashboard', () => {
  it('is created, listed without its cards, changed and deleted with only the right to read', async () => {
    const board = await made(viewer, { Cards: [note('a')] })
    expect(board).toMatchObject({ OwnerID: viewer.cognitoId, Shared: UNSHARED, Version: 1 })
    const [line] = (await viewer.post('/ListDashboard')).results
    expect(line).toMatchObject({ Name: '早會看板', CardCount: 1 })
    expect(line).not.toHaveProperty('Cards')
    const { DashboardID } = board
    const changed = await viewer.post('/UpdateDashboard', { DashboardID, Name: '夜班', Version: 1 })
    expect(changed.results).toMatchObject({ Name: '夜班', Cards: [note('a')], Version: 2 })
    expect(await removed(viewer, board)).toBe(0)
    expect(await names(viewer)).toEqual([])
  })

  it('is not found by anyone else, including root and other companies', async () => {
    const board = await made(owner)
    const { DashboardID } = board
    for (const other of [root, colleague, stranger]) {
      expect(await names(other)).toEqual([])
      for (const path of ['/GetDashboard', '/UpdateDashboard', '/DeleteDashboard'])
        expect(await codeOf(other, path, { DashboardID }), path).toBe(ERRORS.NOT_FOUND.code)
      const asked = { DashboardID, Shared: shared({ DepartmentIDs: [] }) }
      expect(await codeOf(other, '/CheckDashboardSharing', asked)).toBe(ERRORS.NOT_FOUND.code)
    }
    expect(await removed(owner, board)).toBe(0)
  })

  it('cannot be shared without the right to update dashboards, which the error names', async () => {
    const Denied = {
      code: ERRORS.PERMISSION_DENIED.code,
      missing: { feature: 'dashboard', operation: 'Update' },
    }
    const input = { Name: 'x', Shared: shared() }
    expect((await viewer.post('/CreateDashboard', input)).status).toMatchObject(Denied)
    const board = await made(viewer)
    const { DashboardID } = board
    expect((await viewer.post('/UpdateDashboard', { DashboardID, Shared: shared() })).status).toMatchObject(
      Denied,
    )
    expect(await removed(viewer, board)).toBe(0)
  })
})

describe('a shared dashboard', () => {
  it('is visible to the department, and read-only if shared for viewing', async () => {
    const board = await made(owner, { Shared: shared(), Cards: [note('a')] })
    const { DashboardID } = board
    for (const other of [colleague, viewer]) {
      expect(await names(other)).toEqual(['早會看板'])
      expect((await other.post('/GetDashboard', { DashboardID })).results.Cards).toEqual([note('a')])
      for (const path of ['/UpdateDashboard', '/DeleteDashboard'])
        expect(await codeOf(other, path, { DashboardID }), path).toBe(ERRORS.NOT_FOUND.code)
    }
    expect(await names(root)).toEqual([])
    expect(await removed(owner, board)).toBe(0)
  })

  it('is edited by recipients with the right to update dashboards; only its owner shares it', async () => {
    const board = await made(owner, { Shared: shared({ May: 'edit' }) })
    const { DashboardID } = board
    const edit = { DashboardID, Cards: [note('b')], Version: 1 }
    expect(await codeOf(viewer, '/UpdateDashboard', edit)).toBe(ERRORS.PERMISSION_DENIED.code)
    expect((await colleague.post('/UpdateDashboard', edit)).results).toMatchObject({ Version: 2 })
    const sharing = { DashboardID, Shared: shared({ Everyone: true }) }
    expect(await codeOf(colleague, '/UpdateDashboard', sharing)).toBe(ERRORS.CONFLICT.code)
    expect((await owner.post('/UpdateDashboard', sharing)).results.Shared).toEqual(sharing.Shared)
    expect(await names(root)).toEqual(['早會看板'])
    expect(await removed(viewer, board)).toBe(ERRORS.NOT_FOUND.code)
    expect(await removed(owner, board)).toBe(0)
  })

  it('rejects the second of two concurrent updates and overwrites nothing', async () => {
    const board = await made(owner, { Shared: shared({ May: 'edit' }) })
    const { DashboardID } = board
    const save = (caller: Caller, id: string) =>
      caller.post('/UpdateDashboard', { DashboardID, Cards: [note(id)], Version: 1 })
    const answers = await Promise.all([save(owner, 'mine'), save(colleague, 'theirs')])
    const refused = answers.filter(({ status }) => status.code !== 0)
    expect(refused).toMatchObject([
      { status: { code: ERRORS.CONFLICT.code, fields: { Version: 'changed' } } },
    ])
    const { Cards, Version } = (await owner.post('/GetDashboard', { DashboardID })).results
    expect({ count: Cards.length, Version }).toEqual({ count: 1, Version: 2 })
    expect(await removed(owner, board)).toBe(0)
  })

  it('is published by key only, and audited with its previous state', async () => {
    world.events.length = 0
    const board = await made(owner, { Shared: shared() })
    const { DashboardID } = board
    await owner.post('/UpdateDashboard', { DashboardID, Name: '新名字' })
    expect(await removed(owner, board)).toBe(0)
    const told = world.events.flatMap(({ name, event }) => (name === 'dataChange' ? [event] : []))
    expect(told).toHaveLength(3)
    expect(JSON.stringify(told)).not.toContain('早會看板')
    const rows = await world.db.query<{ path: string; before: string | null; after: string | null }>(
      sql`select path, before->>'Name' as before, after->>'Name' as after from audit_log
        where tenant = ${root.tenant} and coalesce(after, before)->>'DashboardID' = ${DashboardID as string}
        order by audit_id`,
    )
    expect(rows).toEqual([
      { path: '/CreateDashboard', before: null, after: '早會看板' },
      { path: '/UpdateDashboard', before: '早會看板', after: '新名字' },
      { path: '/DeleteDashboard', before: '新名字', after: null },
    ])
  })

  it('skips a deleted department, and rejects an unknown one', async () => {
    const { DepartmentID } = (await root.post('/CreateDepartment', { Department: '專案組' })).results
    const board = await made(owner, { Shared: shared({ DepartmentIDs: [...departments, DepartmentID] }) })
    const { DashboardID } = board
    expect(board.Shared.DepartmentIDs).toHaveLength(3)
    expect(await codeOf(root, '/DeleteDepartment', { DepartmentID })).toBe(0)
    const after = (await owner.post('/GetDashboard', { DashboardID })).results
    expect(after.Shared.DepartmentIDs.toSorted()).toEqual(departments.toSorted())
    const foreign = (await stranger.post('/CreateDepartment', { Department: '別家' })).results.DepartmentID
    for (const lost of [DepartmentID, foreign])
      expect(
        (await owner.post('/UpdateDashboard', { DashboardID, Shared: shared({ DepartmentIDs: [lost] }) }))
          .status,
      ).toMatchObject({
        code: ERRORS.NOT_FOUND.code,
        fields: { 'Shared.DepartmentIDs.0': 'notFound' },
      })
    expect(await removed(owner, board)).toBe(0)
  })

  it('stays when its owner is deleted, for those who see it; otherwise it is deleted', async () => {
    const leaving = await world.createUser(root, [rights('dashboard', 'Read', 'Update')])
    const kept = await made(leaving, { Name: '留下', Shared: shared() })
    const lost = await made(leaving, { Name: '只有自己' })
    expect(await codeOf(root, '/DeleteUser', { Email: leaving.email })).toBe(0)
    const { DashboardID } = kept
    expect((await colleague.post('/GetDashboard', { DashboardID })).results).toMatchObject({
      OwnerID: null,
      OwnerName: null,
    })
    const rows = await world.db.query(
      sql`select from dashboards where dashboard_id = ${lost.DashboardID as string}`,
    )
    expect(rows).toEqual([])
    expect(await codeOf(viewer, '/DeleteDashboard', { DashboardID })).toBe(ERRORS.PERMISSION_DENIED.code)
    expect(await codeOf(colleague, '/UpdateDashboard', { DashboardID, Name: '接手' })).toBe(0)
    expect(await removed(colleague, kept)).toBe(0)
  })

  it('stays without an owner when its owner is erased', async () => {
    const leaving = await world.createUser(root, [rights('dashboard', 'Read', 'Update')])
    const board = await made(leaving, { Shared: shared() })
    const input = { CognitoId: leaving.cognitoId, Confirmation: leaving.email }
    expect(await codeOf(root, '/EraseUserData', input)).toBe(0)
    const { results } = await colleague.post('/GetDashboard', { DashboardID: board.DashboardID })
    expect(results).toMatchObject({ OwnerID: null, OwnerName: null })
    expect(await removed(colleague, board)).toBe(0)
  })

  it('is managed by users who can update dashboards if no owner or department is left', async () => {
    const leaving = await world.createUser(root, [rights('dashboard', 'Read', 'Update')])
    const { DepartmentID } = (await root.post('/CreateDepartment', { Department: '臨時組' })).results
    const board = await made(leaving, { Name: '無主', Shared: shared({ DepartmentIDs: [DepartmentID] }) })
    expect(await codeOf(root, '/DeleteUser', { Email: leaving.email })).toBe(0)
    expect(await names(colleague)).toEqual([])
    expect(await codeOf(root, '/DeleteDepartment', { DepartmentID })).toBe(0)
    expect(await names(colleague)).toEqual(['無主'])
    for (const other of [viewer, stranger]) expect(await names(other)).toEqual([])
    const { DashboardID } = board
    const taken = { DashboardID, Shared: shared(), Name: '接手' }
    expect(await codeOf(colleague, '/UpdateDashboard', taken)).toBe(0)
    expect(await names(viewer)).toEqual(['接手'])
    expect(await codeOf(colleague, '/UpdateDashboard', { DashboardID, Shared: UNSHARED })).toBe(0)
    expect(await names(viewer)).toEqual([])
    expect(await removed(colleague, board)).toBe(0)
  })

  it('shows before sharing which cards recipients could not see', async () => {
    const energy = { CardID: 'e', X: 4, Y: 0, W: 4, H: 4, Kind: 'usage' }
    const board = await made(owner, { Cards: [note('a'), energy] })
    const { DashboardID } = board
    const check = async (wanted: Shared) =>
      (await owner.post('/CheckDashboardSharing', { DashboardID, Shared: wanted })).results
    const found = await check(shared())
    expect(found).toMatchObject({
      People: 2,
      Missing: [{ feature: 'electricity', operation: 'Read', CardIDs: ['e'], Count: 2 }],
    })
    // Names of people are omitted for users without the right to read them.
    expect(found.Missing[0].Names).toEqual([])
    const nobody = await world.createUser(root, [])
    const everyone = await check(shared({ Everyone: true }))
    expect(everyone.Missing).toContainEqual(
      expect.objectContaining({ feature: 'dashboard', CardIDs: ['a', 'e'], Count: 1 }),
    )
    await root.post('/DeleteUser', { Email: nobody.email })
    expect(await removed(owner, board)).toBe(0)
  })
})

describe('a dashboard is rejected', () => {
  const refusal = async (Cards: unknown[]) =>
    (await owner.post('/CreateDashboard', { Name: 'x', Cards })).status
  const INVALID = ERRORS.INVALID.code

  it('with cards outside the grid, overlapping, with duplicate ids, without size, or 41 of them', async () => {
    const at = (place: object) => refusal([note('a', place)])
    expect(await at({ X: -1 })).toMatchObject({ code: INVALID, fields: { 'Cards.0.X': 'tooSmall' } })
    expect(await at({ Y: 400 })).toMatchObject({ fields: { 'Cards.0.Y': 'tooBig' } })
    expect(await at({ W: 0 })).toMatchObject({ fields: { 'Cards.0.W': 'tooSmall' } })
    expect(await at({ H: 1.5 })).toMatchObject({ code: INVALID, fields: { 'Cards.0.H': 'number' } })
    expect(await at({ X: 9 })).toMatchObject({ fields: { 'Cards.0.W': 'tooBig' } })
    expect(await refusal([note('a'), note('b', { X: 3, Y: 1 })])).toMatchObject({
      fields: { 'Cards.1.X': 'overlap' },
    })
    expect(await refusal([note('a'), note('a', { X: 4 })])).toMatchObject({
      fields: { 'Cards.1.CardID': 'taken' },
    })
    const many = Array.from({ length: 41 }, (_, i) => note(`c${i}`, { Y: i * 2 }))
    expect(await refusal(many)).toMatchObject({ code: INVALID, fields: { Cards: 'tooManyRows' } })
    expect(await removed(owner, await made(owner, { Cards: many.slice(0, 40) }))).toBe(0)
  })

  it('with cards that lack required fields, too long texts, or more than 64 KB', async () => {
    expect(await refusal([note('a', { Text: ' ' })])).toMatchObject({
      fields: { 'Cards.0.Text': 'required' },
    })
    expect(await refusal([note('a', { Text: 'x'.repeat(501) })])).toMatchObject({
      fields: { 'Cards.0.Text': 'tooLong' },
    })
    expect((await refusal([note('a', { Kind: 'room' })])).code).toBe(INVALID)
    expect((await refusal([note('a', { Kind: 'not a kind!' })])).code).toBe(INVALID)
    const huge = { ...note('a'), Kind: 'later', Blob: 'x'.repeat(65_600) }
    expect(await refusal([huge])).toMatchObject({ code: INVALID, fields: { Cards: 'tooLong' } })
  })

  it('beyond the maximum per user', async () => {
    const collector = await world.createUser(root, [rights('dashboard', 'Read')])
    await world.db
      .query(sql`insert into dashboards (tenant, dashboard_id, name, owner_id, everyone, may, cards)
      select ${root.tenant}, 'many' || n, 'n', ${collector.cognitoId}::uuid, false, 'view', '[]'
      from generate_series(1, ${MAX_DASHBOARDS_OF_PERSON}::int) n`)
    expect(await codeOf(collector, '/CreateDashboard', { Name: 'x' })).toBe(ERRORS.LIMIT_EXCEEDED.code)
    // Each person has a quota of their own.
    expect(await removed(owner, await made(owner))).toBe(0)
    // The company has a quota, too.
    await world.db.query(sql`insert into dashboards (tenant, dashboard_id, name, everyone, may, cards)
      select ${root.tenant}, 'more' || n, 'n', true, 'view', '[]' from generate_series(1, 170) n`)
    expect(await codeOf(owner, '/CreateDashboard', { Name: 'x' })).toBe(ERRORS.LIMIT_EXCEEDED.code)
    await world.db.query(sql`delete from dashboards where tenant = ${root.tenant}`)
  })

  it('with an arrangement of 2,001 characters in the personal setting', async () => {
    const save = (CustomDashboard: string) => codeOf(owner, '/UpdatePersonalConfig', { CustomDashboard })
    expect(await save('x'.repeat(2_001))).toBe(INVALID)
    expect(await save(JSON.stringify({ start: 'gone', tabs: ['gone'] }))).toBe(0)
  })
})

it('keeps all data of a card from a later version', async () => {
  const later = { ...note('a'), Kind: 'weather', Place: { Latitude: 25 }, Days: [1, 2] }
  const board = await made(owner, { Cards: [later, note('b', { X: 4 })] })
  const { DashboardID } = board
  expect(board.Cards[0]).toEqual(later)
  await owner.post('/UpdateDashboard', { DashboardID, Cards: board.Cards })
  expect((await owner.post('/GetDashboard', { DashboardID })).results.Cards[0]).toEqual(later)
  expect(await removed(owner, board)).toBe(0)
})
