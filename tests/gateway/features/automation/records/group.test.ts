import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
let ThingName: string
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  ThingName = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results.ThingName
  await addDiscovered(world, root, { HomeID, ThingName, uids: ['g1', 'g2', 'g3', 'g4'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '532', uids: ['dim'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '515', uids: ['t1', 't2', 't10'] })
})
afterAll(() => world.close())

const create = (GroupName: string, PeripheralList: string[], home = HomeID) =>
  root.post('/CreateGroup', { HomeID: home, GroupName, PeripheralList })
const list = async () => (await root.post('/GetGroupByHomeId', { HomeID })).results
const named = () => world.events.flatMap(({ event }) => ('name' in event ? [event.name] : []))

describe('groups', () => {
  it('are created, changed and deleted, and published to screens', async () => {
    const { results } = await create('Hall', ['g2', 'g1'])
    expect(results).toMatchObject({
      GroupName: 'Hall',
      PeripheralList: ['g2', 'g1'],
      GroupType: '516',
      Version: 1,
    })
    const { GroupID } = results
    const changed = await root.post('/UpdateGroup', {
      HomeID,
      GroupID,
      PeripheralList: ['g1', 'g3'],
      Version: 1,
    })
    expect(changed.results).toMatchObject({ GroupName: 'Hall', PeripheralList: ['g1', 'g3'], Version: 2 })
    expect(await list()).toEqual([changed.results])
    expect(
      (await root.post('/UpdateGroup', { HomeID, GroupID, GroupName: 'B', Version: 1 })).status,
    ).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Version: 'changed' },
    })
    expect((await root.post('/DeleteGroup', { HomeID, GroupID })).results).toEqual({ HomeID, GroupID })
    expect(await list()).toEqual([])
    expect(named()).toEqual(expect.arrayContaining(['group.add', 'group.update', 'group.remove']))
  })

  it('are of one type, of adjacent signal-light sensors, and of devices of the home', async () => {
    expect((await create('Mixed', ['g1', 'dim'])).status.fields).toEqual({ PeripheralList: 'oneType' })
    expect((await create('Towers', ['t1', 't10'])).status.fields).toEqual({ PeripheralList: 'notAdjacent' })
    expect((await create('None', [])).status.fields).toEqual({ PeripheralList: 'required' })
    expect((await create('Twice', ['g1', 'g1'])).status.fields).toEqual({ 'PeripheralList.1': 'taken' })
    const gone = await create('Gone', ['g1', 'nobody'])
    expect(gone.status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
      fields: { 'PeripheralList.1': 'notFound' },
    })
    expect((await create('Nowhere', ['g1'], 'no-home')).status.code).toBe(ERRORS.NOT_FOUND.code)
    const towers = await create('Towers', ['t10', 't2'])
    expect(towers.results.GroupType).toBe('515')
    await root.post('/DeleteGroup', { HomeID, GroupID: towers.results.GroupID })
  })

  it('have unique names in a home, regardless of case', async () => {
    const { GroupID } = (await create('Office', ['g1'])).results
    expect((await create('OFFICE', ['g2'])).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { GroupName: 'taken' },
    })
    await root.post('/DeleteGroup', { HomeID, GroupID })
  })

  it('are not found by another company', async () => {
    const { GroupID } = (await create('Ours', ['g1'])).results
    const other = await world.signUp()
    for (const [path, body] of [
      ['/GetGroupByHomeId', { HomeID }],
      ['/UpdateGroup', { HomeID, GroupID, GroupName: 'Theirs' }],
      ['/DeleteGroup', { HomeID, GroupID }],
    ] as const)
      expect((await other.post(path, body)).status.code, path).toBe(ERRORS.NOT_FOUND.code)
    await root.post('/DeleteGroup', { HomeID, GroupID })
  })

  it('lose a removed device, and are deleted with the last one', async () => {
    const { GroupID } = (await create('Leaving', ['g3', 'g4'])).results
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'g3' })
    expect(await list()).toMatchObject([{ GroupID, PeripheralList: ['g4'], Version: 2 }])
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'g4' })
    expect(await list()).toEqual([])
    expect(named().slice(-4)).toEqual(expect.arrayContaining(['group.remove', 'peripheral.remove']))
  })

  it('are limited to 200 per home', async () => {
    await world.db.query({
      name: '',
      text: `insert into groups (tenant, group_id, home_id, group_name, group_type)
        select $1::uuid, 'many-' || n, $2, 'many ' || n, '516' from generate_series(1, 200) n`,
      values: [root.tenant, HomeID],
    })
    expect((await create('One more', ['g1'])).status.code).toBe(ERRORS.LIMIT_EXCEEDED.code)
    await world.db.query({ name: '', text: `delete from groups where group_id like 'many-%'`, values: [] })
  })
})
