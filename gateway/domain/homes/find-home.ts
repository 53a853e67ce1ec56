import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../kernel/db.ts'

/**
 * Asserts that a home belongs to the company.
 *
 * errors  NOT_FOUND, the same for a nonexistent home and for another company's
 */
export async function findHome(db: Db, tenant: string, homeId: string): Promise<void> {
  const found = await db.query(sql`select 1 from homes where tenant = ${tenant} and home_id = ${homeId}`)
  if (found.length === 0) throw new GatewayError('NOT_FOUND', `Home ${homeId} does not exist`)
}

/**
 * Asserts that a home belongs to the company, and prevents its deletion until the transaction ends. Changes within a home begin here and
 * lock in this order, which avoids deadlocks: home, room, hub, device, discovered device.
 *
 * errors  NOT_FOUND
 */
export async function lockHome(db: Db, tenant: string, homeId: string): Promise<void> {
  const found = await db.query(
    sql`select 1 from homes where tenant = ${tenant} and home_id = ${homeId} for key share`,
  )
  if (found.length === 0) throw new GatewayError('NOT_FOUND', `Home ${homeId} does not exist`)
}

/**
 * Locks the home like `lockHome`, and excludes other holders of this lock until the transaction ends: used to enforce maximum counts.
 * Reports and changes of existing records continue meanwhile.
 *
 * errors  NOT_FOUND
 */
export async function lockHomeExclusively(db: Db, tenant: string, homeId: string): Promise<void> {
  const found = await db.query(
    sql`select 1 from homes where tenant = ${tenant} and home_id = ${homeId} for no key update`,
  )
  if (found.length === 0) throw new GatewayError('NOT_FOUND', `Home ${homeId} does not exist`)
}

/** Asserts that a room of a home exists, and locks both until the transaction ends. Errors: NOT_FOUND. */
export async function lockRoom(db: Db, tenant: string, homeId: string, roomId: number): Promise<void> {
  await lockHome(db, tenant, homeId)
  const found = await db.query(
    sql`select 1 from rooms where tenant = ${tenant} and home_id = ${homeId} and room_id = ${roomId} for share`,
  )
  if (found.length === 0)
    throw new GatewayError('NOT_FOUND', `Room ${roomId} of home ${homeId} does not exist`)
}

/** A home with its time zone. */
export interface HomeClock {
  HomeID: string
  /** IANA. */
  zone: string
}
