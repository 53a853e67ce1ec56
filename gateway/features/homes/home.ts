import { EVERYWHERE, may, right } from '../../../contract/kernel/permissions.ts'
import type { Floor } from '../../../contract/homes/floor.ts'
import { type home, Home, type HomeWithRooms } from '../../../contract/homes/home.ts'
import type { RoomWithContents } from '../../../contract/homes/room.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf, inHomes } from '../../store/sql.ts'
import { sql, type Db } from '../../kernel/db.ts'
import { assertUnchanged } from '../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import type { Log } from '../../kernel/ports.ts'
import type { Sealer } from '../../lib/seal.ts'
import { deletePlan } from './floor.ts'
import { roomsWithContents } from './room.ts'

/** Form in which releases before 1.2 stored a key. */
const CLEAR = /^[0-9a-fA-F]{32}$/

type ThreadKeys = ReturnType<typeof createThreadKeys>

/** Thread keys of homes, which give access to their mesh networks: encrypted in the database, clear for people who may change the home. */
export function createThreadKeys({ db, log, sealer }: { db: Db; log: Log; sealer: Sealer }) {
  const contextOf = (tenant: string, homeId: string) => `${tenant}/${homeId}`

  const seal = (key: Home['ThreadNetworkKey'], tenant: string, homeId: string): string | null =>
    key === null ? null : sealer.seal(key, contextOf(tenant, homeId))

  return {
    seal,

    /** Home with its key decrypted; null also if another SECRET sealed it, so that it has to be entered again. */
    withPlainKey<Row extends Pick<Home, 'HomeID' | 'ThreadNetworkKey'>>(row: Row, tenant: string): Row {
      const { HomeID, ThreadNetworkKey: stored } = row
      if (stored === null || CLEAR.test(stored)) return row
      try {
        return { ...row, ThreadNetworkKey: sealer.open(stored, contextOf(tenant, HomeID)) }
      } catch {
        log.warn({ tenant, homeId: HomeID }, 'Thread key sealed with another SECRET, shown as not set')
        return { ...row, ThreadNetworkKey: null }
      }
    },

    /** Encrypts keys that a former release stored in clear text. */
    async sealStored(): Promise<void> {
      await db.transaction(async (tx) => {
        const homes = await tx.query<{ tenant: string; homeId: string; key: string }>(sql`
          select tenant, home_id as "homeId", thread_network_key as key from homes
          where thread_network_key ~ ${CLEAR.source} order by tenant, home_id for update`)
        for (const { tenant, homeId, key } of homes)
          await tx.query(sql`update homes set thread_network_key = ${seal(key, tenant, homeId)}
            where tenant = ${tenant} and home_id = ${homeId}`)
      })
    },
  }
}

const NAME_TAKEN = 'Another home already has that name'

export const homeHandlers = (threadKeys: ThreadKeys): HandlersOf<typeof home.operations> => ({
  list: (_, context) => listHomes(threadKeys, context),

  create: async ({ DefaultRoomName, RoomNames, ...input }, context) => {
    const { db, actor, clock, random } = context
    assertFullPosition(input)
    if (RoomNames.length > 0 && !may(actor, 'room', 'Create', EVERYWHERE))
      throw new GatewayError('PERMISSION_DENIED', 'You do not hold room Create', { RoomNames: 'beyondOwn' })
    const record: Home = { HomeID: random.uuid(), ...input, ThreadNetworkKey: null }
    await conflictOnUniqueViolation(
      'HomeName',
      NAME_TAKEN,
      db.query(sql`insert into homes (tenant, home_id, home_name, time_zone, latitude, longitude, created_at)
        values (${actor.tenant}, ${record.HomeID}, ${record.HomeName}, ${record.TimeZone}, ${record.Latitude},
          ${record.Longitude}, ${clock.now()})`),
    )
    const rooms = [DefaultRoomName, ...RoomNames].map((RoomName, RoomID) => ({
      HomeID: record.HomeID,
      RoomID,
      RoomName,
    }))
    await conflictOnUniqueViolation(
      'RoomNames',
      'Two rooms have the same name',
      db.query(sql`insert into rooms (tenant, home_id, room_id, room_name)
        select ${actor.tenant}::uuid, ${record.HomeID}, ordinality - 1, name
        from unnest(${rooms.map(({ RoomName }) => RoomName)}::text[]) with ordinality as r(name)`),
    )
    await db.query(sql`update homes set next_room_id = ${rooms.length}::int
      where tenant = ${actor.tenant} and home_id = ${record.HomeID}`)
    const added: HomeWithRooms = {
      ...record,
      RoomList: rooms.map((room) => ({ ...room, PeripheralList: [], ThingNameList: [] })),
    }
    context.change('home.add', { HomeID: record.HomeID })
    context.audit({ after: { ...record, RoomNames } })
    return added
  },

  update: async ({ HomeID, Seen, ...changes }, context) => {
    const { db, actor } = context
    const [stored] = await db.query<Home>(sql`select ${columnsOf(Home)} from homes
      where tenant = ${actor.tenant} and home_id = ${HomeID} for update`)
    if (!stored) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
    const before = threadKeys.withPlainKey(stored, actor.tenant)
    assertUnchanged(Seen, before)
    const after: Home = { ...before, ...changes }
    assertFullPosition(after)
    // A key that cannot be decrypted stays stored until another one is entered.
    const key =
      changes.ThreadNetworkKey === undefined
        ? stored.ThreadNetworkKey
        : threadKeys.seal(changes.ThreadNetworkKey, actor.tenant, HomeID)
    await conflictOnUniqueViolation(
      'HomeName',
      NAME_TAKEN,
      db.query(sql`update homes set home_name = ${after.HomeName}, time_zone = ${after.TimeZone},
        thread_network_key = ${key}, latitude = ${after.Latitude},
        longitude = ${after.Longitude} where tenant = ${actor.tenant} and home_id = ${HomeID}`),
    )
    context.change('home.update', withoutKey(after))
    context.audit({ before: withoutKey(before), after: withoutKey(after) })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    // Locked first: a hub, scanner or picture added meanwhile would be deleted with the home without its cleanup.
    await db.query(
      sql`select 1 from homes where tenant = ${actor.tenant} and home_id = ${key.HomeID} for update`,
    )
    const inHome = sql`tenant = ${actor.tenant} and home_id = ${key.HomeID}`
    const hubs = await db.query<{ thingName: string }>(sql`select thing_name as "thingName" from things
      where ${inHome} union all select thing_name from scanners where ${inHome}`)
    const [counted] = await db.query<{ Rooms: number; Hubs: number; Devices: number; Scanners: number }>(sql`
      select (select count(*) from rooms where ${inHome}) as "Rooms", (select count(*) from things where ${inHome}) as "Hubs",
        (select count(*) from peripherals where ${inHome}) as "Devices",
        (select count(*) from scanners where ${inHome}) as "Scanners"`)
    const pictures = await db.query<{ imageUrl: string }>(sql`
      select peripheral_image_url as "imageUrl" from peripherals
      where tenant = ${actor.tenant} and home_id = ${key.HomeID} and peripheral_image_url is not null`)
    const plans = await db.query<Pick<Floor, 'Plan'>>(
      sql`select plan as "Plan" from floors where ${inHome} order by floor_id for update`,
    )
    const [before] = await db.query<Home>(sql`delete from homes
      where tenant = ${actor.tenant} and home_id = ${key.HomeID} returning ${columnsOf(Home)}`)
    if (!before) throw new GatewayError('NOT_FOUND', `Home ${key.HomeID} does not exist`)
    for (const { thingName } of hubs) context.emit('hubRevoked', { tenant: actor.tenant, thingName })
    for (const picture of pictures) context.emit('pictureDropped', picture)
    for (const { Plan } of plans) deletePlan(Plan, context)
    context.change('home.remove', key)
    context.audit({ before: { ...withoutKey(before), ...counted } })
    return key
  },
})

/** Homes with their rooms and contents, as far as the caller may read them. */
async function listHomes(threadKeys: ThreadKeys, context: SignedIn): Promise<HomeWithRooms[]> {
  const { db, actor } = context
  const homes = await db.query<Home>(sql`select ${columnsOf(Home)} from homes
    where tenant = ${actor.tenant} and ${inHomes(context.homes('homes'), sql`home_id`)} order by lower(home_name)`)
  const rooms = await roomsWithContents(db, actor.tenant, {
    homes: context.homes('rooms'),
    homesWithDevices: context.homes(right('device', 'Read')),
  })
  const byHome = new Map<string, RoomWithContents[]>()
  for (const room of rooms) byHome.set(room.HomeID, [...(byHome.get(room.HomeID) ?? []), room])
  // The Thread key gives access to the home's mesh network; only people who may change the home see it.
  return homes.map((home) => ({
    ...(may(actor, 'home', 'Update', home.HomeID)
      ? threadKeys.withPlainKey(home, actor.tenant)
      : { ...home, ThreadNetworkKey: null }),
    RoomList: byHome.get(home.HomeID) ?? [],
  }))
}

/** Errors: INVALID with required at the missing half of a position. */
function assertFullPosition({ Latitude, Longitude }: Pick<Home, 'Latitude' | 'Longitude'>): void {
  if ((Latitude === null) === (Longitude === null)) return
  throw new GatewayError('INVALID', 'A position is a latitude and a longitude', {
    [Latitude === null ? 'Latitude' : 'Longitude']: 'required',
  })
}

/** The Thread key is excluded from the audit and from change events. */
const withoutKey = ({ ThreadNetworkKey: _key, ...rest }: Home) => rest
