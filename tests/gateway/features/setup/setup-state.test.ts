import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SetupLine, SetupStep } from '../../../../contract/setup/steps.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld({ config: { hubAddress: { host: 'hubs.example', port: 8883, tls: true } } })
  root = await world.signUp()
})
afterAll(() => world.close())

const lines = async (caller = root): Promise<SetupLine[]> => (await caller.post('/GetSetupState')).results
const line = async (step: SetupStep) => (await lines()).find(({ Step }) => Step === step)

describe('getting started', () => {
  it('starts with nothing done, and a line for each step that a user may do', async () => {
    expect((await lines()).map(({ Step, Done }) => [Step, Done])).toEqual(
      ['rooms', 'hub', 'devices', 'meters', 'tariff', 'people', 'alarms'].map((step) => [step, false]),
    )
    const viewer = await world.createUser(root, [rights('dashboard', 'Read')])
    expect(await lines(viewer)).toEqual([])
    const hubs = await world.createUser(root, [rights('device', 'Create')])
    expect((await lines(hubs)).map(({ Step }) => Step)).toEqual(['hub', 'devices'])
    // The two are people.
    expect(await line('people')).toMatchObject({ Done: true, Count: 3 })
  })

  it('follows what exists, however it was created', async () => {
    const { HomeID, RoomList } = (
      await root.post('/CreateHome', {
        HomeName: '總部',
        TimeZone: 'Asia/Taipei',
        RoomNames: ['大廳', '機房'],
      })
    ).results
    expect(RoomList.map(({ RoomID, RoomName }: never) => [RoomID, RoomName])).toEqual([
      [0, '預設房間'],
      [1, '大廳'],
      [2, '機房'],
    ])
    expect(await line('rooms')).toEqual({ Step: 'rooms', Done: true, Count: 1, Of: 1, HomeID: null })
    const more = (await root.post('/CreateRoom', { HomeID, RoomName: '走廊' })).results
    expect(more.RoomID).toBe(3)

    expect(await line('hub')).toMatchObject({ Done: false, Count: 0, Of: 0, HomeID })
    const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: '一樓' })).results
    expect(await line('hub')).toMatchObject({ Done: false, Count: 0, Of: 1 })
    await world.db.query(sql`update things set seen_at = 1 where thing_name = ${ThingName}`)
    expect(await line('hub')).toMatchObject({ Done: true, Count: 1 })

    const add = (uid: string, type: string, room: number, parent: string | null = null) =>
      world.db.query(sql`
        insert into peripherals (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, room_id, thing_name, parent_meter, created_at)
        values (${root.tenant}, ${uid}, ${type}, ${uid}, ${HomeID}, ${room}, ${ThingName}, ${parent}, 1)`)
    await add('lamp', '516', 0)
    expect(await line('devices')).toMatchObject({ Done: false, Count: 0, Of: 1, HomeID })
    await add('main', '520', 1)
    expect(await line('devices')).toMatchObject({ Done: true, Count: 1, Of: 2 })
    expect(await line('meters')).toMatchObject({ Done: true, Count: 1, Of: 1 })
    expect(await line('tariff')).toMatchObject({ Done: false, Count: 0, Of: 1, HomeID })
    await add('below', '520', 1, 'main')
    await add('beside', '520', 1)
    expect(await line('meters')).toMatchObject({ Done: false, Count: 1, Of: 3, HomeID })
    for (const MeterID of ['main', 'beside'])
      await root.post('/SetMeterFact', { HomeID, MeterID, Fact: 'role', Value: 'load', From: null })
    expect(await line('meters')).toMatchObject({ Done: true, Count: 3, Of: 3, HomeID })
  })

  it('counts an accepted default room of a hub as a room, and its devices as placed', async () => {
    const owner = await world.signUp()
    const step = async (of: SetupStep) => (await lines(owner)).find(({ Step }) => Step === of)
    const { HomeID } = (await owner.post('/CreateHome', { HomeName: '門市', TimeZone: 'Asia/Taipei' }))
      .results
    expect(await step('rooms')).toMatchObject({ Done: false, Count: 0, Of: 1, HomeID })
    const { ThingName } = (await owner.post('/AddThing', { HomeID, DeviceName: '閘道', RoomID: 0 })).results
    expect(await step('rooms')).toMatchObject({ Done: true, Count: 1, HomeID: null })
    await world.db.query(sql`
      insert into peripherals (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, room_id, thing_name, created_at)
      values (${owner.tenant}, 'lamp', '516', 'lamp', ${HomeID}, 0, ${ThingName}, 1)`)
    expect(await step('devices')).toMatchObject({ Done: true, Count: 1, Of: 1 })
    // Once the site has a room, devices in the default room still need to be placed.
    await owner.post('/CreateRoom', { HomeID, RoomName: '倉庫' })
    expect(await step('devices')).toMatchObject({ Done: false, Count: 0, Of: 1, HomeID })
  })

  it('requires the contract capacity of a tariff that needs one', async () => {
    const { HomeID } = (await line('tariff')) as SetupLine
    const assign = async (terms: Parameters<typeof homeTariff>[0]) => {
      const { status } = await root.post('/UpdateHomeTariff', {
        HomeID,
        Tariffs: [homeTariff(terms)],
        Sure: true,
      })
      expect(status.code).toBe(0)
    }
    await assign({ Capacities: {} })
    expect(await line('tariff')).toMatchObject({ Done: false, Count: 0, HomeID })
    await assign({ Capacities: { regular: 90 } })
    expect(await line('tariff')).toMatchObject({ Done: true, Count: 1 })
    await assign({ PlanID: 'residential_standard', Capacities: {} })
    expect(await line('tariff')).toMatchObject({ Done: true, Count: 1 })
  })

  it('counts only tested channels: mail, a browser reached by push, a tested channel', async () => {
    const ways = async () => (await line('alarms'))?.Count
    expect(await ways()).toBe(0)
    await world.db.query(sql`insert into push_subscriptions
        (subscription_id, tenant, cognito_id, endpoint_hash, info_sealed, user_agent, created_at, registered_at)
      values (gen_random_uuid(), ${root.tenant}, ${root.cognitoId}, 'hash', '', '', 1, 1)`)
    expect(await ways()).toBe(0)
    await world.db.query(sql`update push_subscriptions set last_sent_at = 2`)
    expect(await ways()).toBe(1)
    // A subscription that its push service has rejected no longer counts as a channel.
    await world.db.query(sql`update push_subscriptions set failed_at = 3`)
    expect(await ways()).toBe(0)
    world.mail.isDelivered = true
    expect(await line('alarms')).toMatchObject({ Done: false, Count: 1, Of: 2 })
  })

  it('shows the address for hubs to users who may add one', async () => {
    expect((await root.post('/GetHubAddress')).results).toEqual({
      Hosts: [{ Address: 'hubs.example', Kind: 'set' }],
      Port: 8883,
      Tls: true,
      Reachable: 'all',
    })
  })

  it('creates no rooms for users who may only add homes, and no two of one name', async () => {
    const homes = await world.createUser(root, [rights('home', 'Create')])
    const made = { HomeName: '分店', TimeZone: 'Asia/Taipei' }
    expect((await homes.post('/CreateHome', { ...made, RoomNames: ['賣場'] })).status.fields).toEqual({
      RoomNames: 'beyondOwn',
    })
    expect((await root.post('/CreateHome', { ...made, RoomNames: ['A', 'a'] })).status.fields).toEqual({
      RoomNames: 'taken',
    })
    expect((await homes.post('/CreateHome', made)).status.code).toBe(0)
  })
})
