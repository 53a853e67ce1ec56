import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { addDiscovered, discover } from '../../../../support/discoveries.ts'
import { type Caller, rights, type World } from '../../../../support/world.ts'
import { schedule, startBuilding } from './support.ts'

const LIGHTS_OFF = { Only: 'lights', Values: { On: 0 } }
const EDITING = [
  rights('group', 'Read', 'Create', 'Update'),
  rights('schedule', 'Read', 'Update'),
  rights('device', 'Read', 'Create', 'Update'),
  rights('room', 'Read', 'Create', 'Update', 'Delete'),
]
const DENIED = {
  code: ERRORS.PERMISSION_DENIED.code,
  missing: { feature: 'device_control', operation: 'Control' },
}

let world: World
let root: Caller
let HomeID: string
let ThingName: string
/** May change groups, rooms, devices and rules, but not control devices. */
let editor: Caller
let operator: Caller
beforeAll(async () => {
  ;({ world, root, HomeID, ThingName } = await startBuilding())
  editor = await world.createUser(root, EDITING)
  operator = await world.createUser(root, [...EDITING, rights('device_control', 'Control')])
})
afterAll(() => world.close())

const addRoom = async (RoomName: string): Promise<number> =>
  (await root.post('/CreateRoom', { HomeID, RoomName })).results.RoomID
const roomOf = async (PeripheralUID: string): Promise<number> =>
  (await root.post('/GetPeripheralById', { HomeID, PeripheralUID })).results.Peripheral.RoomID

describe('a user without the right to control devices', () => {
  describe('who changes a group', () => {
    let GroupID: string
    const update = (by: Caller, changes: object) => by.post('/UpdateGroup', { HomeID, GroupID, ...changes })
    let count = 0
    beforeEach(async () => {
      const name = `Group ${(count += 1)}`
      GroupID = (await root.post('/CreateGroup', { HomeID, GroupName: name, PeripheralList: ['r2'] })).results
        .GroupID
    })

    it('changes its devices while no rule sets it', async () => {
      expect((await update(editor, { PeripheralList: ['r2', 'r3'] })).status.code).toBe(0)
    })

    it('cannot change its devices once a rule sets it, but can rename it', async () => {
      const rule = schedule(HomeID, { Actions: [{ GroupID, Values: { Switch: 1 } }] })
      expect((await root.post('/CreateAutomation', rule)).status.code).toBe(0)
      expect((await update(editor, { PeripheralList: ['r2', 'r3'] })).status).toMatchObject(DENIED)
      expect(
        (await update(editor, { GroupName: `Renamed ${count}`, PeripheralList: ['r2'] })).status.code,
      ).toBe(0)
      expect((await update(operator, { PeripheralList: ['r2', 'r3'] })).status.code).toBe(0)
    })

    it('cannot change its devices once a scene sets it', async () => {
      const scene = {
        HomeID,
        SceneName: `S ${count}`,
        Icon: 'moon',
        Actions: [{ GroupID, Values: { Switch: 1 } }],
      }
      expect((await root.post('/CreateScene', scene)).status).toMatchObject({ code: 0 })
      expect((await update(editor, { PeripheralList: ['r3'] })).status).toMatchObject(DENIED)
    })
  })

  describe('who changes the contents of a room', () => {
    let commanded: number
    let free: number
    beforeAll(async () => {
      commanded = await addRoom('Hall')
      free = await addRoom('Store')
      await addDiscovered(world, root, { HomeID, ThingName, type: '516', RoomID: free, uids: ['lamp'] })
      await addDiscovered(world, root, { HomeID, ThingName, type: '509', RoomID: free, uids: ['air'] })
      const rule = schedule(HomeID, { Actions: [{ RoomID: commanded, ...LIGHTS_OFF }] })
      await root.post('/CreateAutomation', rule)
    })
    const move = (by: Caller, PeripheralUID: string, RoomID: number) =>
      by.post('/UpdatePeripheralInfo', { HomeID, PeripheralUID, RoomID })

    it('cannot move a lamp into or out of a room that a rule sets', async () => {
      expect((await move(editor, 'lamp', commanded)).status).toMatchObject(DENIED)
      expect(await roomOf('lamp')).toBe(free)
      expect((await move(operator, 'lamp', commanded)).status.code).toBe(0)
      expect((await move(editor, 'lamp', free)).status).toMatchObject(DENIED)
      expect((await move(operator, 'lamp', free)).status.code).toBe(0)
    })

    it('moves a lamp between rooms that no rule sets, and a sensor anywhere', async () => {
      expect((await move(editor, 'lamp', 0)).status.code).toBe(0)
      expect((await move(editor, 'lamp', free)).status.code).toBe(0)
      expect((await move(editor, 'air', commanded)).status.code).toBe(0)
    })

    it('cannot add a lamp to a room that a rule sets', async () => {
      await discover(world, root, { HomeID, ThingName, type: '516', uids: ['new'] })
      const add = (by: Caller) =>
        by.post('/AddPeripherals', {
          HomeID,
          RoomID: commanded,
          Peripherals: [{ PeripheralUID: 'new', PeripheralName: 'New' }],
        })
      expect((await add(editor)).status).toMatchObject(DENIED)
      expect((await add(operator)).status.code).toBe(0)
    })

    it('cannot delete a room whose lamps move to a default room that a scene sets', async () => {
      const RoomID = await addRoom('Annex')
      expect((await move(root, 'lamp', RoomID)).status.code).toBe(0)
      const scene = { HomeID, SceneName: 'Dark', Icon: 'moon', Actions: [{ RoomID: 0, ...LIGHTS_OFF }] }
      expect((await root.post('/CreateScene', scene)).status).toMatchObject({ code: 0 })
      expect((await editor.post('/DeleteRoom', { HomeID, RoomID })).status).toMatchObject(DENIED)
      expect(await roomOf('lamp')).toBe(RoomID)
      expect((await operator.post('/DeleteRoom', { HomeID, RoomID })).status.code).toBe(0)
    })
  })

  describe('who switches a rule', () => {
    let key: { AutomationType: number; AutomationID: string }
    beforeEach(async () => {
      const { AutomationID } = (await root.post('/CreateAutomation', schedule(HomeID))).results
      key = { AutomationType: 1, AutomationID }
    })

    it('can disable it, but not enable it by either call', async () => {
      const enable = (by: Caller, Enabled: boolean) => by.post('/SetAutomationEnabled', { ...key, Enabled })
      expect((await enable(editor, false)).status.code).toBe(0)
      expect((await enable(editor, true)).status).toMatchObject(DENIED)
      expect((await editor.post('/UpdateAutomation', { ...key, Enabled: true })).status).toMatchObject(DENIED)
      expect((await editor.post('/UpdateAutomation', { ...key, Description: 'x' })).status.code).toBe(0)
      expect((await enable(operator, true)).status.code).toBe(0)
    })
  })
})
