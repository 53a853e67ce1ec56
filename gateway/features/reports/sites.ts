import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** A home in a report. */
export interface ReportedSite {
  HomeID: string
  HomeName: string
  /** IANA. */
  TimeZone: string
}

/** Reads a home of a company, or with null all homes in order of name. Errors: NOT_FOUND. */
export async function sitesOf(db: Db, tenant: string, HomeID: string | null): Promise<ReportedSite[]> {
  const sites = await db.query<ReportedSite>(sql`
    select home_id as "HomeID", home_name as "HomeName", time_zone as "TimeZone" from homes
    where tenant = ${tenant} and (${HomeID}::text is null or home_id = ${HomeID}::text) order by lower(home_name), home_id`)
  if (HomeID !== null && sites.length === 0)
    throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  return sites
}

export async function companyName(db: Db, tenant: string): Promise<string> {
  const [company] = await db.query<{ name: string }>(
    sql`select company_name as name from companies where tenant = ${tenant}`,
  )
  return company?.name ?? ''
}

/** Names of the keys of a ranking: rooms, including deleted ones, and devices. */
export async function namesOf(
  db: Db,
  tenant: string,
  HomeID: string,
): Promise<Record<'rooms' | 'machines', ReadonlyMap<string, string>>> {
  const rows = await db.query<{ of: 'rooms' | 'machines'; key: string; name: string }>(sql`
    select 'rooms' as of, room_id::text as key, room_name as name from ended_rooms
    where tenant = ${tenant} and home_id = ${HomeID}
    union all select 'rooms', room_id::text, room_name from rooms where tenant = ${tenant} and home_id = ${HomeID}
    union all select 'machines', peripheral_uid, coalesce(index_name, peripheral_name) from peripherals
    where tenant = ${tenant} and home_id = ${HomeID}`)
  const named = (of: string) =>
    new Map(rows.filter((row) => row.of === of).map(({ key, name }) => [key, name]))
  return { rooms: named('rooms'), machines: named('machines') }
}
