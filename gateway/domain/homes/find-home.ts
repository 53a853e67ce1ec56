import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../store/db.ts'

/**
 * Makes sure a home is the company's own.
 *
 * errors  NOT_FOUND, the same for a home that never was and for another company's
 */
export async function findHome(db: Db, tenant: string, homeId: string): Promise<void> {
  const found = await db.query(sql`select 1 from homes where tenant = ${tenant} and home_id = ${homeId}`)
  if (found.length === 0) throw new GatewayError('NOT_FOUND', `Home ${homeId} does not exist`)
}

/**
 * Makes sure a home is the company's own, and keeps it until the transaction ends. Whoever changes something in a home
 * begins here and goes on in this order: home, room, hub, device, discovered device. Else two could wait for each other.
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
 * As `holdHome`, and nobody else who does so adds to the home until the transaction ends: what may be there only so often can be
 * counted. Reports and changes of what is there go on meanwhile.
 *
 * errors  NOT_FOUND
 */
export async function lockHomeExclusively(db: Db, tenant: string, homeId: string): Promise<void> {
  const found = await db.query(
    sql`select 1 from homes where tenant = ${tenant} and home_id = ${homeId} for no key update`,
  )
  if (found.length === 0) throw new GatewayError('NOT_FOUND', `Home ${homeId} does not exist`)
}

/** Makes sure a room of a home exists, and keeps both until the transaction ends. Errors: NOT_FOUND. */
export async function lockRoom(db: Db, tenant: string, homeId: string, roomId: number): Promise<void> {
  await lockHome(db, tenant, homeId)
  const found = await db.query(
    sql`select 1 from rooms where tenant = ${tenant} and home_id = ${homeId} and room_id = ${roomId} for share`,
  )
  if (found.length === 0)
    throw new GatewayError('NOT_FOUND', `Room ${roomId} of home ${homeId} does not exist`)
}
