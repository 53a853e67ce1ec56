import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { lockHome } from '../../../../gateway/domain/homes/find-home.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'
import { createThreadKeys } from '../../../../gateway/features/homes/home.ts'
import { createSealer } from '../../../../gateway/lib/seal.ts'
import { SECRET } from '../../../support/user-pool.ts'
import { PATIENT } from '../../../support/patient.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const create = (HomeName: string) => root.post('/CreateHome', { HomeName, TimeZone: 'Asia/Taipei' })
const names = async () =>
  (await root.post('/ListHome')).results.map((home: { HomeName: string }) => home.HomeName)

describe('homes', () => {
  it('have a default room and are listed by name', async () => {
    const { results } = await create('b')
    await create('A')
    expect(results.RoomList).toEqual([
      { HomeID: results.HomeID, RoomID: 0, RoomName: '預設房間', PeripheralList: [], ThingNameList: [] },
    ])
    expect(await names()).toEqual(['A', 'b'])
  })

  it('are listed for users with a right on one of their features, with rooms unless only for conference rooms', async () => {
    const told = async (...permissions: Parameters<World['createUser']>[1] & object) => {
      const person = await world.createUser(root, permissions)
      const homes = (await person.post('/ListHome')).results as { RoomList: unknown[] }[]
      return [homes.length > 0, homes.some(({ RoomList }) => RoomList.length > 0)]
    }
    expect(await told()).toEqual([false, false])
    expect(await told(rights('user', 'Read'), rights('company', 'Read'))).toEqual([false, false])
    expect(await told(rights('conference_room', 'Read'))).toEqual([true, false])
    expect(await told(rights('electricity', 'Export'))).toEqual([true, true])
  })

  it('accept both names of the time zone, but not two different ones', async () => {
    const made = await root.post('/CreateHome', { HomeName: 'zone', timezone: 'Asia/Tokyo' })
    expect(made.results.TimeZone).toBe('Asia/Tokyo')
    const { HomeID } = made.results
    const moved = await root.post('/UpdateHomeInfo', { HomeID, timezone: 'Asia/Taipei' })
    expect(moved.results.TimeZone).toBe('Asia/Taipei')
    const both = { HomeID, timezone: 'Asia/Tokyo', TimeZone: 'Asia/Taipei' }
    expect((await root.post('/UpdateHomeInfo', both)).status.code).toBe(ERRORS.INVALID.code)
    const wrong = await root.post('/CreateHome', { HomeName: 'nowhere', timezone: 'Mars/Base' })
    expect(wrong.status).toMatchObject({ code: ERRORS.INVALID.code, fields: { TimeZone: 'timeZone' } })
    await root.post('/DeleteHome', { HomeID })
  })

  it('require a name and an existing time zone', async () => {
    expect(
      (await root.post('/CreateHome', { HomeName: ' ', TimeZone: 'Mars/Olympus' })).status,
    ).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { HomeName: 'required', TimeZone: 'timeZone' },
    })
    expect((await create('B')).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { HomeName: 'taken' },
    })
  })

  it('change only the given fields', async () => {
    const { HomeID } = (await create('c')).results
    await root.post('/UpdateHomeInfo', { HomeID, TimeZone: 'America/New_York' })
    const { results } = await root.post('/UpdateHomeInfo', {
      HomeID,
      ThreadNetworkKey: '00112233445566778899aabbccddeeff',
    })
    expect(results).toMatchObject({ HomeName: 'c', TimeZone: 'America/New_York' })
  })

  it('can have a location, as a whole', async () => {
    const { HomeID, Latitude } = (await create('placed')).results
    expect(Latitude).toBeNull()
    const place = { Latitude: 24.8, Longitude: 120.97 }
    expect((await root.post('/UpdateHomeInfo', { HomeID, ...place })).results).toMatchObject(place)
    const half = await root.post('/UpdateHomeInfo', { HomeID, Latitude: null })
    expect(half.status).toMatchObject({ code: ERRORS.INVALID.code, fields: { Latitude: 'required' } })
    const beyond = await root.post('/UpdateHomeInfo', { HomeID, Latitude: 91, Longitude: -181 })
    expect(beyond.status).toMatchObject({ fields: { Latitude: 'tooBig', Longitude: 'tooSmall' } })
    const list = (await root.post('/ListHome')).results
    expect(list.find((home: { HomeID: string }) => home.HomeID === HomeID)).toMatchObject(place)
    const made = await root.post('/CreateHome', { HomeName: 'made there', TimeZone: 'Asia/Taipei', ...place })
    expect(made.results).toMatchObject(place)
    const alone = await root.post('/CreateHome', { HomeName: 'half', TimeZone: 'Asia/Taipei', Latitude: 1 })
    expect(alone.status).toMatchObject({ fields: { Longitude: 'required' } })
  })

  it('show the Thread key only to users who may change the home, never in the audit or events', async () => {
    const reader = await world.createUser(root, [rights('home', 'Read')])
    const list = (await reader.post('/ListHome')).results
    expect(list.map((home: { ThreadNetworkKey: unknown }) => home.ThreadNetworkKey)).toEqual(
      list.map(() => null),
    )
    const rows = await world.db.pool.query('select before, after, input from audit_log')
    expect(JSON.stringify(rows.rows)).not.toContain('00112233445566778899aabbccddeeff')
    const heard = world.events.filter(({ event }) => 'name' in event && event.name === 'home.update')
    expect(heard.length).toBeGreaterThan(0)
    expect(JSON.stringify(heard)).not.toContain('00112233445566778899aabbccddeeff')
  })

  it('store the Thread key sealed, and lose only the key with a wrong SECRET', async () => {
    const key = 'ffeeddccbbaa99887766554433221100'
    const { HomeID } = (await create('sealed')).results
    const storedKey = async () => {
      const text = 'select thread_network_key as key from homes where home_id = $1'
      return (await world.db.pool.query(text, [HomeID])).rows[0].key as string
    }
    const shownKey = async () => {
      const { results } = await root.post('/ListHome')
      return results.find((home: { HomeID: string }) => home.HomeID === HomeID).ThreadNetworkKey as
        string | null
    }
    const changed = await root.post('/UpdateHomeInfo', { HomeID, ThreadNetworkKey: key })
    expect(changed.results.ThreadNetworkKey).toBe(key)
    expect(await storedKey()).not.toContain(key)
    expect(await shownKey()).toBe(key)
    await root.post('/UpdateHomeInfo', { HomeID, HomeName: 'sealed, renamed' })
    expect(await shownKey()).toBe(key)

    const foreign = createSealer('another secret of thirty-two bytes', 'thread keys').seal(key, 'x')
    await world.db.pool.query('update homes set thread_network_key = $1 where home_id = $2', [
      foreign,
      HomeID,
    ])
    expect(await shownKey()).toBeNull()
    await root.post('/UpdateHomeInfo', { HomeID, HomeName: 'sealed again' })
    expect(await storedKey()).toBe(foreign)
    await root.post('/UpdateHomeInfo', { HomeID, ThreadNetworkKey: null })
    expect(await storedKey()).toBeNull()
  })

  it('seal clear-text Thread keys of a former release at startup, and read them until then', async () => {
    const key = '0123456789abcdef0123456789ABCDEF'
    const { HomeID } = (await create('in clear')).results
    await world.db.pool.query('update homes set thread_network_key = $1 where home_id = $2', [key, HomeID])
    const threadKeys = createThreadKeys({ ...world, sealer: createSealer(SECRET, 'thread keys') })
    const shown = async () =>
      (await root.post('/ListHome')).results.find((home: { HomeID: string }) => home.HomeID === HomeID)
        .ThreadNetworkKey
    expect(await shown()).toBe(key)
    await threadKeys.sealStored()
    const { rows } = await world.db.pool.query(
      'select thread_network_key as key from homes where home_id = $1',
      [HomeID],
    )
    expect(rows[0].key).not.toContain(key)
    expect(await shown()).toBe(key)
  })

  it('hide their contents from users who may not read devices', async () => {
    const { HomeID } = (await create('d')).results
    const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
    await addDiscovered(world, root, { HomeID, ThingName, uids: ['hidden1'] })
    const reader = await world.createUser(root, [rights('room', 'Read')])
    expect(JSON.stringify((await reader.post('/ListHome')).results)).not.toContain('hidden1')
    expect(JSON.stringify((await reader.post('/ListRoom')).results)).not.toContain('hidden1')
    expect(JSON.stringify((await root.post('/ListHome')).results)).toContain('hidden1')
  })

  it('disconnect even a hub that was being added while they were deleted', async () => {
    const { HomeID } = (await create('late hub')).results
    const name = 'hub-that-came-late'
    let deleting: ReturnType<Caller['post']> | undefined
    await world.db.transaction(async (tx) => {
      await lockHome(tx, root.tenant, HomeID)
      deleting = root.post('/DeleteHome', { HomeID })
      await vi.waitFor(async () => {
        const waiting = sql`select 1 from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock'`
        expect(await world.db.query(waiting)).toHaveLength(1)
      }, PATIENT)
      await tx.query(sql`insert into things (tenant, thing_name, device_name, home_id, secret_hash, created_at)
        values (${root.tenant}, ${name}, 'late', ${HomeID}, ${Buffer.alloc(32)}, 0)`)
    })
    expect((await deleting)?.status.code).toBe(0)
    expect(world.events).toContainEqual({
      name: 'hubRevoked',
      event: { tenant: root.tenant, thingName: name },
    })
  })

  it('are deleted with rooms, hubs and devices, disconnect the hubs, and the audit counts them', async () => {
    const { HomeID } = (await create('e')).results
    const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
    await addDiscovered(world, root, { HomeID, ThingName, uids: ['gone1'] })
    expect((await root.post('/DeleteHome', { HomeID })).results).toEqual({ HomeID })
    expect((await root.post('/GetPeripheralById', { HomeID, PeripheralUID: 'gone1' })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
    expect(world.events).toContainEqual({
      name: 'hubRevoked',
      event: { tenant: root.tenant, thingName: ThingName },
    })
    const { rows } = await world.db.pool.query(
      `select before from audit_log where path = '/DeleteHome' and before->>'HomeName' = 'e'`,
    )
    expect(rows).toMatchObject([{ before: { Rooms: 1, Hubs: 1, Devices: 1, Scanners: 0 } }])
  })
})
