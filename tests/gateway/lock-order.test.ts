import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../gateway/kernel/ports.ts'
import { sql } from '../../gateway/kernel/db.ts'
import { addDiscovered, discover } from '../support/discoveries.ts'
import { type Caller, startWorld, type World } from '../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld({ clock: systemClock })
  root = await world.signUp()
})
afterAll(() => world.close())

/** Valid status codes during concurrent changes: done, gone, or in conflict. */
const FAIR = [0, 2, 3]
const OK = { code: 0 }

it('changes and removes rooms, hubs and devices concurrently without a deadlock', async () => {
  const home = await root.post('/CreateHome', { HomeName: 'Crossing', TimeZone: 'Asia/Taipei' })
  const { HomeID } = home.results
  const codes = new Set<number>()
  for (let round = 0; round < 25; round++) {
    const made = await root.post('/CreateRoom', { HomeID, RoomName: `room ${round}` })
    const { RoomID } = made.results
    const hubs = await Promise.all(
      ['a', 'b'].map((DeviceName) => root.post('/AddThing', { HomeID, RoomID: 0, DeviceName })),
    )
    const [hub, leaving] = hubs.map(({ results }) => results.ThingName as string) as [string, string]
    const uid = (name: string) => `${name}-${round}`
    await addDiscovered(world, root, { HomeID, ThingName: hub, type: '514', uids: ['m1', 'm2'].map(uid) })
    await addDiscovered(world, root, { HomeID, ThingName: leaving, uids: ['x1', 'x2'].map(uid) })
    await discover(world, root, { HomeID, ThingName: hub, uids: ['n1', 'n2'].map(uid) })
    await discover(world, root, { HomeID, ThingName: leaving, uids: ['n3'].map(uid) })
    const device = (name: string) => ({ HomeID, PeripheralUID: uid(name) })
    const added = ['n1', 'n2', 'n3'].map((name) => ({ PeripheralUID: uid(name), PeripheralName: name }))
    const answers = await Promise.all([
      root.post('/UpdateThingInfo', { HomeID, ThingName: hub, DeviceName: 'moved', RoomID }),
      root.post('/UpdatePeripheralInfo', { ...device('m1'), RoomID }),
      root.post('/UpdatePeripheralInfo', { ...device('x1'), RoomID }),
      root.post('/DeleteRoom', { HomeID, RoomID }),
      root.post('/AddPeripherals', { HomeID, RoomID, Peripherals: added }),
      root.post('/AddPeripherals', { HomeID, RoomID: 0, Peripherals: added.toReversed() }),
      root.post('/UpdatePeripheralInfo', { ...device('m2'), PeripheralName: 'renamed', RoomID: 0 }),
      root.post('/UpdatePeripheralAdvanceInfo', { ...device('m1'), ParentMeter: uid('m2') }),
      root.post('/UpdatePeripheralAdvanceInfo', { ...device('m2'), ParentMeter: uid('m1') }),
      root.post('/RemovePeripheral', device('x2')),
      root.post('/RemoveThing', { HomeID, ThingName: leaving }),
      root.post('/UpdateHomeInfo', { HomeID, HomeName: `Crossing ${round}` }),
    ])
    for (const { status } of answers) codes.add(status.code)
    expect(answers[3]?.status).toEqual(OK)
    expect(answers[10]?.status).toEqual(OK)
  }
  expect([...codes].filter((code) => !FAIR.includes(code))).toEqual([])
  // PostgreSQL detects a deadlock after a second, and the losing call returns UNAVAILABLE.
  expect(world.log.lines.filter(({ level }) => level !== 'info')).toEqual([])
})

it('locks the devices of a deleted room in the same order as removing a hub', async () => {
  const { HomeID } = (await root.post('/CreateHome', { HomeName: 'Order', TimeZone: 'Asia/Taipei' })).results
  const { RoomID } = (await root.post('/CreateRoom', { HomeID, RoomName: 'room' })).results
  const { ThingName } = (await root.post('/AddThing', { HomeID, RoomID: 0, DeviceName: 'hub' })).results
  // In the stored order, the last comes first.
  for (const uid of ['order-2', 'order-1'])
    await addDiscovered(world, root, { HomeID, RoomID, ThingName, uids: [uid] })
  const blocked = () =>
    world.db.query(sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
  let deleting: Promise<{ status: object }> | undefined
  await world.db.transaction(async (tx) => {
    await tx.query(sql`select 1 from peripherals where peripheral_uid = 'order-1' for update`)
    deleting = root.post('/DeleteRoom', { HomeID, RoomID })
    await expect.poll(async () => (await blocked()).length).toBe(1)
    await tx.query(sql`select 1 from peripherals where peripheral_uid = 'order-2' for update nowait`)
  })
  expect((await deleting)?.status).toEqual(OK)
})
