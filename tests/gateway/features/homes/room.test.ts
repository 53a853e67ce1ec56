import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
let count = 0

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())
beforeEach(async () => {
  HomeID = (await root.post('/CreateHome', { HomeName: `Home ${(count += 1)}`, TimeZone: 'Asia/Taipei' }))
    .results.HomeID
})

const rooms = async () => (await root.post('/GetRoombyHomeId', { HomeID })).results
const changes = () => world.events.filter(({ name }) => name === 'dataChange').map(({ event }) => event)

describe('rooms', () => {
  it('start with the default room, first in the list', async () => {
    await root.post('/CreateRoom', { HomeID, RoomName: 'A' })
    expect((await rooms()).map((room: { RoomID: number }) => room.RoomID)).toEqual([0, 1])
  })

  it('never reuse the number of a deleted one', async () => {
    const first = (await root.post('/CreateRoom', { HomeID, RoomName: 'A' })).results
    await root.post('/DeleteRoom', { HomeID, RoomID: first.RoomID })
    const second = (await root.post('/CreateRoom', { HomeID, RoomName: 'A' })).results
    expect(second.RoomID).toBeGreaterThan(first.RoomID)
  })

  it('have unique names within a home, regardless of case', async () => {
    await root.post('/CreateRoom', { HomeID, RoomName: 'Lobby' })
    const { status } = await root.post('/CreateRoom', { HomeID, RoomName: 'LOBBY' })
    expect(status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { RoomName: 'taken' } })
    expect(await rooms()).toHaveLength(2)
  })

  it('can be renamed, including the default one', async () => {
    const { results } = await root.post('/UpdateRoomInfo', { HomeID, RoomID: 0, RoomName: '共用區' })
    expect(results).toEqual({ HomeID, RoomID: 0, RoomName: '共用區' })
    expect(changes()).toContainEqual({
      tenant: root.tenant,
      name: 'room.update',
      record: results,
      by: root.cognitoId,
    })
  })

  it('never lose the default room, even for root', async () => {
    const { status } = await root.post('/DeleteRoom', { HomeID, RoomID: 0 })
    expect(status.code).toBe(ERRORS.CONFLICT.code)
    expect(await rooms()).toHaveLength(1)
  })

  it('move their devices and hubs to the default room when deleted', async () => {
    const room = (await root.post('/CreateRoom', { HomeID, RoomName: 'A' })).results
    const hub = (await root.post('/AddThing', { HomeID, DeviceName: 'hub', RoomID: room.RoomID })).results
    await addDiscovered(world, root, {
      HomeID,
      RoomID: room.RoomID,
      ThingName: hub.ThingName,
      uids: ['p1', 'p2'],
    })
    expect((await rooms())[1]).toMatchObject({ PeripheralList: ['p1', 'p2'], ThingNameList: [hub.ThingName] })
    await root.post('/DeleteRoom', { HomeID, RoomID: room.RoomID })
    expect(await rooms()).toEqual([
      expect.objectContaining({ RoomID: 0, PeripheralList: ['p1', 'p2'], ThingNameList: [hub.ThingName] }),
    ])
    const moved = changes().filter((event) => 'name' in event && event.name === 'peripheral.update')
    expect(moved).toHaveLength(2)
    for (const event of moved) expect(event).toMatchObject({ record: { RoomID: 0 } })
  })

  it('cannot be created in an unknown home', async () => {
    expect((await root.post('/CreateRoom', { HomeID: 'nowhere', RoomName: 'A' })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
  })
})
