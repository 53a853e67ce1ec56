import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { COMPANY_FEATURES, type Permission } from '../../../../contract/kernel/permissions.ts'
import type { User } from '../../../../contract/people/user.ts'
import { type Caller, EVERYTHING, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let [a, b] = ['', '']
const createHome = async (HomeName: string): Promise<string> =>
  (await root.post('/CreateHome', { HomeName, TimeZone: 'Asia/Taipei' })).results.HomeID
beforeAll(async () => {
  world = await startWorld({ config: { homeGrants: true } })
  root = await world.signUp()
  ;[a, b] = [await createHome('A'), await createHome('B')]
})
afterAll(() => world.close())

const at = (HomeIDs: string[], ...Permissions: Permission[]): User['HomeGrants'][number] => ({
  HomeIDs,
  Permissions,
})
const grant = (person: Caller, HomeGrants: unknown, by: Caller = root) =>
  by.post('/UpdateUserInfo', { Email: person.email, HomeGrants })

/** A person with rights at every home, and some at single ones. */
async function createLimited(
  HomeGrants: User['HomeGrants'],
  permissions: Permission[] = [],
): Promise<Caller> {
  const person = await world.createUser(root, permissions)
  expect((await grant(person, HomeGrants)).status.code).toBe(0)
  return world.signIn(person.email, person.password)
}

describe('rights at single homes', () => {
  it('hold only there', async () => {
    const person = await createLimited([at([a], rights('room', 'Read', 'Create'), rights('home', 'Create'))])
    const ListedHomes = (await person.post('/ListHome')).results
    expect(ListedHomes).toMatchObject([{ HomeID: a, RoomList: [{ RoomID: 0 }] }])
    expect((await person.post('/CreateRoom', { HomeID: a, RoomName: 'Attic' })).status.code).toBe(0)
    expect((await person.post('/ListRoom')).results).toHaveLength(2)
    expect((await person.post('/DeleteRoom', { HomeID: a, RoomID: 1 })).status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
      missing: { feature: 'room', operation: 'Delete' },
    })
  })

  it('let other homes look as if they did not exist', async () => {
    const person = await createLimited([at([a], rights('room', 'Read'))])
    const [there, nowhere] = await Promise.all(
      [b, crypto.randomUUID()].map(async (HomeID) => {
        const { http, status } = await person.post('/GetRoombyHomeId', { HomeID })
        return { http, ...status, error: status.error?.replace(HomeID, ''), requestId: '' }
      }),
    )
    expect(there).toMatchObject({ code: ERRORS.NOT_FOUND.code })
    expect(there).toEqual(nowhere)
  })

  it('do not suffice for what concerns the company', async () => {
    const person = await createLimited([at([a], rights('home', 'Read', 'Create'))])
    expect((await person.post('/CreateHome', { HomeName: 'C', TimeZone: 'Asia/Taipei' })).status.code).toBe(
      ERRORS.PERMISSION_DENIED.code,
    )
  })

  it('add to those at every home', async () => {
    const person = await createLimited([at([a], rights('room', 'Create'))], [rights('room', 'Read')])
    expect((await person.post('/GetRoombyHomeId', { HomeID: b })).status.code).toBe(0)
    expect((await person.post('/CreateRoom', { HomeID: b, RoomName: 'Cellar' })).status.code).toBe(
      ERRORS.PERMISSION_DENIED.code,
    )
    expect((await person.post('/GetPersonalPermissions')).results).toMatchObject({
      Permissions: [rights('room', 'Read')],
      HomeGrants: [at([a], rights('room', 'Create'))],
    })
  })

  it('end the sign-ins of a person when they are changed', async () => {
    const person = await createLimited([at([a], rights('room', 'Read'))])
    await grant(person, [at([b], rights('room', 'Read'))])
    expect((await person.post('/ListHome')).status.code).toBe(ERRORS.UNAUTHENTICATED.code)
    const again = await world.signIn(person.email, person.password)
    expect((await again.post('/ListHome')).results).toMatchObject([{ HomeID: b }])
  })

  it('stay when other fields are changed', async () => {
    const person = await createLimited([at([a], rights('room', 'Read'))])
    await root.post('/UpdateUserInfo', { Email: person.email, nickname: 'Ann' })
    expect((await person.post('/ListHome')).results).toMatchObject([{ HomeID: a }])
  })
})

describe('records of other homes', () => {
  const RULE = {
    AutomationType: 1,
    Schedule: { Weekdays: [1], At: 480 },
    Actions: [{ RoomID: 0, Only: 'lights', Values: { On: 1 } }],
  }
  const createRule = async (HomeID: string, AutomationName: string): Promise<string> =>
    (await root.post('/CreateAutomation', { ...RULE, HomeID, AutomationName })).results.AutomationID

  it('are neither listed nor found', async () => {
    const [ours, theirs] = [await createRule(a, 'Ours'), await createRule(b, 'Theirs')]
    const person = await createLimited([at([a], rights('schedule', 'Read', 'Update', 'Delete'))])
    const { results } = await person.post('/ListAutomation', { AutomationType: 1 })
    expect(results.map((one: { AutomationID: string }) => one.AutomationID)).toEqual([ours])
    const [there, nowhere] = await Promise.all(
      [theirs, crypto.randomUUID()].map(async (AutomationID) => {
        const { http, status } = await person.post('/DeleteAutomation', { AutomationType: 1, AutomationID })
        return { http, ...status, error: status.error?.replace(AutomationID, ''), requestId: '' }
      }),
    )
    expect(there).toMatchObject({ code: ERRORS.NOT_FOUND.code })
    expect(there).toEqual(nowhere)
    expect(
      (await person.post('/DeleteAutomation', { AutomationType: 1, AutomationID: ours })).status.code,
    ).toBe(0)
  })

  it.each([
    ['/GetAllMeterData', {}],
    ['/GetAllOTA', {}],
    ['/GetCompanyEnergy', { From: 1_767_225_600_000, To: 1_767_226_500_000 }],
    ['/GetDailySummationData', { Days: 1 }],
    ['/GetMonthBesideYear', {}],
    ['/GetSaving', {}],
    ['/ListDemand', {}],
    ['/ListFinding', {}],
    ['/GetSetupState', {}],
    ['/ListInside', {}],
    ['/ListUsedBy', { Subject: 'person', ID: 'root' }],
    ['/ListLastChange', { Field: 'DoorState' }],
    ['/ListScanEvent', {}],
    ['/ListScanner', {}],
  ])('are unknown to the answer of %s', async (path, input) => {
    const everything = EVERYTHING.filter(({ FeatureKey }) => !COMPANY_FEATURES.includes(FeatureKey))
    const person = await createLimited([at([a], ...everything)])
    await root.post('/CreateScanner', { HomeID: b, ScannerName: `Door ${path}` })
    const named = 'ID' in input ? { ...input, ID: root.cognitoId } : input
    const { status, results } = await person.post(path, named)
    expect(status).toEqual({ code: 0 })
    expect(JSON.stringify(results)).not.toMatch(new RegExp(`${b}|Door`))
  })

  it('are left out of lists of devices and of maintenance', async () => {
    const person = await createLimited([at([a], rights('device', 'Read'))])
    await root.post('/StartMaintenance', {
      HomeID: b,
      Scope: 'home',
      Subject: b,
      Until: world.clock.now() + 60_000,
      Reason: 'Repair',
    })
    expect((await root.post('/ListMaintenance', {})).results).toHaveLength(1)
    expect((await person.post('/ListMaintenance', {})).results).toEqual([])
    for (const path of ['/GetAllDeviceWithPeripheral', '/ListAlarm', '/ListAttention'])
      expect((await person.post(path, {})).status).toEqual({ code: 0 })
  })
})

describe('granting rights at single homes', () => {
  it('stores each home once, and homes with equal rights together', async () => {
    const person = await world.createUser(root)
    const { results } = await grant(person, [
      at([b, a], rights('room', 'Read')),
      at([a], rights('device', 'Control', 'Read'), rights('room', 'Read')),
      at([b], rights('device', 'Read'), rights('device', 'Control')),
    ])
    expect(results.HomeGrants).toEqual([
      at([a, b].toSorted(), rights('device', 'Read', 'Control'), rights('room', 'Read')),
    ])
  })

  it('needs each right at the same home', async () => {
    const admin = await createLimited(
      [at([a], rights('room', 'Read', 'Create'))],
      [rights('user', 'Read', 'Create', 'Update', 'Delete'), rights('room', 'Read')],
    )
    const person = await world.createUser(root)
    expect((await grant(person, [at([a], rights('room', 'Create'))], admin)).status.code).toBe(0)
    for (const beyond of [[at([b], rights('room', 'Create'))], [at([a], rights('device', 'Read'))]])
      expect((await grant(person, beyond, admin)).status).toMatchObject({
        code: ERRORS.PERMISSION_DENIED.code,
        fields: { Permissions: 'beyondOwn' },
      })
    await grant(person, [at([b], rights('room', 'Create'))])
    expect((await admin.post('/DeleteUser', { Email: person.email })).status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
      fields: { Email: 'stronger' },
    })
  })

  it.each([
    ['a home that does not exist', [at(['nowhere'], rights('room', 'Read'))], ERRORS.NOT_FOUND, 'notFound'],
    ['no home', [at([], rights('room', 'Read'))], ERRORS.INVALID, 'required'],
    ['a feature of the company', [at(['x'], rights('user', 'Read'))], ERRORS.INVALID, 'everywhere'],
    [
      'more grants than a person may have',
      Array.from({ length: 21 }, (_, i) => at([`h${i}`], rights('room', 'Read'))),
      ERRORS.INVALID,
      'tooBig',
    ],
  ])('rejects %s', async (_, grants, { code }, reason) => {
    const { status } = await grant(await world.createUser(root), grants)
    expect(status.code).toBe(code)
    expect(Object.entries(status.fields ?? {})).toEqual([[expect.stringMatching(/^HomeGrants/), reason]])
  })

  it('drops a home that was deleted since when the person is saved', async () => {
    const c = await createHome('C')
    const person = await createLimited([at([a, c], rights('room', 'Read'))])
    await root.post('/DeleteHome', { HomeID: c })
    expect((await person.post('/ListHome')).results).toMatchObject([{ HomeID: a }])
    const { results } = await root.post('/UpdateUserInfo', { Email: person.email, nickname: 'Ann' })
    expect(results.HomeGrants).toEqual([at([a], rights('room', 'Read'))])
  })

  it('is rejected while answers are not limited to homes', async () => {
    const other = await startWorld()
    const owner = await other.signUp()
    const person = await other.createUser(owner)
    const HomeGrants = [at(['x'], rights('room', 'Read'))]
    expect((await owner.post('/UpdateUserInfo', { Email: person.email, HomeGrants })).status.code).toBe(
      ERRORS.UNAVAILABLE.code,
    )
    await other.close()
  })
})
