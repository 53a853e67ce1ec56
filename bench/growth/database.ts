import { type Db, sql } from '../../gateway/kernel/db.ts'
import { openDb } from '../../gateway/store/db.ts'
import { startEmbedded } from '../../gateway/store/embedded.ts'
import { migrate } from '../../gateway/store/migrate.ts'
import { atEnd } from '../support/clean-up.ts'
import { temporaryDirectory } from '../support/gateway.ts'

export const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

/** The only company of a measurement. */
export const TENANT = '00000000-0000-4000-8000-000000000001'
export const HOME = 'home-00000001'
export const DAY = 86_400_000

/** An embedded database with the current schema, a company, a home and devices named device-1, … */
export async function openSchema(devices: number): Promise<Db> {
  const server = await startEmbedded({ dataDir: await temporaryDirectory(), log: SILENT })
  atEnd(() => server.stop())
  const db = openDb({ socketDir: server.socketDir, max: 2, statementTimeoutMs: 0, log: SILENT })
  atEnd(() => db.close())
  await migrate(db, new URL('../../gateway/store/migrations', import.meta.url).pathname)
  await db.query(sql`insert into companies (tenant, company_name, created_at) values (${TENANT}, 'Bench', 0)`)
  await db.query(sql`insert into homes (tenant, home_id, home_name, time_zone, created_at)
    values (${TENANT}, ${HOME}, 'Home', 'Asia/Taipei', 0)`)
  await db.query(
    sql`insert into rooms (tenant, home_id, room_id, room_name) values (${TENANT}, ${HOME}, 0, '')`,
  )
  await db.query(sql`insert into things (tenant, thing_name, device_name, home_id, secret_hash, online, created_at)
    values (${TENANT}, 'hub-00000001', 'Hub', ${HOME}, '\\x00', true, 0)`)
  await db.query(sql`insert into peripherals (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
    select ${TENANT}::uuid, 'device-' || n, '516', 'Light ' || n, ${HOME}, 'hub-00000001', 0 from generate_series(1, ${devices}::int) n`)
  return db
}
