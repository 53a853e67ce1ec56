import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { addConferenceRoom, book, HOUR } from '../../../support/bookings.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

describe('Conference rooms', () => {
  it('are listed by name with the clock of their home, or that of Taipei', async () => {
    const home = (await root.post('/CreateHome', { HomeName: 'Tokyo', TimeZone: 'Asia/Tokyo' })).results
    await addConferenceRoom(root, 'B')
    await addConferenceRoom(root, 'a', { HomeID: home.HomeID, Equipment: 'TV', ReleaseAfter: 10 })
    const list = async () => (await root.post('/ListConferenceRoom')).results
    expect(await list()).toMatchObject([
      { ConferenceRoomName: 'a', TimeZone: 'Asia/Tokyo', Equipment: 'TV', ReleaseAfter: 10, Active: true },
      { ConferenceRoomName: 'B', TimeZone: 'Asia/Taipei', HomeID: null },
    ])
    await root.post('/DeleteHome', { HomeID: home.HomeID })
    expect(await list()).toMatchObject([{ HomeID: null, TimeZone: 'Asia/Taipei' }, {}])
  })

  it('have unique names, regardless of case', async () => {
    await addConferenceRoom(root, 'Jade')
    const again = await root.post('/AddConferenceRoom', { ConferenceRoomName: 'JADE', Capacity: 2 })
    expect(again.status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { ConferenceRoomName: 'taken' },
    })
  })

  it('change field by field, published to screens', async () => {
    const ConferenceRoomID = await addConferenceRoom(root, 'Pearl')
    const { results } = await root.post('/UpdateConferenceRoom', { ConferenceRoomID, Capacity: 12 })
    expect(results).toMatchObject({ ConferenceRoomName: 'Pearl', Capacity: 12 })
    expect(world.events.at(-1)?.event).toMatchObject({ name: 'conferenceRoom.update', record: results })
  })

  it('reject an update with an outdated version', async () => {
    const made = await root.post('/AddConferenceRoom', { ConferenceRoomName: 'Opal', Capacity: 8 })
    const { ConferenceRoomID, Version } = made.results
    const save = (Capacity: number) =>
      root.post('/UpdateConferenceRoom', { ConferenceRoomID, Capacity, Version })
    expect((await save(9)).results).toMatchObject({ Capacity: 9, Version: Version + 1 })
    expect((await save(10)).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Version: 'changed' },
    })
  })

  it('cannot be deleted with future bookings, unless these are canceled too', async () => {
    const ConferenceRoomID = await addConferenceRoom(root, 'Coral')
    await book(root, world, ConferenceRoomID, HOUR)
    const remove = async (more: object = {}) =>
      (await root.post('/RemoveConferenceRoom', { ConferenceRoomID, ...more })).status.code
    expect(await remove()).toBe(ERRORS.CONFLICT.code)
    expect(await remove({ CancelBookings: true })).toBe(0)
    expect(await remove()).toBe(ERRORS.NOT_FOUND.code)
  })

  it('of another company are not found, and its homes cannot be used', async () => {
    const ConferenceRoomID = await addConferenceRoom(root, 'Amber')
    const stranger = await world.signUp()
    const home = (await stranger.post('/CreateHome', { HomeName: 'X', TimeZone: 'Asia/Taipei' })).results
    for (const path of ['/UpdateConferenceRoom', '/RemoveConferenceRoom'])
      expect((await stranger.post(path, { ConferenceRoomID })).status.code).toBe(ERRORS.NOT_FOUND.code)
    const { status } = await root.post('/UpdateConferenceRoom', { ConferenceRoomID, HomeID: home.HomeID })
    expect(status.code).toBe(ERRORS.NOT_FOUND.code)
  })

  it('can be a room of their home, until that is deleted or they move to another home', async () => {
    const homeOf = async (HomeName: string) =>
      (await root.post('/CreateHome', { HomeName, TimeZone: 'Asia/Taipei' })).results.HomeID
    const [HomeID, other] = [await homeOf('Here'), await homeOf('There')]
    const RoomID = (await root.post('/CreateRoom', { HomeID, RoomName: 'Big' })).results.RoomID
    const ConferenceRoomID = await addConferenceRoom(root, 'Onyx', { HomeID, RoomID })
    const update = (changes: object) => root.post('/UpdateConferenceRoom', { ConferenceRoomID, ...changes })
    expect((await update({ Capacity: 9 })).results).toMatchObject({ HomeID, RoomID })
    expect((await update({ HomeID: other })).results).toMatchObject({ HomeID: other, RoomID: null })
    expect((await update({ RoomID })).status.code).toBe(ERRORS.NOT_FOUND.code)
    expect((await update({ HomeID: null, RoomID })).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { HomeID: 'required' },
    })
    await update({ HomeID, RoomID })
    expect((await root.post('/DeleteRoom', { HomeID, RoomID })).status).toMatchObject({ code: 0 })
    const told = world.events.filter(({ event }) => 'name' in event && event.name === 'conferenceRoom.update')
    expect(told.at(-1)?.event).toMatchObject({ record: { ConferenceRoomID, HomeID, RoomID: null } })
    const again = (await root.post('/CreateRoom', { HomeID, RoomName: 'Small' })).results.RoomID
    await update({ RoomID: again })
    await root.post('/DeleteHome', { HomeID })
    const rooms = (await root.post('/ListConferenceRoom')).results
    expect(rooms).toContainEqual(expect.objectContaining({ ConferenceRoomID, HomeID: null, RoomID: null }))
  })
})
