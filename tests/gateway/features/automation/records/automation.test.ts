import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { type Caller, rights, type World } from '../../../../support/world.ts'
import { ON, schedule, smartLink, startBuilding, WEEKDAYS, WHEN_ON } from './support.ts'

let world: World
let root: Caller
let HomeID: string

beforeAll(async () => {
  const building = await startBuilding()
  ;({ world, root, HomeID } = building)
})
afterAll(() => world.close())

const create = (input: object, caller = root) => caller.post('/CreateAutomation', input)
const list = async (AutomationType: number, home: string | undefined = HomeID) =>
  (await root.post('/ListAutomation', { AutomationType, HomeID: home })).results
const audited = async (path: string) =>
  (await root.post('/ListAuditLog', { Path: path })).results.Rows as { Before: unknown; After: unknown }[]

describe('automations', () => {
  it('are created, listed by type, changed and deleted', async () => {
    const made = await create(schedule(HomeID, { AutomationName: '上班開燈' }))
    expect(made.results).toMatchObject({
      AutomationName: '上班開燈',
      AutomationType: 1,
      State: 'ready',
      Problem: null,
      OwnerID: root.cognitoId,
      OwnerName: expect.any(String),
      LastRunAt: null,
      LastResult: null,
      // Tomorrow: it is Monday, 9:00.
      NextRunAt: Date.UTC(2026, 0, 6),
      RunsToday: 0,
      Version: 1,
      Enabled: true,
      EndActions: 'restore',
    })
    const { AutomationID } = made.results
    expect(await list(1)).toEqual([made.results])
    expect(await list(3)).toEqual([])
    const changed = await root.post('/UpdateAutomation', {
      AutomationType: 1,
      AutomationID,
      Description: 'd',
      Version: 1,
    })
    expect(changed.results).toEqual({ ...made.results, Description: 'd', Version: 2 })
    const key = { AutomationType: 1, AutomationID }
    expect((await root.post('/DeleteAutomation', key)).results).toEqual(key)
    expect(await list(1)).toEqual([])
    const told = world.events.flatMap(({ event }) =>
      'name' in event && event.name.startsWith('automation.') ? [[event.name, event.record]] : [],
    )
    const about = { HomeID, AutomationID, AutomationType: 1 }
    expect(told.slice(-3)).toEqual([
      ['automation.add', about],
      ['automation.update', about],
      ['automation.remove', about],
    ])
  })

  it('can change to another type of the same feature only', async () => {
    const { AutomationID } = (await create(schedule(HomeID, { AutomationName: '改成單次' }))).results
    const At = world.clock.now() + 3_600_000
    const change = (NewType: number) =>
      root.post('/UpdateAutomation', { AutomationType: 1, AutomationID, NewType, Schedule: { At } })
    expect((await change(3)).status.code).toBe(ERRORS.INVALID.code)
    expect((await change(2)).results).toMatchObject({ AutomationID, AutomationType: 2, Schedule: { At } })
    expect(await list(1)).toEqual([])
    expect(await list(2)).toHaveLength(1)
    await root.post('/DeleteAutomation', { AutomationType: 2, AutomationID })
  })

  it('are listed over all homes of the company, and of no other', async () => {
    const other = (await root.post('/CreateHome', { HomeName: 'B', TimeZone: 'Asia/Taipei' })).results.HomeID
    const scene = schedule(other, { Actions: [{ RoomID: 0, Only: 'lights', Values: { On: 1 } }] })
    const made = await create(scene)
    expect((await list(1)).map(({ HomeID: home }: { HomeID: string }) => home)).not.toContain(other)
    const all = (await root.post('/ListAutomation', { AutomationType: 1 })).results
    expect(all).toContainEqual(made.results)
    const stranger = await world.signUp()
    expect((await stranger.post('/ListAutomation', { AutomationType: 1 })).results).toEqual([])
    expect((await stranger.post('/ListAutomation', { AutomationType: 1, HomeID })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
    const key = { AutomationType: 1, AutomationID: made.results.AutomationID }
    for (const path of ['/UpdateAutomation', '/DeleteAutomation'])
      expect((await stranger.post(path, key)).status.code, path).toBe(ERRORS.NOT_FOUND.code)
    await root.post('/DeleteAutomation', key)
  })

  it('have unique names within a home and type, regardless of case', async () => {
    await create(schedule(HomeID, { AutomationName: 'Night' }))
    const again = await create(schedule(HomeID, { AutomationName: 'NIGHT' }))
    expect(again.status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { AutomationName: 'taken' } })
    expect((await create(smartLink(HomeID, { AutomationName: 'Night' }))).status.code).toBe(0)
  })

  it('are not found under another type', async () => {
    const { AutomationID } = (await create(schedule(HomeID))).results
    for (const [path, more] of [
      ['/UpdateAutomation', {}],
      ['/DeleteAutomation', {}],
      ['/SetAutomationEnabled', { Enabled: false }],
      ['/TakeOverAutomation', {}],
      ['/RunAutomation', {}],
    ] as const)
      expect((await root.post(path, { AutomationType: 3, AutomationID, ...more })).status.code, path).toBe(
        ERRORS.NOT_FOUND.code,
      )
  })

  it('reject a change based on an older version', async () => {
    const { AutomationID } = (await create(schedule(HomeID))).results
    const change = (Description: string) =>
      root.post('/UpdateAutomation', { AutomationType: 1, AutomationID, Description, Version: 1 })
    expect((await change('a')).status.code).toBe(0)
    expect((await change('b')).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Version: 'changed' },
    })
  })

  it('are audited with their state before and after', async () => {
    const { AutomationID } = (await create(schedule(HomeID))).results
    await root.post('/UpdateAutomation', { AutomationType: 1, AutomationID, AutomationName: '換名' })
    const [row] = await audited('/UpdateAutomation')
    expect(row).toMatchObject({ Before: { Version: 1 }, After: { AutomationName: '換名', Version: 2 } })
  })

  it('belong to the last user who changed their actions, not their name', async () => {
    const { AutomationID } = (await create(schedule(HomeID))).results
    const person = await world.createUser(root, [
      rights('schedule', 'Read', 'Update'),
      rights('device_control', 'Control'),
    ])
    const key = { AutomationType: 1, AutomationID }
    const named = await person.post('/UpdateAutomation', { ...key, AutomationName: 'Named' })
    expect(named.results.OwnerID).toBe(root.cognitoId)
    const moved = await person.post('/UpdateAutomation', { ...key, Schedule: { ...WEEKDAYS, At: 540 } })
    expect(moved.results.OwnerID).toBe(person.cognitoId)
  })
})

describe('an automation', () => {
  const range = (Status: unknown, Field = 'Switch', PeripheralUID = 'r1') => ({
    PeripheralUIDs: [{ PeripheralUID, Field, Status, Logical: '=' }],
  })
  const nine = {
    PeripheralUIDs: Array.from({ length: 9 }, (_, i) => ({
      PeripheralUID: 'r1',
      Field: 'Switch',
      Status: i % 2,
      Logical: '=',
    })),
  }
  const { INVALID, NOT_FOUND } = ERRORS
  const cases: [why: string, input: () => object, code: number, fields: object][] = [
    [
      'nine conditions',
      () => smartLink(HomeID, { Conditions: nine }),
      INVALID.code,
      { 'Conditions.PeripheralUIDs': 'tooManyConditions' },
    ],
    ['three decimals', () => smartLink(HomeID, { Conditions: range(1.005) }), INVALID.code, {}],
    [
      'a condition of a device that is not there',
      () => smartLink(HomeID, { Conditions: range(1, 'Switch', 'nobody') }),
      NOT_FOUND.code,
      { 'Conditions.PeripheralUIDs.0.PeripheralUID': 'notFound' },
    ],
    [
      'a condition of a field that the device does not have',
      () => smartLink(HomeID, { Conditions: range(1, 'Humidity') }),
      INVALID.code,
      { 'Conditions.PeripheralUIDs.0.Field': 'noSuchField' },
    ],
    [
      'an action for a device that is not there',
      () => schedule(HomeID, { Actions: [{ PeripheralUID: 'nobody', Values: { Switch: 1 } }] }),
      NOT_FOUND.code,
      { 'Actions.0.PeripheralUID': 'notFound' },
    ],
    [
      'an action for a group that is not there',
      () => schedule(HomeID, { Actions: [{ GroupID: 'nobody', Values: { Switch: 1 } }] }),
      NOT_FOUND.code,
      { 'Actions.0.GroupID': 'notFound' },
    ],
    [
      'an action for a scene that is not there',
      () => schedule(HomeID, { Actions: [{ SceneID: 'nobody' }] }),
      NOT_FOUND.code,
      { 'Actions.0.SceneID': 'notFound' },
    ],
    [
      'an action for a room that is not there',
      () => schedule(HomeID, { Actions: [{ RoomID: 99, Only: 'lights', Values: { On: 1 } }] }),
      NOT_FOUND.code,
      { 'Actions.0.RoomID': 'notFound' },
    ],
    [
      'a meeting room that is not there',
      () => schedule(HomeID, { Schedule: undefined, Booking: { ConferenceRoomID: 'nobody', When: 'start' } }),
      NOT_FOUND.code,
      { 'Booking.ConferenceRoomID': 'notFound' },
    ],
    [
      'an action on a field that the device does not have',
      () => schedule(HomeID, { Actions: [{ PeripheralUID: 'r2', Values: { Level: 1 } }] }),
      INVALID.code,
      { 'Actions.0.Values.Level': 'noSuchField' },
    ],
    [
      'a value that the device does not take',
      () => schedule(HomeID, { Actions: [{ PeripheralUID: 'r2', Values: { Switch: 7 } }] }),
      INVALID.code,
      { 'Actions.0.Values.Switch': 'invalid' },
    ],
    [
      'two actions on one field',
      () => schedule(HomeID, { Actions: [...ON, { PeripheralUID: 'r2', Values: { Switch: 0 } }] }),
      INVALID.code,
      { 'Actions.1.Values.Switch': 'taken' },
    ],
    [
      'an end action for a device that is not there',
      () =>
        smartLink(HomeID, {
          EndDuration: 60,
          EndActions: [{ PeripheralUID: 'nobody', Values: { Switch: 1 } }],
        }),
      NOT_FOUND.code,
      { 'EndActions.0.PeripheralUID': 'notFound' },
    ],
    [
      'a single schedule in the past',
      () => schedule(HomeID, { AutomationType: 2, Schedule: { At: 1 } }),
      INVALID.code,
      { 'Schedule.At': 'pastTime' },
    ],
    ['a repeating schedule as a single one', () => schedule(HomeID, { AutomationType: 2 }), INVALID.code, {}],
    [
      'a schedule without a time',
      () => schedule(HomeID, { Schedule: undefined }),
      INVALID.code,
      { Schedule: 'required' },
    ],
    ['a schedule with conditions', () => schedule(HomeID, { Conditions: WHEN_ON }), INVALID.code, {}],
    [
      'a smart link without conditions',
      () => smartLink(HomeID, { Conditions: undefined }),
      INVALID.code,
      { Conditions: 'required' },
    ],
    [
      'somebody to notify who is not of the company',
      () => schedule(HomeID, { Notify: { To: { Users: [crypto.randomUUID()] } } }),
      NOT_FOUND.code,
      { 'Notify.To.Users.0': 'notFound' },
    ],
    [
      'nobody to notify',
      () => schedule(HomeID, { Notify: { To: {} } }),
      INVALID.code,
      { 'Notify.To': 'required' },
    ],
    [
      'an empty name',
      () => schedule(HomeID, { AutomationName: ' ' }),
      INVALID.code,
      { AutomationName: 'required' },
    ],
    [
      'a name of 65 characters',
      () => schedule(HomeID, { AutomationName: '名'.repeat(65) }),
      INVALID.code,
      { AutomationName: 'tooLong' },
    ],
    ['no actions', () => schedule(HomeID, { Actions: [] }), INVALID.code, { Actions: 'required' }],
    ['a home that is not there', () => schedule('nowhere'), NOT_FOUND.code, {}],
  ]

  it.each(cases)('with %s is rejected, and nothing is stored', async (_why, input, code, fields) => {
    const before = (await root.post('/ListAutomation', { AutomationType: 1 })).results.length
    const { status } = await create(input())
    expect(status.code).toBe(code)
    expect(status.fields ?? {}).toMatchObject(fields)
    expect((await root.post('/ListAutomation', { AutomationType: 1 })).results).toHaveLength(before)
  })

  it('accepts a right-to-left name', async () => {
    const { results } = await create(schedule(HomeID, { AutomationName: 'جدول المساء' }))
    expect(results.AutomationName).toBe('جدول المساء')
  })

  it('for a device of another home or company is rejected', async () => {
    const second = (await root.post('/CreateHome', { HomeName: 'C', TimeZone: 'Asia/Taipei' })).results.HomeID
    const hub = (await root.post('/AddThing', { HomeID: second, DeviceName: 'h' })).results.ThingName
    await addDiscovered(world, root, { HomeID: second, ThingName: hub, uids: ['far'] })
    const stranger = await world.signUp()
    const theirs = (await stranger.post('/CreateHome', { HomeName: 'S', TimeZone: 'Asia/Taipei' })).results
      .HomeID
    const theirHub = (await stranger.post('/AddThing', { HomeID: theirs, DeviceName: 'h' })).results.ThingName
    await addDiscovered(world, stranger, { HomeID: theirs, ThingName: theirHub, uids: ['theirs'] })
    for (const uid of ['far', 'theirs']) {
      const Actions = [{ PeripheralUID: uid, Values: { Switch: 1 } }]
      const condition = { PeripheralUID: uid, Field: 'Switch', Status: 1, Logical: '=' }
      const group = { HomeID, GroupName: `G ${uid}`, PeripheralList: ['r1', uid] }
      const asked = {
        'Actions.0.PeripheralUID': await create(schedule(HomeID, { Actions })),
        'EndActions.0.PeripheralUID': await create(
          smartLink(HomeID, { EndDuration: 60, EndActions: Actions }),
        ),
        'Conditions.PeripheralUIDs.0.PeripheralUID': await create(
          smartLink(HomeID, { Conditions: { PeripheralUIDs: [condition] } }),
        ),
        'PeripheralList.1': await root.post('/CreateGroup', group),
        'Actions.0': await root.post('/CreateScene', { HomeID, SceneName: `S ${uid}`, Actions }),
      }
      for (const [field, { status }] of Object.entries(asked)) {
        expect(status.code, field).toBe(ERRORS.NOT_FOUND.code)
        expect(Object.keys(status.fields ?? {}).join(), field).toContain(field)
      }
    }
  })

  it('with an empty name or one over 64 characters is rejected, as are groups and scenes', async () => {
    for (const [name, reason] of [
      ['', 'required'],
      [' ', 'required'],
      ['字'.repeat(65), 'tooLong'],
    ] as const) {
      const made = {
        AutomationName: await create(schedule(HomeID, { AutomationName: name })),
        GroupName: await root.post('/CreateGroup', { HomeID, GroupName: name, PeripheralList: ['r1'] }),
        SceneName: await root.post('/CreateScene', { HomeID, SceneName: name, Actions: ON }),
      }
      for (const [field, { status }] of Object.entries(made))
        expect(status.fields, `${field} ${name}`).toEqual({ [field]: reason })
    }
    const longest = '字'.repeat(64)
    expect((await create(schedule(HomeID, { AutomationName: longest }))).results.AutomationName).toBe(longest)
  })

  it('with a measured limit of three decimals is rejected with the field', async () => {
    const limit = (Status: number) => ({
      PeripheralUIDs: [{ PeripheralUID: 'r1', Field: 'SilentFor', Status, Logical: '>' }],
    })
    expect((await create(smartLink(HomeID, { Conditions: limit(1.234) }))).status.fields).toEqual({
      'Conditions.PeripheralUIDs.0.Status': 'decimals',
    })
    expect((await create(smartLink(HomeID, { Conditions: limit(1.23) }))).status.code).toBe(0)
  })

  it('is created again in another home with its devices, as are a group and a scene', async () => {
    const other = (await root.post('/CreateHome', { HomeName: 'Copy', TimeZone: 'Asia/Taipei' })).results
      .HomeID
    const hub = (await root.post('/AddThing', { HomeID: other, DeviceName: 'h' })).results.ThingName
    await addDiscovered(world, root, { HomeID: other, ThingName: hub, uids: ['copy'] })
    const made = async (path: string, input: object) => (await root.post(path, input)).results
    const group = await made('/CreateGroup', { HomeID, GroupName: 'Copied', PeripheralList: ['r1'] })
    const scene = await made('/CreateScene', {
      HomeID,
      SceneName: 'Copied',
      Order: 'inOrder',
      StopOnFailure: true,
      Actions: ON,
    })
    const { GroupID: _g, Version: _v, GroupType: _t, ...groupRest } = group as Record<string, unknown>
    const { SceneID: _s, Version: _w, ...sceneRest } = scene as Record<string, unknown>
    const there = [{ ...scene.Actions[0], PeripheralUID: 'copy' }]
    expect(await made('/CreateGroup', { ...groupRest, HomeID: other, PeripheralList: ['copy'] })).toEqual({
      ...group,
      HomeID: other,
      GroupID: expect.any(String),
      PeripheralList: ['copy'],
    })
    expect(await made('/CreateScene', { ...sceneRest, HomeID: other, Actions: there })).toEqual({
      ...scene,
      HomeID: other,
      SceneID: expect.any(String),
      Actions: there,
    })
    const refused = await root.post('/CreateScene', { ...sceneRest, SceneName: 'Not there', HomeID: other })
    expect(refused.status.fields).toEqual({ 'Actions.0.PeripheralUID': 'notFound' })
    expect((await root.post('/GetSceneByHomeId', { HomeID })).results).toContainEqual(scene)
  })
})

describe('rights by type', () => {
  it('also need Control, which the error names', async () => {
    const person = await world.createUser(root, [rights('schedule', 'Read', 'Create', 'Update', 'Delete')])
    const refused = {
      code: ERRORS.PERMISSION_DENIED.code,
      missing: { feature: 'device_control', operation: 'Control' },
    }
    expect((await create(schedule(HomeID), person)).status).toMatchObject(refused)
    const { AutomationID } = (await create(schedule(HomeID))).results
    const key = { AutomationType: 1, AutomationID }
    expect((await person.post('/UpdateAutomation', { ...key, Description: 'x' })).status.code).toBe(0)
    expect((await person.post('/UpdateAutomation', { ...key, Order: 'inOrder' })).status).toMatchObject(
      refused,
    )
  })

  it('for schedules do not cover smart links', async () => {
    const person = await world.createUser(root, [
      rights('schedule', 'Read', 'Create'),
      rights('device_control', 'Control'),
    ])
    expect((await create(schedule(HomeID), person)).status.code).toBe(0)
    expect((await create(smartLink(HomeID), person)).status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
      missing: { feature: 'smart_link', operation: 'Create' },
    })
    expect((await person.post('/ListAutomation', { AutomationType: 3 })).status.code).toBe(
      ERRORS.PERMISSION_DENIED.code,
    )
  })
})
