import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { status, statusChange, statusRequest } from '../../../../../contract/devices/channels/control.ts'
import type { DeviceStatus } from '../../../../../contract/devices/kinds/status.ts'
import { DEFAULT_PERSONAL_CONFIG } from '../../../../../contract/people/personal-calls.ts'
import { createAnnouncer } from '../../../../../gateway/features/status/announce/announcer.ts'
import { createEvents, type Events } from '../../../../../gateway/kernel/events.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { type Building, createBuilding } from '../../../../support/building.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import { FakeBroker } from '../../../../support/fake-broker.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'
import { createTestDb } from '../../../../support/postgres.ts'

let db: Db
let drop: () => Promise<void>
let building: Building
let clock: HeldClock
let events: Events
let broker: FakeBroker
let announcer: ReturnType<typeof createAnnouncer>

beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
  clock = holdClock()
  broker = new FakeBroker()
  events = createEvents((error) => {
    throw error
  })
  announcer = createAnnouncer({ events, broker, db, log: createLogBook(), clock })
  return () => announcer.close()
})

const light = (uid: string, Switch: number): DeviceStatus => ({
  PeripheralUID: uid,
  PeripheralType: '516',
  Timestamp: clock.now(),
  updateAt: clock.now(),
  Switch,
})
const change = (...statuses: DeviceStatus[]) =>
  events.emit('statusChanged', {
    tenant: building.tenant,
    homeId: building.homeId,
    statuses,
    uids: [],
    changedUIDs: [],
  })
const levels = () => ({ rootId: building.tenant, homeId: building.homeId })
/** Lets resolved promises continue. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('changed statuses', () => {
  it('are published immediately if the home was quiet', async () => {
    change(light('a', 1))
    await broker.reaches(1)
    expect(broker.traffic).toEqual([
      { topic: statusChange.topic(levels()), payload: { Peripherals: [light('a', 1)] }, qos: 0 },
    ])
  })

  it('are not read for a home without open screens', async () => {
    broker.hasSubscribers = (topic) => topic === statusChange.topic(levels())
    const unread = {
      tenant: building.tenant,
      homeId: 'nobody-looks',
      get statuses(): DeviceStatus[] {
        throw new Error('The statuses were read')
      },
      uids: [],
      changedUIDs: [],
    }
    events.emit('statusChanged', unread)
    change(light('a', 1))
    await broker.reaches(1)
    expect(broker.traffic).toMatchObject([{ topic: statusChange.topic(levels()) }])
  })

  it('are batched per device while the home is busy: a thousand become two messages', async () => {
    change(light('a', 0))
    await broker.reaches(1)
    for (let i = 0; i < 1_000; i++) change(light(i % 2 ? 'a' : 'b', Number(i > 990)))
    const last = [light('b', 1), light('a', 1)]
    await settle()
    expect(broker.traffic).toHaveLength(1)
    clock.advance(9)
    await settle()
    expect(broker.traffic).toHaveLength(1)
    clock.advance(1)
    await broker.reaches(2)
    expect(broker.sentTo(statusChange.topic(levels()))[1]).toEqual({ Peripherals: last })
  })

  it('wait for a slow broker instead of piling up', async () => {
    let open = () => {}
    broker.gate = new Promise<void>((resolve) => (open = resolve))
    change(light('a', 0))
    for (let i = 0; i < 50; i++) {
      change(light('a', 1))
      clock.advance(100)
      await settle()
    }
    expect(broker.traffic).toHaveLength(0)
    open()
    await broker.reaches(1)
    await settle()
    clock.advance(100)
    await broker.reaches(2)
    await settle()
    clock.advance(1_000)
    await settle()
    expect(broker.traffic).toHaveLength(2)
  })

  it('that wait are published when the gateway ends, for screens on others', async () => {
    change(light('a', 0))
    await broker.reaches(1)
    change(light('a', 1))
    await settle()
    expect(broker.traffic).toHaveLength(1)
    await announcer.close()
    expect(broker.sentTo(statusChange.topic(levels()))[1]).toEqual({ Peripherals: [light('a', 1)] })
  })

  it('of many busy homes are published less often, and each at least ten times a second', async () => {
    const homes = Array.from({ length: 400 }, (_, i) => `busy-${i}`)
    const changeAll = (Switch: number) => {
      for (const homeId of homes)
        events.emit('statusChanged', {
          tenant: building.tenant,
          homeId,
          statuses: [light('a', Switch)],
          uids: [],
          changedUIDs: [],
        })
    }
    changeAll(0)
    await broker.reaches(400)
    await settle()
    changeAll(1)
    clock.advance(99)
    await settle()
    expect(broker.traffic).toHaveLength(400)
    clock.advance(1)
    await broker.reaches(800)
  })

  it('of one home do not wait for another', async () => {
    change(light('a', 1))
    events.emit('statusChanged', {
      tenant: building.tenant,
      homeId: 'h2',
      statuses: [light('z', 1)],
      uids: [],
      changedUIDs: [],
    })
    await broker.reaches(2)
    expect(broker.sentTo(statusChange.topic({ ...levels(), homeId: 'h2' }))).toHaveLength(1)
  })
})

describe('a status request', () => {
  const ask = (homeId = building.homeId) =>
    announcer.receive({
      topic: statusRequest.topic({ rootId: building.tenant, homeId }),
      client: {
        party: 'screen',
        tenant: building.tenant,
        cognitoId: building.tenant,
        subject: { isRoot: true, permissions: [] },
      },
    })

  it('returns every stored status, in parts of 200', async () => {
    const uids = Array.from({ length: 450 }, (_, i) => `d${String(i).padStart(3, '0')}`)
    await db.query(sql`
      insert into peripherals (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
      select ${building.tenant}, uid, '516', uid, ${building.homeId}, ${building.thingName}, 0
      from unnest(${uids}::text[]) as uid`)
    await db.query(sql`
      insert into device_status select tenant, peripheral_uid, home_id, peripheral_type, 5, '{"Switch": 1}', 6
      from peripherals where tenant = ${building.tenant}`)
    await ask()
    await broker.reaches(4)
    const parts = broker.sentTo(status.topic(levels()))
    expect(parts.map(({ Peripherals }) => Peripherals.length)).toEqual([200, 200, 50])
    expect(
      parts.flatMap(({ Peripherals }) => Peripherals.map((one: DeviceStatus) => one.PeripheralUID)),
    ).toEqual(uids)
    expect(parts[0].Peripherals[0]).toEqual({
      PeripheralUID: 'd000',
      PeripheralType: '516',
      Timestamp: 5,
      updateAt: 6,
      Switch: 1,
    })
  })

  it('is answered again if other gateways may not have known of the screen', async () => {
    broker.hasRecentSubscriber = () => true
    await ask()
    await broker.reaches(2)
    await settle()
    broker.hasRecentSubscriber = () => false
    clock.advance(2_000)
    await broker.reaches(3)
    await settle()
    clock.advance(10_000)
    await settle()
    expect(broker.sentTo(status.topic(levels()))).toEqual([{ Peripherals: [] }, { Peripherals: [] }])
    // Hubs are asked once for their status.
    expect(broker.sentTo(statusRequest.topic(levels()))).toHaveLength(1)
  })

  it('is answered once the database is back, while a screen is open', async () => {
    let isAway = true
    const query: Db['query'] = (...args) =>
      isAway ? Promise.reject(new Error('The database is away')) : db.query(...args)
    await announcer.close()
    announcer = createAnnouncer({ events, broker, db: { ...db, query }, log: createLogBook(), clock })
    const wait = async (ms: number) => {
      await settle()
      clock.advance(ms)
      await settle()
    }
    await ask()
    await wait(2_000)
    await wait(2_000)
    expect(broker.sentTo(status.topic(levels()))).toEqual([])
    broker.hasSubscribers = () => false
    await wait(2_000)
    isAway = false
    await wait(2_000)
    expect(broker.sentTo(status.topic(levels()))).toEqual([])
    broker.hasSubscribers = () => true
    isAway = true
    await ask()
    await settle()
    isAway = false
    await wait(2_000)
    while (broker.sentTo(status.topic(levels())).length === 0) await broker.reaches(broker.traffic.length + 1)
    expect(broker.sentTo(status.topic(levels()))).toEqual([{ Peripherals: [] }])
  })

  it('that fails while the gateway ends is not retried', async () => {
    let fail = (_error: Error) => {}
    let asked = 0
    const query: Db['query'] = () => {
      asked++
      return new Promise((_resolve, reject) => (fail = reject))
    }
    await announcer.close()
    announcer = createAnnouncer({ events, broker, db: { ...db, query }, log: createLogBook(), clock })
    await ask()
    await settle()
    await announcer.close()
    fail(new Error('The database is away'))
    await settle()
    clock.advance(10_000)
    await settle()
    expect(asked).toBe(1)
  })

  it('of many screens at once is answered at most twice: now, and once for later ones', async () => {
    for (let i = 0; i < 50; i++) await ask()
    await broker.reaches(2)
    await settle()
    expect(broker.traffic).toHaveLength(2)
    clock.advance(1_000)
    await broker.reaches(4)
    await settle()
    clock.advance(10_000)
    await settle()
    expect(broker.sentTo(status.topic(levels()))).toEqual([{ Peripherals: [] }, { Peripherals: [] }])
    const asked = broker.sentTo(statusRequest.topic(levels()))
    expect(asked).toEqual([{ Timestamp: clock.now() - 11_000 }, { Timestamp: clock.now() - 10_000 }])
  })

  it('reaches hubs as a request of the gateway', async () => {
    await ask()
    await broker.reaches(2)
    expect(broker.traffic[0]).toEqual({
      topic: statusRequest.topic(levels()),
      payload: { Timestamp: clock.now() },
      qos: 0,
    })
  })

  it('for another company is not answered', async () => {
    await announcer.receive({
      topic: statusRequest.topic({ rootId: randomUUID(), homeId: building.homeId }),
      client: {
        party: 'screen',
        tenant: building.tenant,
        cognitoId: building.tenant,
        subject: { isRoot: true, permissions: [] },
      },
    })
    await ask('h9')
    await broker.reaches(2)
    expect(broker.traffic.map((each) => ('topic' in each ? each.topic : ''))).toEqual([
      statusRequest.topic({ ...levels(), homeId: 'h9' }),
      status.topic({ ...levels(), homeId: 'h9' }),
    ])
  })
})

describe('added devices', () => {
  const add = (PeripheralUID: string, ThingName: string | null) =>
    events.emit('dataChange', {
      tenant: building.tenant,
      name: 'peripheral.add',
      record: aPeripheral({ PeripheralUID, PeripheralType: '516', HomeID: building.homeId, ThingName }),
      by: null,
    })
  const asked = () => broker.sentTo(statusRequest.topic(levels()))

  it('are requested from their hubs, once for all within a second', async () => {
    for (let i = 0; i < 8; i++) add(`new-${i}`, building.thingName)
    await broker.reaches(9)
    expect(asked()).toEqual([{ Timestamp: clock.now() }])
    await settle()
    add('late-1', building.thingName)
    add('late-2', building.thingName)
    await broker.reaches(11)
    expect(asked()).toHaveLength(1)
    clock.advance(1_000)
    await broker.reaches(12)
    expect(asked()[1]).toEqual({ Timestamp: clock.now() })
  })

  it('without a hub are not requested', async () => {
    add('camera', null)
    await broker.reaches(1)
    await settle()
    expect(asked()).toEqual([])
  })
})

describe('a changed record', () => {
  const home = () => ({
    HomeID: building.homeId,
    HomeName: 'B',
    TimeZone: 'Asia/Taipei',
    ThreadNetworkKey: null,
    Latitude: null,
    Longitude: null,
  })

  it('is published with its author and call', async () => {
    const { tenant } = building
    const change = { tenant, name: 'home.update', record: home(), by: tenant } as const
    events.emit('dataChange', { ...change, requestId: 'r1' })
    await broker.reaches(1)
    expect(broker.traffic).toEqual([
      {
        topic: `${tenant}/datachange/home/update`,
        payload: { Record: home(), By: tenant, RequestID: 'r1' },
        qos: 1,
      },
    ])
  })

  it('is published without a call if the gateway changed it, or a call without RequestID', async () => {
    events.emit('dataChange', { tenant: building.tenant, name: 'home.update', record: home(), by: null })
    await broker.reaches(1)
    expect(broker.traffic).toMatchObject([{ payload: { By: null, RequestID: null } }])
  })

  it('of a room is published for the room and its home', async () => {
    const key = { HomeID: building.homeId, RoomID: 3 }
    const { tenant } = building
    events.emit('dataChange', { tenant, name: 'room.add', record: { ...key, RoomName: 'R' }, by: null })
    events.emit('dataChange', { tenant, name: 'room.update', record: { ...key, RoomName: 'S' }, by: null })
    events.emit('dataChange', { tenant, name: 'room.remove', record: key, by: null })
    await broker.reaches(6)
    expect(broker.traffic.map((item) => 'topic' in item && item.topic.split('/').slice(2).join('/'))).toEqual(
      ['room/add', 'home/addRoom', 'room/update', 'home/updateRoom', 'room/remove', 'home/removeRoom'],
    )
  })
})

describe('a user', () => {
  const permissions = [{ FeatureKey: 'room', OperationList: ['Read'] }]
  let cognitoId: string
  beforeEach(async () => {
    cognitoId = randomUUID()
    await db.query(sql`insert into users (tenant, cognito_id, email, permissions, created_at)
      values (${building.tenant}, ${cognitoId}, ${`${cognitoId}@example.com`}, ${JSON.stringify(permissions)}, 0)`)
  })
  const topic = () => `${building.tenant}/user/${cognitoId}/permission`
  const person = (kind: 'permissions' | 'revoked' | 'profile') =>
    events.emit('personChanged', { tenant: building.tenant, cognitoId, change: kind })

  it('with changed rights is notified before the connection is closed', async () => {
    person('permissions')
    await broker.reaches(2)
    expect(broker.traffic).toEqual([
      { topic: topic(), payload: { Permissions: permissions }, qos: 1 },
      { disconnected: { cognitoId } },
    ])
  })

  it('who was disabled or deleted is notified before the connection is closed', async () => {
    await db.query(sql`update users set enabled = false where cognito_id = ${cognitoId}`)
    person('revoked')
    await broker.reaches(2)
    expect(broker.traffic).toEqual([
      { topic: topic(), payload: { Deleted: true }, qos: 1 },
      { disconnected: { cognitoId } },
    ])
  })

  it('with a changed name stays connected', async () => {
    person('profile')
    events.emit('hubRevoked', { tenant: building.tenant, thingName: 'h1' })
    await broker.reaches(1)
    await settle()
    expect(broker.traffic).toEqual([{ disconnected: { thingName: 'h1' } }])
  })

  it('receives their own settings on every screen', async () => {
    const config = { ...DEFAULT_PERSONAL_CONFIG, Notification: true, DecimalPrecision: 3 }
    events.emit('personalConfigChanged', { tenant: building.tenant, cognitoId, config })
    await broker.reaches(1)
    expect(broker.sentTo(`${building.tenant}/user/${cognitoId}/response`)).toEqual([
      { PersonalConfig: config },
    ])
  })
})
