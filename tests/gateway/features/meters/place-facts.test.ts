import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { parseDay } from '../../../../contract/time/periods.ts'
import { areaOn, hoursOn } from '../../../../contract/homes/place-facts.ts'
import { readPlaceFacts } from '../../../../gateway/domain/homes/place-facts.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { addSite, type Site } from '../../../support/stored-energy.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let site: Site
let room: number
let count = 0
const HOURS = [{ Weekdays: [1, 2, 3, 4, 5], From: 540, To: 1080, Days: 'workdays' }]

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())
beforeEach(async () => {
  site = await addSite(root, `Place ${(count += 1)}`)
  room = (await root.post('/CreateRoom', { HomeID: site.HomeID, RoomName: 'Office' })).results.RoomID
})

const set = (RoomID: number | null, Fact: string, Value: unknown, From: string | null, more: object = {}) =>
  root.post('/SetPlaceFact', { HomeID: site.HomeID, RoomID, Fact, Value, From, ...more })
const list = async () => (await root.post('/ListPlaceFact', { HomeID: site.HomeID })).results
const tenant = async () =>
  (await world.db.query<{ tenant: string }>(sql`select tenant from homes where home_id = ${site.HomeID}`))[0]
    ?.tenant as string

describe('facts of a home and its rooms', () => {
  it('apply from a day on, each fact with its own history', async () => {
    await set(null, 'area', 1_200, null)
    expect((await set(null, 'area', 1_500, '2025-12-01')).status).toEqual({ code: 0 })
    await set(room, 'hours', HOURS, null)
    expect((await list()).map((one: object) => ({ ...one, At: 0 }))).toMatchObject([
      { RoomID: null, Fact: 'area', From: null, Value: 1_200 },
      { RoomID: null, Fact: 'area', From: '2025-12-01', Value: 1_500 },
      { RoomID: room, Fact: 'hours', From: null, Value: HOURS },
    ])
    const facts = await readPlaceFacts(world.db, await tenant(), site.HomeID)
    expect(['2025-11-30', '2025-12-01'].map((day) => areaOn(facts, null, parseDay(day)))).toEqual([
      1_200, 1_500,
    ])
    expect(hoursOn(facts, room, parseDay('2025-01-01'))).toEqual(HOURS)
    expect(hoursOn(facts, null, parseDay('2025-01-01'))).toBeUndefined()
  })

  it('replace the original fact, and restore it when a day is undone', async () => {
    await set(null, 'area', 1, null)
    await set(null, 'area', 2, '2025-12-01')
    const forget = (From: string | null) =>
      root.post('/DeletePlaceFact', { HomeID: site.HomeID, RoomID: null, Fact: 'area', From })
    expect((await forget('2025-12-01')).results).toMatchObject([{ From: null, Value: 1 }])
    await set(null, 'area', 2, '2025-12-01')
    expect((await set(null, 'area', 3, null)).results).toMatchObject([{ From: null, Value: 3 }])
    expect((await forget(null)).results).toEqual([])
    expect((await forget(null)).status).toMatchObject({ code: ERRORS.NOT_FOUND.code })
  })

  it('are rejected for future days, unknown rooms, and an outdated history', async () => {
    expect((await set(null, 'area', 5, '2027-01-01')).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { From: 'future' },
    })
    expect((await set(room + 9, 'area', 5, null)).status).toMatchObject({ code: ERRORS.NOT_FOUND.code })
    await set(null, 'area', 5, null)
    expect((await set(null, 'area', 6, null, { Seen: [] })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
    })
    expect((await set(null, 'area', 6, null, { Seen: [{ From: null, Value: 5 }] })).status.code).toBe(0)
  })

  it('are kept for a deleted room, and deleted with the home', async () => {
    await set(room, 'area', 40, null)
    await root.post('/DeleteRoom', { HomeID: site.HomeID, RoomID: room })
    expect(await list()).toMatchObject([{ RoomID: room, Value: 40 }])
    await root.post('/DeleteHome', { HomeID: site.HomeID })
    expect(await world.db.query(sql`select 1 from place_facts where home_id = ${site.HomeID}`)).toEqual([])
  })

  it('are read, set and undone with three rights on electricity, in the own company only', async () => {
    await set(null, 'area', 5, null)
    const reader = await world.signUp()
    expect((await reader.post('/ListPlaceFact', { HomeID: site.HomeID })).status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
    })
    const clerk = await world.createUser(root, [rights('electricity', 'Read', 'Update')])
    expect((await clerk.post('/ListPlaceFact', { HomeID: site.HomeID })).results).toHaveLength(1)
    const key = { HomeID: site.HomeID, RoomID: null, Fact: 'area', From: null }
    expect((await clerk.post('/SetPlaceFact', { ...key, Value: 7 })).status.code).toBe(0)
    expect((await clerk.post('/DeletePlaceFact', key)).status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
    })
  })

  it('are audited with their history', async () => {
    await set(null, 'area', 5, null)
    const page = await root.post('/ListAuditLog', { Limit: 5 })
    expect(JSON.stringify(page.results)).toContain('SetPlaceFact')
  })
})
