import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { addDiscovered, discover } from '../../../support/discoveries.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
let ThingName: string
let Secret: string
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  ;({ ThingName, Secret } = (await root.post('/AddThing', { HomeID, DeviceName: '一樓閘道器' })).results)
})
afterAll(() => world.close())

const storedHash = async () =>
  (
    await world.db.query<{ hash: Buffer }>(
      sql`select secret_hash as hash from things where thing_name = ${ThingName}`,
    )
  )[0]?.hash

describe('hubs', () => {
  it('show their secret once and store only its hash', async () => {
    expect(Secret.length).toBeGreaterThanOrEqual(43)
    expect(await storedHash()).toEqual(createHash('sha256').update(Secret).digest())
    const { Things } = (await root.post('/GetAllDeviceWithPeripheral', { HomeID })).results
    expect(Things).toEqual([
      { ThingName, DeviceName: '一樓閘道器', HomeID, RoomID: 0, Online: false, SeenAt: null },
    ])
  })

  it('are disconnected when their secret is renewed', async () => {
    const renewed = (await root.post('/RotateThingSecret', { HomeID, ThingName })).results
    expect(renewed.Secret).not.toBe(Secret)
    expect(await storedHash()).toEqual(createHash('sha256').update(renewed.Secret).digest())
    expect(world.events).toContainEqual({
      name: 'hubRevoked',
      event: { tenant: root.tenant, thingName: ThingName },
    })
  })

  it('have a name and an existing room', async () => {
    expect((await root.post('/UpdateThingInfo', { HomeID, ThingName, RoomID: 99 })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
    expect(
      (await root.post('/UpdateThingInfo', { HomeID, ThingName, DeviceName: '閘道器' })).results,
    ).toMatchObject({ DeviceName: '閘道器', RoomID: 0 })
  })
})

describe('devices', () => {
  it('that were announced again while being added are neither offered nor added twice', async () => {
    await addDiscovered(world, root, { HomeID, ThingName, uids: ['again'] })
    await discover(world, root, { HomeID, ThingName, uids: ['again'] })
    const offered = (await root.post('/ListDiscoveredPeripheral', { HomeID })).results
    expect(JSON.stringify(offered)).not.toContain('again')
    const Peripherals = [{ PeripheralUID: 'again', PeripheralName: 'x' }]
    expect((await root.post('/AddPeripherals', { HomeID, Peripherals })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { 'Peripherals.0.PeripheralUID': 'taken' },
    })
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'again' })
    await world.db.query(sql`delete from discoveries where peripheral_uid = 'again'`)
  })

  it('are added from the announced ones, at most eight at once', async () => {
    const uids = Array.from({ length: 9 }, (_, i) => `n${i}`)
    await discover(world, root, { HomeID, ThingName, uids })
    const Peripherals = uids.map((uid) => ({ PeripheralUID: uid, PeripheralName: uid }))
    expect((await root.post('/AddPeripherals', { HomeID, Peripherals })).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { Peripherals: 'tooManyDevices' },
    })
    expect((await root.post('/ListDiscoveredPeripheral', { HomeID })).results).toHaveLength(9)
    const { results } = await root.post('/AddPeripherals', { HomeID, Peripherals: Peripherals.slice(0, 8) })
    expect(results).toHaveLength(8)
    expect(results[0]).toMatchObject({
      PeripheralType: '516',
      RoomID: 0,
      PowerMeterUpdateFrequency: 900,
      ThingName,
    })
    expect((await root.post('/ListDiscoveredPeripheral', { HomeID })).results).toHaveLength(1)
  })

  it('are added all or none', async () => {
    const Peripherals = [
      { PeripheralUID: 'n8', PeripheralName: 'n8' },
      { PeripheralUID: 'nobody', PeripheralName: 'x' },
    ]
    const { status } = await root.post('/AddPeripherals', { HomeID, Peripherals })
    expect(status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
      fields: { 'Peripherals.1.PeripheralUID': 'notDiscovered' },
    })
    expect((await root.post('/ListDiscoveredPeripheral', { HomeID })).results).toHaveLength(1)
  })

  it('move between rooms of their home only', async () => {
    await addDiscovered(world, root, { HomeID, ThingName, uids: ['m1'] })
    const { RoomID } = (await root.post('/CreateRoom', { HomeID, RoomName: 'M' })).results
    expect(
      (await root.post('/UpdatePeripheralInfo', { HomeID, PeripheralUID: 'm1', RoomID })).results,
    ).toMatchObject({ RoomID })
    const inRoom = (await root.post('/GetDeviceWithPeripheralbyRoomId', { HomeID, RoomID })).results
    expect(inRoom.Peripherals.map((p: { PeripheralUID: string }) => p.PeripheralUID)).toEqual(['m1'])
    expect(
      (await root.post('/UpdatePeripheralInfo', { HomeID, PeripheralUID: 'm1', RoomID: 99 })).status.code,
    ).toBe(ERRORS.NOT_FOUND.code)
  })

  it('accept settings within their limits', async () => {
    const set = (changes: object) =>
      root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID: 'm1', ...changes })
    expect(
      (await set({ PowerMeterUpdateFrequency: 60, ControlMode: 2, PulseDuration: 300 })).results,
    ).toMatchObject({
      PowerMeterUpdateFrequency: 60,
      ControlMode: 2,
      PulseDuration: 300,
    })
    for (const bad of [{ PowerMeterUpdateFrequency: 0 }, { ControlMode: 3 }, { PulseDuration: 61 }])
      expect((await set(bad)).status.code).toBe(ERRORS.INVALID.code)
  })

  it('accept a silence limit in minutes, or use that of their kind', async () => {
    const set = (SilentAfter: unknown) =>
      root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID: 'm1', SilentAfter })
    const stored = async () =>
      (await root.post('/GetPeripheralById', { HomeID, PeripheralUID: 'm1' })).results.Peripheral.SilentAfter
    expect(await stored()).toBeNull()
    expect((await set(1500)).results).toMatchObject({ SilentAfter: 1500 })
    expect(await stored()).toBe(1500)
    for (const bad of [4, 525_601, 7.5, 'never'])
      expect((await set(bad)).status.code).toBe(ERRORS.INVALID.code)
    const { Rows } = (await root.post('/ListAuditLog', {})).results
    const changed = Rows.find(({ Path }: { Path: string }) => Path === '/UpdatePeripheralAdvanceInfo')
    expect(JSON.stringify(changed)).toContain('SilentAfter')
    expect((await set(null)).results).toMatchObject({ SilentAfter: null })
  })

  it('form a tree of meters in one home without loops', async () => {
    await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['main', 'floor', 'desk'] })
    const set = (PeripheralUID: string, ParentMeter: string | null) =>
      root.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID, ParentMeter })
    expect((await set('floor', 'main')).results.ParentMeter).toBe('main')
    expect((await set('desk', 'floor')).status.code).toBe(0)
    for (const [child, parent] of [
      ['main', 'desk'],
      ['main', 'main'],
    ] as const)
      expect((await set(child, parent)).status).toMatchObject({
        code: ERRORS.CONFLICT.code,
        fields: { ParentMeter: 'loop' },
      })
    for (const none of ['n0', 'nobody'])
      expect((await set('desk', none)).status.code).toBe(ERRORS.NOT_FOUND.code)
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'floor' })
    const { Peripheral } = (await root.post('/GetPeripheralById', { HomeID, PeripheralUID: 'desk' })).results
    expect(Peripheral.ParentMeter).toBeNull()
  })

  describe('that are meters', () => {
    const add = (...Peripherals: [uid: string, ParentMeter?: string | null][]) =>
      root.post('/AddPeripherals', {
        HomeID,
        Peripherals: Peripherals.map(([uid, ParentMeter]) => ({
          PeripheralUID: uid,
          PeripheralName: uid,
          ...(ParentMeter !== undefined && { ParentMeter }),
        })),
      })
    const parents = ({ results }: Awaited<ReturnType<typeof add>>) =>
      results.map((one: { ParentMeter: string | null }) => one.ParentMeter)

    it('are added below the meter that includes their load, even one added with them', async () => {
      await discover(world, root, { HomeID, ThingName, type: '514', uids: ['p1', 'p2', 'p3', 'p4'] })
      expect(parents(await add(['p1', null], ['p4']))).toEqual([null, null])
      expect(parents(await add(['p2', 'p3'], ['p3', 'p1']))).toEqual(['p3', 'p1'])
      const { Peripheral } = (await root.post('/GetPeripheralById', { HomeID, PeripheralUID: 'p2' })).results
      expect(Peripheral.ParentMeter).toBe('p3')
    })

    it('are added all or none if a parent is not a meter of the home or closes a loop', async () => {
      await discover(world, root, { HomeID, ThingName, type: '514', uids: ['q1', 'q2'] })
      await addDiscovered(world, root, { HomeID, ThingName, uids: ['lamp'] })
      for (const parent of ['nowhere', 'lamp'])
        expect((await add(['q1'], ['q2', parent])).status).toMatchObject({
          code: ERRORS.NOT_FOUND.code,
          fields: { 'Peripherals.1.ParentMeter': 'notFound' },
        })
      expect((await add(['q1', 'q2'], ['q2', 'q1'])).status).toMatchObject({
        code: ERRORS.CONFLICT.code,
        fields: { 'Peripherals.1.ParentMeter': 'loop' },
      })
      expect(parents(await add(['q1'], ['q2', 'q1']))).toEqual([null, 'q1'])
    })
  })

  it('are listed with category and picture, and without a table unless chosen', async () => {
    await addDiscovered(world, root, { HomeID, ThingName, type: '533', uids: ['seen'] })
    await addDiscovered(world, root, { HomeID, ThingName, type: '998', uids: ['strange'] })
    await world.db.query(
      sql`update peripherals set peripheral_image_url = '/images/seen' where peripheral_uid = 'seen'`,
    )
    const one = { HomeID, PeripheralUID: 'seen' }
    const known = { Category: 'LightSwitch', ImageUrl: '/images/seen', PeripheralImageUrl: '/images/seen' }
    const { Peripheral } = (await root.post('/GetPeripheralById', one)).results
    expect(Peripheral).toMatchObject({ ...known, ModbusTable: null })
    for (const [path, input] of [
      ['/GetAllDeviceWithPeripheral', { HomeID }],
      ['/GetDeviceWithPeripheralbyRoomId', { HomeID, RoomID: 0 }],
    ] as const) {
      const { Peripherals } = (await root.post(path, input)).results
      const of = (uid: string) => Peripherals.find((p: { PeripheralUID: string }) => p.PeripheralUID === uid)
      expect(of('seen')).toMatchObject(known)
      expect(of('strange')).toMatchObject({ Category: null, ImageUrl: null })
    }
    for (const path of ['/UpdatePeripheralInfo', '/UpdatePeripheralAdvanceInfo'])
      expect((await root.post(path, one)).results).toMatchObject(known)
  })

  it('can be added again after they were removed', async () => {
    expect((await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'm1' })).results).toEqual({
      HomeID,
      PeripheralUID: 'm1',
    })
    const found = (await root.post('/ListDiscoveredPeripheral', { HomeID })).results
    expect(found.map((p: { PeripheralUID: string }) => p.PeripheralUID)).toContain('m1')
  })

  it('are listed with their last status, null before the first', async () => {
    const { results } = await root.post('/GetPeripheralById', { HomeID, PeripheralUID: 'n0' })
    expect(results.Status).toBeNull()
    expect((await root.post('/ListCommand', { HomeID, PeripheralUID: 'n0' })).results).toEqual([])
    expect((await root.post('/ListCommand', { HomeID, PeripheralUID: 'nobody' })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
  })
})
