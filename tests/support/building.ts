import { randomUUID } from 'node:crypto'
import { type Db, sql } from '../../gateway/kernel/db.ts'

/** Company with one home, one hub and its devices, inserted directly into the database. */
export interface Building {
  tenant: string
  homeId: string
  thingName: string
  hub: { party: 'hub'; tenant: string; homeId: string; thingName: string }
  /** Adds a device to the hub, or to another one. */
  addDevice(uid: string, type: string, thingName?: string): Promise<void>
  addHub(thingName: string): Promise<void>
  /** Stores a device's status, as if it had reported. */
  report(uid: string, type: string, values: object): Promise<void>
}

export async function createBuilding(db: Db): Promise<Building> {
  const tenant = randomUUID()
  const homeId = `home-${tenant}`
  const thingName = `hub-${tenant}`
  await db.query(sql`insert into companies (tenant, company_name, created_at) values (${tenant}, 'Test', 0)`)
  await db.query(sql`insert into homes (tenant, home_id, home_name, time_zone, created_at)
    values (${tenant}, ${homeId}, 'Home', 'Asia/Taipei', 0)`)
  await db.query(
    sql`insert into rooms (tenant, home_id, room_id, room_name) values (${tenant}, ${homeId}, 0, '')`,
  )
  const addHub = async (name: string) => {
    await db.query(sql`
      insert into things (tenant, thing_name, device_name, home_id, secret_hash, online, created_at)
      values (${tenant}, ${name}, 'Hub', ${homeId}, '\\x00', true, 0)`)
  }
  await addHub(thingName)
  return {
    tenant,
    homeId,
    thingName,
    hub: { party: 'hub', tenant, homeId, thingName },
    addHub,
    async report(uid, type, values) {
      await db.query(sql`
        insert into device_status (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
        values (${tenant}, ${uid}, ${homeId}, ${type}, 0, ${JSON.stringify(values)}::jsonb, 0)
        on conflict (tenant, peripheral_uid) do update set values = excluded.values`)
    },
    async addDevice(uid, type, hub = thingName) {
      await db.query(sql`
        insert into peripherals (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
        values (${tenant}, ${uid}, ${type}, ${uid}, ${homeId}, ${hub}, 0)`)
    },
  }
}

/** Message as the broker delivers it. */
export const encode = (payload: unknown): Uint8Array => Buffer.from(JSON.stringify(payload))
