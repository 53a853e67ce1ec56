import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { type Caller, rights, startWorld, type World } from '../../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
let GroupID: string
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  await addDiscovered(world, root, { HomeID, ThingName, type: '534', uids: ['a', 'b', 'c'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '532', uids: ['dim'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '511', uids: ['x'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '758', uids: ['pump'] })
  const made = await root.post('/CreateGroup', { HomeID, GroupName: 'Pair', PeripheralList: ['a', 'b'] })
  GroupID = made.results.GroupID
})
afterAll(() => world.close())

let names = 0
const create = (Actions: object[], SceneName = `Scene ${(names += 1)}`, who = root) =>
  who.post('/CreateScene', { HomeID, SceneName, Actions })
const fieldsOf = async (...Actions: object[]) => (await create(Actions)).status.fields
const On = { Switch1: 1 }

describe('scenes', () => {
  it('are created with defaults, changed and deleted, and published to screens', async () => {
    const { results } = await create([{ PeripheralUID: 'a', Values: On }], 'Evening')
    expect(results).toEqual({
      HomeID,
      SceneID: expect.any(String),
      SceneName: 'Evening',
      Icon: 'scene',
      Order: 'together',
      StopOnFailure: false,
      Version: 1,
      Actions: [{ PeripheralUID: 'a', Values: On, After: 0, IfOffline: 'fail' }],
    })
    const { SceneID } = results
    expect((await create([{ PeripheralUID: 'a', Values: On }], 'EVENING')).status.fields).toEqual({
      SceneName: 'taken',
    })
    const changed = await root.post('/UpdateScene', { HomeID, SceneID, Icon: 'moon', Version: 1 })
    expect(changed.results).toMatchObject({ SceneName: 'Evening', Icon: 'moon', Version: 2 })
    expect(
      (await root.post('/UpdateScene', { HomeID, SceneID, Icon: 'sun', Version: 1 })).status.fields,
    ).toEqual({
      Version: 'changed',
    })
    expect((await root.post('/GetSceneByHomeId', { HomeID })).results).toEqual([changed.results])
    expect((await root.post('/DeleteScene', { HomeID, SceneID })).results).toEqual({ HomeID, SceneID })
    const told = world.events.flatMap(({ event }) => ('name' in event ? [event.name] : []))
    expect(told).toEqual(expect.arrayContaining(['scene.add', 'scene.update', 'scene.remove']))
  })

  it('accept only values that their devices, groups and rooms accept', async () => {
    const name = 'Actions.1'
    const first = { PeripheralUID: 'c', Values: On }
    expect(await fieldsOf(first, { PeripheralUID: 'a', Values: { Switch3: 1 } })).toEqual({
      [`${name}.Values.Switch3`]: 'noSuchField',
    })
    expect(await fieldsOf(first, { PeripheralUID: 'dim', Values: { Brightness: 101 } })).toEqual({
      [`${name}.Values.Brightness`]: 'tooBig',
    })
    expect(await fieldsOf(first, { PeripheralUID: 'x', Values: On })).toEqual({
      [`${name}.PeripheralUID`]: 'notControllable',
    })
    expect(await fieldsOf(first, { GroupID, Values: { Brightness: 1 } })).toEqual({
      [`${name}.Values.Brightness`]: 'noSuchField',
    })
    expect(await fieldsOf(first, { RoomID: 0, Only: 'lights', Values: { Switch: 1 } })).toMatchObject({
      [`${name}.Values.Switch`]: 'noSuchField',
    })
    expect(await fieldsOf(first, { RoomID: 0, Only: 'climate', Values: { TargetTemperature: 35 } })).toEqual({
      [`${name}.Values.TargetTemperature`]: 'tooBig',
    })
    expect(await fieldsOf(first, { PeripheralUID: 'pump', Values: { ModbusValues: { flow: 1 } } })).toEqual({
      [`${name}.Values.ModbusValues`]: 'noSuchField',
    })
    expect(await fieldsOf()).toEqual({ Actions: 'required' })
    expect(await fieldsOf({ PeripheralUID: 'a' })).toEqual({ 'Actions.0.Values': 'required' })
    expect(await fieldsOf({ PeripheralUID: 'a', GroupID, Values: On })).toEqual({
      'Actions.0.GroupID': 'invalid',
    })
    expect(await fieldsOf({ RoomID: 0, Values: { On: 1 } })).toEqual({ 'Actions.0.Only': 'required' })
  })

  it('refer only to targets of the home', async () => {
    for (const [field, target] of [
      ['PeripheralUID', { PeripheralUID: 'nobody' }],
      ['GroupID', { GroupID: 'nobody' }],
    ] as const) {
      const { status } = await create([{ ...target, Values: On }])
      expect(status).toMatchObject({
        code: ERRORS.NOT_FOUND.code,
        fields: { [`Actions.0.${field}`]: 'notFound' },
      })
    }
    const { status } = await create([{ RoomID: 9, Only: 'lights', Values: { On: 1 } }])
    expect(status.fields).toEqual({ 'Actions.0.RoomID': 'notFound' })
  })

  it('set no field of a device twice, even through a group', async () => {
    expect(
      await fieldsOf({ PeripheralUID: 'a', Values: On }, { GroupID, Values: { Switch1: 0, Switch2: 1 } }),
    ).toEqual({
      'Actions.1.Values.Switch1': 'taken',
    })
    const apart = await create([
      { PeripheralUID: 'a', Values: On },
      { GroupID, Values: { Switch2: 1 } },
      { RoomID: 0, Only: 'lights', Values: { On: 0 } },
    ])
    expect(apart.status.code).toBe(0)
  })

  it('contain no other scene', async () => {
    const { SceneID } = (await create([{ PeripheralUID: 'a', Values: On }])).results
    expect((await create([{ SceneID }])).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { 'Actions.0.SceneID': 'unknown' },
    })
  })

  it('require the right to control, and keep the actions of a removed device', async () => {
    const person = await world.createUser(root, [
      rights('scene', 'Read', 'Create', 'Update'),
      rights('device', 'Read'),
    ])
    const { status } = await create([{ PeripheralUID: 'a', Values: On }], 'Mine', person)
    expect(status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
      missing: { feature: 'device_control', operation: 'Control' },
    })
    const { SceneID, Actions } = (await create([{ PeripheralUID: 'c', Values: On }], 'Kept')).results
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'c' })
    const renamed = await person.post('/UpdateScene', { HomeID, SceneID, SceneName: 'Renamed' })
    expect(renamed.results).toMatchObject({ SceneName: 'Renamed', Actions })
    expect((await root.post('/UpdateScene', { HomeID, SceneID, Actions })).results).toMatchObject({ Actions })
  })

  it('keep a group that they set, which may then be empty', async () => {
    await create([{ GroupID, Values: { Switch2: 0 } }], 'Uses the pair')
    const { status } = await root.post('/DeleteGroup', { HomeID, GroupID })
    expect(status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { GroupID: 'used' } })
    expect(status.error).toContain('Uses the pair')
    for (const PeripheralUID of ['a', 'b']) await root.post('/RemovePeripheral', { HomeID, PeripheralUID })
    expect((await root.post('/GetGroupByHomeId', { HomeID })).results).toMatchObject([
      { GroupID, PeripheralList: [], GroupType: '534' },
    ])
  })
})
