import { sql } from '../../gateway/kernel/db.ts'
import type { Caller, World } from './world.ts'

interface Options {
  HomeID: string
  ThingName: string
  RoomID?: number
  type?: string
  uids: readonly string[]
}

/** Stores discovered devices without a hub, as rows that the shadow of a real one creates. */
export async function discover(
  world: World,
  owner: Caller,
  { HomeID, ThingName, type = '516', uids }: Options,
) {
  for (const uid of uids)
    await world.db.query(sql`insert into discoveries
        (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, discovered_at)
      values (${owner.tenant}, ${uid}, ${type}, ${uid}, ${HomeID}, ${ThingName}, 0)`)
}

export async function addDiscovered(world: World, owner: Caller, options: Options): Promise<void> {
  await discover(world, owner, options)
  const { HomeID, RoomID = 0, uids } = options
  for (let from = 0; from < uids.length; from += 8) {
    const Peripherals = uids.slice(from, from + 8).map((uid) => ({ PeripheralUID: uid, PeripheralName: uid }))
    const { status } = await owner.post('/AddPeripherals', { HomeID, RoomID, Peripherals })
    if (status.code !== 0) throw new Error(`AddPeripherals failed: ${JSON.stringify(status)}`)
  }
}
