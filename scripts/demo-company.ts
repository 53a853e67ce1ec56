import { capabilityOf } from '../contract/devices/kinds/registry.ts'
import { PERMISSION_TEMPLATES } from '../contract/people/permission-templates.ts'
import { ERRORS } from '../contract/kernel/errors.ts'
import { company } from '../contract/people/company-calls.ts'
import { hubCredentials } from '../contract/devices/hub-credential-calls.ts'
import { meterFacts } from '../contract/meters/fact-calls.ts'
import { session } from '../contract/people/session-calls.ts'
import { department } from '../contract/people/department.ts'
import { home, type HomeWithRooms } from '../contract/homes/home.ts'
import { MAX_ADDED_AT_ONCE, peripheral, peripheralCalls } from '../contract/devices/peripheral.ts'
import { modbusTable } from '../contract/devices/modbus/modbus-table.ts'
import { room } from '../contract/homes/room.ts'
import { thing } from '../contract/devices/thing.ts'
import { user } from '../contract/people/user.ts'
import type { MeterFactName } from '../contract/meters/meter-facts.ts'
import { returnIdOf } from '../contract/devices/kinds/meter-id.ts'
import type { FleetHub } from '../simulator/building/building.ts'
import { demoCompany, type DemoHome, type DemoHub } from '../simulator/demo/demo.ts'
import { demoModbusTable } from '../simulator/demo/modbus-table.ts'
import { QUIET, type Story, withStory } from '../simulator/demo/story.ts'
import { type Api, type Call, CallFailed } from './api.ts'
import { seedAccess } from './demo-access.ts'

/** The demo's password, the same for every account; the demo listens on this machine only. */
export const DEMO_PASSWORD = 'demo1234'
const INITIAL_PASSWORD = 'first-passw0rd'

const OWNER = { Email: 'owner@demo.example', FirstName: '擁有者', LastName: '' }

/** Accounts of the demo company, named after their roles. */
const DEMO_USERS = [
  {
    Email: 'facility@demo.example',
    FirstName: '廠務主管',
    Permissions: [...PERMISSION_TEMPLATES.facilityManager],
  },
  { Email: 'operator@demo.example', FirstName: '操作員', Permissions: [...PERMISSION_TEMPLATES.operator] },
  { Email: 'viewer@demo.example', FirstName: '檢視者', Permissions: [...PERMISSION_TEMPLATES.viewer] },
]
export const DEMO_ACCOUNTS = [OWNER, ...DEMO_USERS].map(({ Email, FirstName }) => ({
  Email,
  role: FirstName,
}))

/** Hub secrets by ThingName, stored between runs because the gateway shows each only once. */
export type HubSecrets = Record<string, string>

/**
 * Creates the demo company with the gateway's own calls, and anything an interrupted earlier run left out.
 *
 * now       epoch ms by the gateway's clock
 * story     defects of the demo
 * repaired  what has been repaired: PeripheralUIDs, and names of hubs
 * returns   the hubs, the lost ones among them, the scanner for the simulator, a function that adds announced devices, and
 *           calls on behalf of the owner
 */
export async function seedDemoCompany(
  api: Api,
  secrets: HubSecrets,
  {
    now = Date.now(),
    story = QUIET,
    repaired = new Set(),
  }: { now?: number; story?: Story; repaired?: ReadonlySet<string> } = {},
) {
  const call = await ownerCall(api)
  await seedPeople(api, call)
  const homes = await seedHomes(call)
  const hubs: FleetHub[] = []
  const missingHubs: string[] = []
  const { RootCognitoId: rootId } = await call(session.getPersonalPermissions, {})
  for (const plan of demoCompany.homes) {
    const site = homes.get(plan.HomeName) as HomeWithRooms
    const { Things } = await call(peripheral.operations.list, { HomeID: site.HomeID })
    for (const hub of plan.hubs) {
      const known = Things.find(({ DeviceName }) => DeviceName === hub.DeviceName)
      const ThingName = await seedHub(call, site, hub, known?.ThingName, secrets)
      hubs.push({
        rootId,
        HomeID: site.HomeID,
        ThingName,
        Secret: secrets[ThingName] as string,
        devices: withStory(hub.devices, story, repaired),
      })
      if (story.lostHubs.includes(hub.DeviceName) && !repaired.has(ThingName)) missingHubs.push(ThingName)
    }
  }
  const HomeID = homes.get(demoCompany.homes[0]?.HomeName as string)?.HomeID as string
  const door = await seedAccess(call, { rootId, HomeID }, secrets, now)
  return { hubs, lost: missingHubs, door, addDevices: () => addDevices(call, homes), owner: call }
}

async function ownerCall(api: Api): Promise<Call> {
  try {
    await api.signUp({ ...OWNER, LastName: '示範', Password: DEMO_PASSWORD })
  } catch (error) {
    if (!(error instanceof CallFailed && error.code === ERRORS.CONFLICT.code)) throw error
  }
  const call = await api.signIn(OWNER.Email, DEMO_PASSWORD)
  await call(session.initializeUser, {})
  const { CompanyName } = await call(company.getCompanyProfile, {})
  if (CompanyName !== demoCompany.CompanyName)
    await call(company.updateCompanyProfile, {
      CompanyName: demoCompany.CompanyName,
      LogoName: demoCompany.CompanyName,
    })
  return call
}

async function seedPeople(api: Api, call: Call): Promise<void> {
  const departments = await call(department.operations.list, {})
  for (const Department of demoCompany.departments)
    if (!departments.some((known) => known.Department === Department))
      departments.push(await call(department.operations.create, { Department }))
  const people = await call(user.operations.list, {})
  for (const [index, person] of DEMO_USERS.entries()) {
    if (people.some(({ Email }) => Email === person.Email)) continue
    const DepartmentID = departments[index % departments.length]?.DepartmentID ?? null
    await call(user.operations.create, { ...person, DepartmentID, password: INITIAL_PASSWORD })
    const own = await api.signIn(person.Email, DEMO_PASSWORD, INITIAL_PASSWORD)
    await own(session.initializeUser, {})
  }
}

/** Creates the demo's homes with every room of the plan, all homes at the same time; returns them by name. */
async function seedHomes(call: Call): Promise<Map<string, HomeWithRooms>> {
  const known = new Map((await call(home.operations.list, {})).map((site) => [site.HomeName, site]))
  await Promise.all(
    demoCompany.homes.map(async (plan) => {
      const site =
        known.get(plan.HomeName) ??
        (await call(home.operations.create, {
          HomeName: plan.HomeName,
          TimeZone: plan.TimeZone,
          DefaultRoomName: '預設房間',
        }))
      known.set(plan.HomeName, site)
      // One after another, so that rooms are numbered in the order of the plan.
      for (const RoomName of plan.rooms)
        if (!site.RoomList.some((one) => one.RoomName === RoomName)) {
          const added = await call(room.operations.create, { HomeID: site.HomeID, RoomName })
          site.RoomList.push({ ...added, PeripheralList: [], ThingNameList: [] })
        }
    }),
  )
  return known
}

const roomOf = (site: HomeWithRooms, name: string): number =>
  site.RoomList.find(({ RoomName }) => RoomName === name)?.RoomID ?? 0

/** Adds a hub, or renews the credentials of one whose secret is missing; returns its name. */
async function seedHub(
  call: Call,
  { HomeID, ...site }: HomeWithRooms,
  hub: DemoHub,
  known: string | undefined,
  secrets: HubSecrets,
): Promise<string> {
  if (known !== undefined && secrets[known] !== undefined) return known
  const { ThingName, Secret } = known
    ? await call(hubCredentials.rotateThingSecret, { HomeID, ThingName: known })
    : await call(thing.operations.create, {
        HomeID,
        DeviceName: hub.DeviceName,
        RoomID: roomOf({ HomeID, ...site }, hub.RoomName),
      })
  secrets[ThingName] = Secret
  return ThingName
}

/** Adds every announced device of the plan to its room, all homes at the same time; returns the number added. */
async function addDevices(call: Call, homes: Map<string, HomeWithRooms>): Promise<number> {
  const counts = await Promise.all(
    demoCompany.homes.map((plan) => addDevicesOf(call, homes.get(plan.HomeName) as HomeWithRooms, plan)),
  )
  const count = counts.reduce((sum, one) => sum + one, 0)
  if (count > 0) await assignModbusTables(call, homes)
  return count
}

async function addDevicesOf(call: Call, site: HomeWithRooms, plan: DemoHome): Promise<number> {
  const { HomeID } = site
  const found = await call(peripheralCalls.listDiscovered, { HomeID })
  const undiscovered = new Set(found.map(({ PeripheralUID }) => PeripheralUID))
  const toAdd = Object.entries(byRoom(plan)).flatMap(([RoomName, devices]) => {
    const ofRoom = devices.filter(({ PeripheralUID }) => undiscovered.has(PeripheralUID))
    return chunksOf(ofRoom, MAX_ADDED_AT_ONCE).map((some) => ({ RoomID: roomOf(site, RoomName), some }))
  })
  const added = await allOf(toAdd, ({ RoomID, some }) =>
    call(peripheral.operations.create, {
      HomeID,
      RoomID,
      Peripherals: some.map(({ PeripheralUID, PeripheralName }) => ({ PeripheralUID, PeripheralName })),
    }),
  )
  await allOf(
    toAdd.flatMap(({ some }) => some),
    async ({ PeripheralUID, PowerMeterUpdateFrequency, PulseDuration }) => {
      if (PowerMeterUpdateFrequency !== undefined || PulseDuration !== undefined)
        await call(peripheralCalls.updateAdvance, {
          HomeID,
          PeripheralUID,
          ...(PowerMeterUpdateFrequency !== undefined && { PowerMeterUpdateFrequency }),
          ...(PulseDuration !== undefined && { PulseDuration }),
        })
    },
  )
  await setFacts(call, HomeID, plan, undiscovered)
  return added.reduce((sum, one) => sum + one.length, 0)
}

/** Number of calls of a home that run at the same time. */
const CALLS_AT_ONCE = 4

/** Results of a task for each entry, some of which run at the same time. */
async function allOf<Entry, Result>(
  entries: readonly Entry[],
  task: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const some of chunksOf(entries, CALLS_AT_ONCE)) results.push(...(await Promise.all(some.map(task))))
  return results
}

const chunksOf = <Entry>(entries: readonly Entry[], size: number): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, i) => entries.slice(i * size, (i + 1) * size))

/** Sets roles, parents and uses of a home's new meters, without a start date: their past readings follow later. */
async function setFacts(
  call: Call,
  HomeID: string,
  { hubs }: DemoHome,
  added: ReadonlySet<string>,
): Promise<void> {
  const setFact = ([MeterID, Fact, Value]: [MeterID: string, Fact: MeterFactName, Value: string]) =>
    call(meterFacts.setMeterFact, { HomeID, MeterID, Fact, Value, From: null })
  const devices = hubs.flatMap((hub) => hub.devices)
  const parents = devices.flatMap(({ PeripheralUID: parent, parentOf = [] }) =>
    parentOf
      .filter((uid) => added.has(uid))
      .map((uid): Parameters<typeof setFact>[0] => [uid, 'parent', parent]),
  )
  const others = devices
    .filter(({ PeripheralUID }) => added.has(PeripheralUID))
    .flatMap(({ PeripheralUID, role, returnRole, use }): Parameters<typeof setFact>[0][] => [
      ...(role ? [[PeripheralUID, 'role', role] as [string, MeterFactName, string]] : []),
      ...(use ? [[PeripheralUID, 'use', use] as [string, MeterFactName, string]] : []),
      ...(returnRole
        ? [[returnIdOf(PeripheralUID), 'role', returnRole] as [string, MeterFactName, string]]
        : []),
    ])
  await allOf(parents, setFact)
  await allOf(others, setFact)
}

/** Creates the table of the simulated Modbus devices and assigns it to them. */
async function assignModbusTables(call: Call, homes: Map<string, HomeWithRooms>): Promise<void> {
  const tables = await call(modbusTable.operations.list, {})
  const { ModbusTableID } =
    tables.find(({ TableName }) => TableName === demoModbusTable.TableName) ??
    (await call(modbusTable.operations.create, demoModbusTable))
  for (const { HomeID } of homes.values()) {
    const { Peripherals } = await call(peripheral.operations.list, { HomeID })
    for (const { PeripheralUID, PeripheralType, ModbusTableID: given } of Peripherals)
      if (given === null && capabilityOf(PeripheralType, 'modbus'))
        await call(peripheralCalls.updateAdvance, { HomeID, PeripheralUID, ModbusTableID })
  }
}

const byRoom = (plan: DemoHome) => {
  const rooms: Record<string, DemoHub['devices'][number][]> = {}
  for (const device of plan.hubs.flatMap(({ devices }) => devices))
    (rooms[device.RoomName] ??= []).push(device)
  return rooms
}
