import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import type { Scene } from '../../../../../contract/automation/scene.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { addDiscovered, discover } from '../../../../support/discoveries.ts'
import { modbusRow } from '../../../../support/modbus-rows.ts'
import { type Caller, rights, type World } from '../../../../support/world.ts'
import { ON, schedule, smartLink, startBuilding } from './support.ts'

let world: World
let root: Caller
let HomeID: string
let ThingName: string
let uid: string
let count = 0

beforeAll(async () => ({ world, root, HomeID, ThingName } = await startBuilding()))
afterAll(() => world.close())
beforeEach(async () => {
  uid = `b${(count += 1)}`
  await addDiscovered(world, root, { HomeID, ThingName, uids: [uid] })
})

const create = async (input: object) => (await root.post('/CreateAutomation', input)).results
const list = async (AutomationType = 1) =>
  (await root.post('/ListAutomation', { AutomationType, HomeID })).results
const find = async ({ AutomationID, AutomationType }: { AutomationID: string; AutomationType: number }) =>
  (await list(AutomationType)).find((one: { AutomationID: string }) => one.AutomationID === AutomationID)
const groupsLeft = async () =>
  (await root.post('/GetGroupByHomeId', { HomeID })).results.map(
    ({ GroupID }: { GroupID: string }) => GroupID,
  )
const set = () => [{ PeripheralUID: uid, Values: { Switch: 1 } }]

describe('an automation is broken', () => {
  it('after the removal of a device that it sets, is listed first, until it is repaired', async () => {
    const { AutomationID } = await create(schedule(HomeID, { AutomationName: 'zzz', Actions: set() }))
    await create(schedule(HomeID, { AutomationName: 'aaa' }))
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: uid })
    const [first] = await list()
    expect(first).toMatchObject({
      AutomationID,
      State: 'broken',
      Problem: { Reason: 'deviceGone', Subject: uid, Since: world.clock.now() },
    })
    const renamed = await root.post('/UpdateAutomation', {
      AutomationType: 1,
      AutomationID,
      Description: 'x',
    })
    expect(renamed.results.State).toBe('broken')
    const mended = await root.post('/UpdateAutomation', { AutomationType: 1, AutomationID, Actions: ON })
    expect(mended.results).toMatchObject({ State: 'ready', Problem: null })
  })

  it('after the removal of a device that it monitors, or of its hub', async () => {
    const hub = (await root.post('/AddThing', { HomeID, DeviceName: 'h' })).results.ThingName
    await addDiscovered(world, root, { HomeID, ThingName: hub, uids: ['watched'] })
    const condition = { PeripheralUID: 'watched', Field: 'Switch', Status: 1, Logical: '=' }
    const made = await create(smartLink(HomeID, { Conditions: { PeripheralUIDs: [condition] } }))
    const { GroupID } = (
      await root.post('/CreateGroup', { HomeID, GroupName: 'Of its hub', PeripheralList: ['watched'] })
    ).results
    await root.post('/RemoveThing', { HomeID, ThingName: hub })
    expect(await find(made)).toMatchObject({ State: 'broken', Problem: { Subject: 'watched' } })
    expect(await groupsLeft()).not.toContain(GroupID)
  })

  it('after the removal of a camera that it monitors, until it is added again', async () => {
    const camera = `${uid}-camera`
    await discover(world, root, { HomeID, ThingName, type: '752', uids: [camera] })
    const sync = () => root.post('/CasaDeviceSync', { HomeID, RoomID: 0 })
    expect((await sync()).results.Added).toMatchObject([{ PeripheralUID: camera }])
    const { GroupID } = (
      await root.post('/CreateGroup', { HomeID, GroupName: 'Cameras', PeripheralList: [camera] })
    ).results
    const condition = { PeripheralUID: camera, Field: 'Online', Status: 0, Logical: '=' }
    const made = await create(smartLink(HomeID, { Conditions: { PeripheralUIDs: [condition] } }))
    const removed = await root.post('/CasaDeletePeripheral', { HomeID, PeripheralUID: camera })
    expect(removed.status.code).toBe(0)
    expect(await find(made)).toMatchObject({ State: 'broken', Problem: { Subject: camera } })
    expect(await groupsLeft()).not.toContain(GroupID)
    expect((await sync()).results.Added).toMatchObject([{ PeripheralUID: camera }])
    expect(await find(made)).toMatchObject({ State: 'ready', Problem: null })
  })

  it('when the last device has left the group that it sets', async () => {
    const { GroupID } = (
      await root.post('/CreateGroup', { HomeID, GroupName: 'Only', PeripheralList: [uid] })
    ).results
    const made = await create(schedule(HomeID, { Actions: [{ GroupID, Values: { Switch: 1 } }] }))
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: uid })
    expect(await find(made)).toMatchObject({
      State: 'broken',
      Problem: { Reason: 'groupGone', Subject: GroupID },
    })
  })

  it('after the deletion of a room that it sets, and of no other', async () => {
    const room = (await root.post('/CreateRoom', { HomeID, RoomName: 'Gone' })).results
    const other = (await root.post('/CreateRoom', { HomeID, RoomName: 'Stays' })).results
    const of = (RoomID: number) =>
      create(schedule(HomeID, { Actions: [{ RoomID, Only: 'lights', Values: { On: 0 } }] }))
    const [gone, stays] = [await of(room.RoomID), await of(other.RoomID)]
    await root.post('/DeleteRoom', { HomeID, RoomID: room.RoomID })
    expect(await find(gone)).toMatchObject({
      State: 'broken',
      Problem: { Reason: 'roomGone', Subject: String(room.RoomID) },
    })
    expect(await find(stays)).toMatchObject({ State: 'ready' })
  })

  it('after the deletion of the conference room whose bookings it follows', async () => {
    const { ConferenceRoomID } = (
      await root.post('/AddConferenceRoom', { ConferenceRoomName: 'M', Capacity: 4, HomeID })
    ).results
    const made = await create(
      schedule(HomeID, { Schedule: undefined, Booking: { ConferenceRoomID, When: 'start' } }),
    )
    await root.post('/RemoveConferenceRoom', { ConferenceRoomID })
    expect(await find(made)).toMatchObject({
      State: 'broken',
      Problem: { Reason: 'conferenceRoomGone', Subject: ConferenceRoomID },
    })
  })

  it('until the device is added again', async () => {
    const made = await create(schedule(HomeID, { Actions: set() }))
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: uid })
    expect(await find(made)).toMatchObject({ State: 'broken' })
    const Peripherals = [{ PeripheralUID: uid, PeripheralName: uid }]
    await root.post('/AddPeripherals', { HomeID, RoomID: 0, Peripherals })
    expect(await find(made)).toMatchObject({ State: 'ready', Problem: null })
    expect((await find(made)).NextRunAt).toBeGreaterThan(world.clock.now())
  })

  it('until its group has devices again', async () => {
    const { GroupID } = (
      await root.post('/CreateGroup', { HomeID, GroupName: 'Refilled', PeripheralList: [uid] })
    ).results
    const made = await create(schedule(HomeID, { Actions: [{ GroupID, Values: { Switch: 1 } }] }))
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: uid })
    expect(await find(made)).toMatchObject({ State: 'broken' })
    await root.post('/UpdateGroup', { HomeID, GroupID, PeripheralList: ['r3'] })
    expect(await find(made)).toMatchObject({ State: 'ready', Problem: null })
  })

  it('while the Modbus table of a monitored device lacks the value or is not assigned', async () => {
    const plc = `${uid}-plc`
    await addDiscovered(world, root, { HomeID, ThingName, type: '758', uids: [plc] })
    const rows = (...keys: string[]) => keys.map((Key, Address) => modbusRow({ Key, Address }))
    const { ModbusTableID } = (
      await root.post('/CreateModbusTable', {
        TableName: uid,
        Manufacturer: '',
        Model: '',
        Note: '',
        Rows: rows('flow', 'level'),
      })
    ).results
    const assign = (id: string | null) =>
      root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID: plc, ModbusTableID: id })
    await assign(ModbusTableID)
    const condition = { PeripheralUID: plc, Field: 'ModbusValues.flow', Status: 5, Logical: '>' }
    const made = await create(smartLink(HomeID, { Conditions: { PeripheralUIDs: [condition] } }))
    const seen = async (change: Promise<{ status: object }>) => {
      expect((await change).status).toMatchObject({ code: 0 })
      const { State, Problem } = await find(made)
      return [State, Problem?.Reason, Problem?.Subject]
    }
    const save = (...keys: string[]) =>
      root.post('/UpdateModbusTable', { ModbusTableID, Rows: rows(...keys) })
    expect(await seen(save('level'))).toEqual(['broken', 'fieldGone', plc])
    expect(await seen(save('level', 'flow'))).toEqual(['ready', undefined, undefined])
    expect(await seen(assign(null))).toEqual(['broken', 'fieldGone', plc])
    expect(await seen(assign(ModbusTableID))).toEqual(['ready', undefined, undefined])
  })

  it('after the deletion of a virtual meter that it monitors', async () => {
    await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: [`${uid}-meter`] })
    const Terms = [{ PeripheralUID: `${uid}-meter`, Factor: 1 }]
    const { VirtualMeterID } = (
      await root.post('/CreateVirtualMeter', { HomeID, VirtualMeterName: uid, Terms })
    ).results
    const condition = { PeripheralUID: VirtualMeterID, Field: 'DailyKwh', Status: 5, Logical: '>' }
    const made = await create(smartLink(HomeID, { Conditions: { PeripheralUIDs: [condition] } }))
    await root.post('/DeleteVirtualMeter', { HomeID, VirtualMeterID })
    expect(await find(made)).toMatchObject({
      State: 'broken',
      Problem: { Reason: 'deviceGone', Subject: VirtualMeterID },
    })
  })

  it('if the scene that it runs names a deleted device, as is the scene, until repaired', async () => {
    const scene = (await root.post('/CreateScene', { HomeID, SceneName: `S${uid}`, Actions: set() })).results
    const { SceneID } = scene
    const made = await create(schedule(HomeID, { Actions: [{ SceneID }] }))
    expect(made.State).toBe('ready')
    world.events.length = 0
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: uid })
    const Problem = { Reason: 'deviceGone', Subject: uid }
    expect(await find(made)).toMatchObject({ State: 'broken', Problem })
    const scenes = async () => (await root.post('/GetSceneByHomeId', { HomeID })).results
    expect(await scenes()).toContainEqual({ ...scene, Problem })
    const told = world.events.map(({ event }) => event)
    expect(told).toContainEqual(
      expect.objectContaining({
        name: 'scene.update',
        record: expect.objectContaining({ SceneID, Problem }),
      }),
    )
    expect((await create(schedule(HomeID, { Actions: [{ SceneID }] }))).State).toBe('broken')
    const mended = await root.post('/UpdateScene', { HomeID, SceneID, Actions: ON })
    expect(mended.results).not.toHaveProperty('Problem')
    expect(await find(made)).toMatchObject({ State: 'ready', Problem: null })
    expect(await scenes()).toContainEqual(mended.results)
  })

  it('if a room or group of the scene that it runs is deleted, until the group has devices again', async () => {
    const { RoomID } = (await root.post('/CreateRoom', { HomeID, RoomName: `R${uid}` })).results
    const { GroupID } = (
      await root.post('/CreateGroup', { HomeID, GroupName: `G${uid}`, PeripheralList: [uid] })
    ).results
    const running = async (action: object) => {
      const scene = { HomeID, SceneName: `${uid} ${(count += 1)}`, Actions: [action] }
      const { SceneID } = (await root.post('/CreateScene', scene)).results
      return create(schedule(HomeID, { Actions: [{ SceneID }] }))
    }
    const ofRoom = await running({ RoomID, Only: 'lights', Values: { On: 0 } })
    const ofGroup = await running({ GroupID, Values: { Switch: 1 } })
    await root.post('/DeleteRoom', { HomeID, RoomID })
    expect(await find(ofRoom)).toMatchObject({ State: 'broken', Problem: { Reason: 'roomGone' } })
    expect(await find(ofGroup)).toMatchObject({ State: 'ready' })
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: uid })
    expect(await find(ofGroup)).toMatchObject({ State: 'broken', Problem: { Reason: 'groupGone' } })
    await root.post('/UpdateGroup', { HomeID, GroupID, PeripheralList: ['r3'] })
    expect(await find(ofGroup)).toMatchObject({ State: 'ready' })
  })

  it('like each scene that names a deleted target, whichever call removes or restores it, and publishes so', async () => {
    const hub = (await root.post('/AddThing', { HomeID, DeviceName: `Hub ${uid}` })).results.ThingName
    const [relay, remote] = [`${uid}-relay`, `${uid}-remote`]
    await addDiscovered(world, root, { HomeID, ThingName: hub, uids: [relay] })
    await discover(world, root, { HomeID, ThingName: hub, type: '760', uids: [remote] })
    await root.post('/CasaDeviceSync', { HomeID, RoomID: 0 })
    const sceneOn = async (action: object) => {
      const scene = { HomeID, SceneName: `${uid} ${(count += 1)}`, Actions: [action] }
      const made = await root.post('/CreateScene', scene)
      expect(made.status, JSON.stringify(made.status)).toMatchObject({ code: 0 })
      return made.results.SceneID as string
    }
    const ofRelay = await sceneOn({ PeripheralUID: relay, Values: { Switch: 1 } })
    const ofRemote = await sceneOn({
      PeripheralUID: remote,
      Values: { SendIR: { ContMID: 'm', ContDID: 'd' } },
    })
    /** Problems of scenes in the events of a call. */
    const said = async (path: string, body: object) => {
      world.events.length = 0
      expect((await root.post(path, { HomeID, ...body })).status).toMatchObject({ code: 0 })
      return world.events.flatMap(({ event }) => {
        const { name, record } = event as { name?: string; record: Scene }
        return name === 'scene.update' ? [[record.SceneID, record.Problem?.Subject]] : []
      })
    }
    const Peripherals = [{ PeripheralUID: relay, PeripheralName: relay }]
    expect(await said('/CasaDeletePeripheral', { PeripheralUID: remote })).toEqual([[ofRemote, remote]])
    expect(await said('/CasaDeviceSync', { RoomID: 0 })).toEqual([[ofRemote, undefined]])
    expect(await said('/RemovePeripheral', { PeripheralUID: relay })).toEqual([[ofRelay, relay]])
    expect(await said('/AddPeripherals', { RoomID: 0, Peripherals })).toEqual([[ofRelay, undefined]])
    const gone = await said('/RemoveThing', { ThingName: hub })
    expect(gone.toSorted()).toEqual(
      [
        [ofRelay, relay],
        [ofRemote, remote],
      ].toSorted(),
    )
  })

  it('but is shown as disabled while it is', async () => {
    const made = await create(schedule(HomeID, { Actions: set(), Enabled: false }))
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: uid })
    expect(await find(made)).toMatchObject({ State: 'disabled', Problem: { Reason: 'deviceGone' } })
    const { AutomationID } = made
    const on = await root.post('/SetAutomationEnabled', { AutomationType: 1, AutomationID, Enabled: true })
    expect(on.results.State).toBe('broken')
  })
})

describe('before a deletion', () => {
  it('users see what uses the target, and how much they cannot read', async () => {
    const { GroupID } = (
      await root.post('/CreateGroup', { HomeID, GroupName: 'Both', PeripheralList: [uid, 'r1'] })
    ).results
    const made = await create(smartLink(HomeID, { Actions: set() }))
    const asked = { HomeID, Subject: 'device', ID: uid }
    expect((await root.post('/ListUsedBy', asked)).results).toEqual({
      Rows: [
        { Kind: 'group', HomeID, ID: GroupID, Name: 'Both', AutomationType: null, Role: 'member' },
        {
          Kind: 'automation',
          HomeID,
          ID: made.AutomationID,
          Name: made.AutomationName,
          AutomationType: 3,
          Role: 'action',
        },
      ],
      Hidden: 0,
    })
    const person = await world.createUser(root, [rights('group', 'Read')])
    const seen = (await person.post('/ListUsedBy', asked)).results
    expect(seen).toEqual({ Rows: [expect.objectContaining({ Kind: 'group' })], Hidden: 1 })
    const stranger = await world.signUp()
    expect((await stranger.post('/ListUsedBy', asked)).status.code).not.toBe(0)
  })

  it('users see what sets it through a group or scene, without names they cannot read', async () => {
    const { GroupID } = (
      await root.post('/CreateGroup', { HomeID, GroupName: `Via ${uid}`, PeripheralList: [uid] })
    ).results
    const Actions = [{ GroupID, Values: { Switch: 1 } }]
    const { SceneID } = (await root.post('/CreateScene', { HomeID, SceneName: `Via ${uid}`, Actions }))
      .results
    const byGroup = await create(schedule(HomeID, { AutomationName: `1 ${uid}`, Actions }))
    const byScene = await create(schedule(HomeID, { AutomationName: `2 ${uid}`, Actions: [{ SceneID }] }))
    const usersOf = async (Subject: string, ID: string, who = root) =>
      (await who.post('/ListUsedBy', { HomeID, Subject, ID })).results
    const group = { Kind: 'group', ID: GroupID, Name: `Via ${uid}` }
    const scene = { Kind: 'scene', ID: SceneID, Name: `Via ${uid}` }
    expect((await usersOf('device', uid)).Rows).toMatchObject([
      { ID: GroupID, Role: 'member' },
      { ID: SceneID, Via: group },
      { ID: byGroup.AutomationID, Role: 'action', Via: group },
      { ID: byScene.AutomationID, Role: 'action', Via: scene },
    ])
    const { Rows } = await usersOf('group', GroupID)
    expect(Rows).toMatchObject([
      { ID: SceneID },
      { ID: byGroup.AutomationID },
      { ID: byScene.AutomationID, Via: scene },
    ])
    expect(Rows[0]).not.toHaveProperty('Via')
    const blind = await world.createUser(root, [rights('schedule', 'Read')])
    expect(await usersOf('device', uid, blind)).toEqual({
      Rows: [
        expect.objectContaining({ ID: byGroup.AutomationID, Via: { ...group, Name: null } }),
        expect.objectContaining({ ID: byScene.AutomationID, Via: { ...scene, Name: null } }),
      ],
      Hidden: 2,
    })
  })
})

describe('a replacement device', () => {
  const replace = (Old: string, New: string) => root.post('/ReplacePeripheral', { HomeID, Old, New })

  it('takes the place in groups, scenes and automations', async () => {
    const fresh = `${uid}-new`
    await addDiscovered(world, root, { HomeID, ThingName, uids: [fresh] })
    const group = (
      await root.post('/CreateGroup', { HomeID, GroupName: `G${uid}`, PeripheralList: [uid, 'r1'] })
    ).results
    const condition = { PeripheralUID: uid, Field: 'Switch', Status: 1, Logical: '=' }
    const made = await create(
      smartLink(HomeID, { Conditions: { PeripheralUIDs: [condition] }, EndDuration: 60, EndActions: set() }),
    )
    const scene = (await root.post('/CreateScene', { HomeID, SceneName: `S${uid}`, Actions: set() })).results
    const { results } = await replace(uid, fresh)
    expect(results).toEqual({ Groups: 1, Scenes: 1, Automations: 1, Meters: 0, Alarms: 0 })
    const [action] = scene.Actions
    expect((await root.post('/GetSceneByHomeId', { HomeID })).results).toContainEqual({
      ...scene,
      Actions: [{ ...action, PeripheralUID: fresh }],
      Version: 2,
    })
    const groups = (await root.post('/GetGroupByHomeId', { HomeID })).results
    expect(groups).toContainEqual({ ...group, PeripheralList: [fresh, 'r1'], Version: 2 })
    const after = await find(made)
    expect(after).toMatchObject({ State: 'ready', OwnerID: root.cognitoId, Version: 2 })
    expect(after.Conditions.PeripheralUIDs[0].PeripheralUID).toBe(fresh)
    expect(after.EndActions[0].PeripheralUID).toBe(fresh)
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: uid })
    expect(await find(made)).toMatchObject({ State: 'ready' })
  })

  it('is not added to a group that already contains it, which changes nothing', async () => {
    const fresh = `${uid}-new`
    await addDiscovered(world, root, { HomeID, ThingName, uids: [fresh] })
    const PeripheralList = [uid, fresh]
    const made = await root.post('/CreateGroup', { HomeID, GroupName: `Both ${uid}`, PeripheralList })
    const { status } = await replace(uid, fresh)
    expect(status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { New: 'taken' } })
    expect((await root.post('/GetGroupByHomeId', { HomeID })).results).toContainEqual(made.results)
  })

  it('is rejected if an automation could then loop, which changes nothing', async () => {
    const fresh = `${uid}-new`
    await addDiscovered(world, root, { HomeID, ThingName, uids: [fresh] })
    const link = (Status: number, of: string, Switch: number) =>
      create(
        smartLink(HomeID, {
          Conditions: { PeripheralUIDs: [{ PeripheralUID: fresh, Field: 'Switch', Status, Logical: '=' }] },
          Actions: [{ PeripheralUID: of, Values: { Switch } }],
        }),
      )
    await link(0, fresh, 1)
    const off = await link(1, uid, 0)
    expect((await replace(uid, fresh)).status.fields).toEqual({ New: 'startsLoop' })
    expect((await find(off)).Actions[0].PeripheralUID).toBe(uid)
  })

  it('takes over the meters from today on, and the virtual meters that include it', async () => {
    const [main, old, fresh, sub] = ['main', 'old', 'new', 'sub'].map((one) => `${uid}-${one}`)
    const meters = [main, old, fresh, sub] as string[]
    await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: meters })
    const under = (PeripheralUID: string | undefined, ParentMeter: string | undefined) =>
      root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID, ParentMeter })
    await under(old, main)
    await under(sub, old)
    const counted = (id: string | undefined) =>
      world.db.query(sql`insert into meters (tenant, home_id, peripheral_uid)
        values (${root.tenant}, ${HomeID}, ${id})`)
    await counted(sub)
    const Terms = [{ PeripheralUID: old, Factor: 1 }]
    const virtual = (await root.post('/CreateVirtualMeter', { HomeID, VirtualMeterName: `V${uid}`, Terms }))
      .results
    const { status, results } = await replace(old as string, fresh as string)
    expect(status.code, JSON.stringify(status)).toBe(0)
    expect(results).toMatchObject({ Meters: 2 })
    const parents = await world.db.query<{ uid: string; parent: string | null }>(sql`
      select peripheral_uid as uid, parent_meter as parent from peripherals
      where tenant = ${root.tenant} and peripheral_uid = any(${[fresh, sub]}::text[]) order by peripheral_uid`)
    expect(parents).toEqual([
      { uid: fresh, parent: main },
      { uid: sub, parent: fresh },
    ])
    const facts = (await root.post('/ListMeterFact', { HomeID })).results as {
      MeterID: string
      Fact: string
      From: string | null
      Value: unknown
    }[]
    const said = (id: string | undefined, name: string) =>
      facts.filter(({ MeterID, Fact }) => MeterID === id && Fact === name)
    expect(said(sub, 'parent')).toMatchObject([
      { From: null, Value: old },
      { From: expect.any(String), Value: fresh },
    ])
    expect(said(virtual.VirtualMeterID, 'terms')).toMatchObject([
      { From: null, Value: Terms },
      { From: expect.any(String), Value: [{ PeripheralUID: fresh, Factor: 1 }] },
    ])
    const now = (await root.post('/ListVirtualMeter', { HomeID })).results
    expect(now).toContainEqual({
      ...virtual,
      Terms: [{ PeripheralUID: fresh, Factor: 1 }],
      Version: virtual.Version + 1,
    })
  })

  it('is not placed above itself in the meter tree, or next to the other in one sum', async () => {
    const [old, between, fresh] = ['old', 'between', 'new'].map((one) => `${uid}-${one}`) as [
      string,
      string,
      string,
    ]
    await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: [old, between, fresh] })
    for (const [PeripheralUID, ParentMeter] of [
      [between, old],
      [fresh, between],
    ])
      await root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID, ParentMeter })
    expect((await replace(old, fresh)).status.fields).toEqual({ New: 'loop' })
    const Terms = [old, between].map((PeripheralUID) => ({ PeripheralUID, Factor: 1 }))
    await root.post('/CreateVirtualMeter', { HomeID, VirtualMeterName: `T${uid}`, Terms })
    expect((await replace(old, between)).status.fields).toEqual({ New: 'taken' })
  })

  it('takes over the open alarm of its state', async () => {
    const [old, fresh] = [`${uid}-old`, `${uid}-new`]
    await addDiscovered(world, root, { HomeID, ThingName, type: '756', uids: [old, fresh] })
    await world.db
      .query(sql`insert into alarms (alarm_id, tenant, home_id, source, peripheral_uid, severity, values,
        raised_at, reported_at)
      values (gen_random_uuid(), ${root.tenant}, ${HomeID}, ${`state:${old}`}, ${old}, 'critical', '{}', 0, 0)`)
    expect((await replace(old, fresh)).results).toMatchObject({ Alarms: 1 })
    expect(
      await world.db.query(sql`select peripheral_uid as uid from alarms
        where tenant = ${root.tenant} and source = ${`state:${fresh}`}`),
    ).toEqual([{ uid: fresh }])
  })

  it('requires the right to control, and acts with the rights of the same owner', async () => {
    const made = await create(schedule(HomeID, { Actions: set() }))
    const input = { HomeID, Old: uid, New: 'r1' }
    const updater = await world.createUser(root, [rights('device', 'Update')])
    expect((await updater.post('/ReplacePeripheral', input)).status).toMatchObject({
      missing: { feature: 'device_control', operation: 'Control' },
    })
    expect((await find(made)).Actions[0].PeripheralUID).toBe(uid)
    const both = [rights('device', 'Update'), rights('device_control', 'Control')]
    const controller = await world.createUser(root, both)
    expect((await controller.post('/ReplacePeripheral', input)).results.Automations).toBe(1)
    const after = await find(made)
    expect(after.Actions[0].PeripheralUID).toBe('r1')
    expect(after.OwnerID).toBe(root.cognitoId)
  })

  it('must have the same type and home, and not be set next to the old one', async () => {
    expect((await replace(uid, 'dim')).status.fields).toEqual({ New: 'oneType' })
    expect((await replace(uid, 'nobody')).status.fields).toEqual({ New: 'notFound' })
    expect((await replace(uid, uid)).status.fields).toEqual({ New: 'taken' })
    const made = await create(schedule(HomeID, { Actions: [...set(), ...ON] }))
    expect((await replace(uid, 'r2')).status.fields).toEqual({ New: 'taken' })
    expect((await find(made)).Actions[0].PeripheralUID).toBe(uid)
  })
})
