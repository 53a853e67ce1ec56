import { afterAll, beforeAll, expect, it } from 'vitest'
import { ERRORS } from '../../contract/kernel/errors.ts'
import { addDiscovered } from '../support/discoveries.ts'
import { type Caller, rights, startWorld, type World } from '../support/world.ts'

let world: World
let root: Caller
let other: Caller
let keys: Record<'home' | 'room' | 'hub' | 'device' | 'department', object>
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  other = await world.createUser(
    root,
    (['home', 'room', 'device', 'user', 'company'] as const).map((feature) =>
      rights(feature, 'Read', 'Update'),
    ),
  )
  const made = async (path: string, body: object) => (await root.post(path, body)).results
  const { HomeID } = await made('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })
  const { RoomID } = await made('/CreateRoom', { HomeID, RoomName: 'A' })
  const { ThingName } = await made('/AddThing', { HomeID, DeviceName: 'A' })
  const { DepartmentID } = await made('/CreateDepartment', { Department: 'A' })
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['meter'] })
  keys = {
    home: { HomeID },
    room: { HomeID, RoomID },
    hub: { HomeID, ThingName },
    device: { HomeID, PeripheralUID: 'meter' },
    department: { DepartmentID },
  }
  await root.post('/UpdatePeripheralInfo', { ...keys.device, PeripheralName: 'A' })
  await root.post('/UpdateCompanyProfile', { CompanyName: 'A' })
})
afterAll(() => world.close())

const LIMITS = { CurrentLower: 0, CurrentUpper: 10, VoltageLower: 100, VoltageUpper: 240 }

/** One call of each form that changes single fields, with a field that two people change. */
const forms: Record<string, [path: string, key: () => object, field: string, was: unknown, is: unknown]> = {
  'a home': ['/UpdateHomeInfo', () => keys.home, 'HomeName', 'A', 'B'],
  'a room': ['/UpdateRoomInfo', () => keys.room, 'RoomName', 'A', 'B'],
  'a department': ['/UpdateDepartmentInfo', () => keys.department, 'Department', 'A', 'B'],
  'a hub': ['/UpdateThingInfo', () => keys.hub, 'DeviceName', 'A', 'B'],
  'a device': ['/UpdatePeripheralInfo', () => keys.device, 'PeripheralName', 'A', 'B'],
  'settings of a device': ['/UpdatePeripheralAdvanceInfo', () => keys.device, 'Voltage', null, 220],
  'limits of a meter': ['/UpdatePeripheralAdvanceInfo', () => keys.device, 'WarningThreshold', null, LIMITS],
  'the company': ['/UpdateCompanyProfile', () => ({}), 'CompanyName', 'A', 'B'],
}

it.each(Object.entries(forms))(
  'rejects the second concurrent change of the same field of %s, and overwrites nothing',
  async (_, [path, key, field, was, is]) => {
    const change = (caller: Caller, value: unknown, Seen?: object) =>
      caller.post(path, { ...key(), [field]: value, ...(Seen && { Seen }) })
    expect((await change(other, is, { [field]: was })).status.code).toBe(0)
    expect((await change(root, was, { [field]: was })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { [field]: 'changed' },
    })
    // A caller with a current `Seen` may replace the value; a caller without `Seen` replaces it unconditionally.
    const kept = await change(root, was, { [field]: is })
    expect(kept.results).toMatchObject({ [field]: was })
    expect(kept.results).not.toHaveProperty('Seen')
    expect((await change(other, is)).results).toMatchObject({ [field]: is })
  },
)

it('allows two users to change different fields of one record concurrently', async () => {
  const { hub, device } = keys
  const before = (await root.post('/UpdateThingInfo', { ...hub, DeviceName: 'Old', RoomID: 0 })).results
  const [named, placed] = await Promise.all([
    root.post('/UpdateThingInfo', { ...hub, DeviceName: 'New', Seen: { DeviceName: before.DeviceName } }),
    other.post('/UpdateThingInfo', { ...hub, ...keys.room, Seen: { RoomID: 0 } }),
  ])
  expect([named.status.code, placed.status.code]).toEqual([0, 0])
  const { results } = await root.post('/GetAllDeviceWithPeripheral', keys.home)
  expect(results.Things).toMatchObject([{ DeviceName: 'New', ...keys.room }])
  const figures = { Voltage: 110, Seen: { Voltage: 220 } }
  expect((await root.post('/UpdatePeripheralAdvanceInfo', { ...device, ...figures })).status.code).toBe(0)
})

it('notifies a second window of a user that the dashboard was arranged in the first', async () => {
  const arrange = (CustomDashboard: string, seen: string) =>
    root.post('/UpdatePersonalConfig', { CustomDashboard, Seen: { CustomDashboard: seen } })
  expect((await arrange('{"order":["usage"]}', 'DEFAULT')).status.code).toBe(0)
  expect((await arrange('{"order":["alarms"]}', 'DEFAULT')).status).toMatchObject({
    code: ERRORS.CONFLICT.code,
    fields: { CustomDashboard: 'changed' },
  })
})
