import {
  Scanner,
  type ScannerKey,
  type ScannerWithState,
  type scanner,
} from '../../../contract/access-control/scanner.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Sql, sql } from '../../kernel/db.ts'
import { lockHome } from '../../domain/homes/find-home.ts'
import { createHubSecret } from '../../domain/devices/hub-secret.ts'
import { assertVersion } from '../../lib/assert-version.ts'

const MAX_SCANNERS = 500

export const scannerHandlers: HandlersOf<typeof scanner.operations> = {
  list: (_, { db, actor }) =>
    db.query<ScannerWithState>(sql`select ${columnsOf(Scanner, 's')}, s.online as "Online", s.seen_at as "SeenAt",
        (select count(*) from scanner_employees a where a.tenant = s.tenant and a.thing_name = s.thing_name) as "Assigned"
      from scanners s where s.tenant = ${actor.tenant} order by lower(scanner_name), thing_name`),

  create: async (input, context) => {
    const { db, actor, clock, random } = context
    await lockHome(db, actor.tenant, input.HomeID)
    const [count] = await db.query<{ scanners: number }>(
      sql`select count(*) as scanners from scanners where tenant = ${actor.tenant}`,
    )
    if ((count?.scanners ?? 0) >= MAX_SCANNERS)
      throw new GatewayError('LIMIT_EXCEEDED', `A company has at most ${MAX_SCANNERS} scanners`)
    const record: Scanner = {
      Direction: 'both',
      AllEmployees: true,
      AllowVisitors: true,
      ...input,
      ThingName: `scanner-${random.uuid()}`,
      Version: 1,
    }
    const { secret, hash } = createHubSecret(random)
    await db.query(sql`insert into scanners (tenant, thing_name, scanner_name, home_id, direction, all_employees,
        allow_visitors, secret_hash, created_at)
      values (${actor.tenant}, ${record.ThingName}, ${record.ScannerName}, ${record.HomeID}, ${record.Direction},
        ${record.AllEmployees}, ${record.AllowVisitors}, ${hash}, ${clock.now()})`)
    context.change('scanner.add', { ThingName: record.ThingName })
    context.audit({ after: record })
    return { ...record, Secret: secret }
  },

  update: async ({ ThingName, Version, ...changes }, context) => {
    const { db, actor } = context
    const before = await lockScanner({ ThingName }, context)
    assertVersion(Version, before)
    const after: Scanner = { ...before, ...changes, Version: before.Version + 1 }
    await db.query(sql`update scanners set scanner_name = ${after.ScannerName}, direction = ${after.Direction},
        all_employees = ${after.AllEmployees}, allow_visitors = ${after.AllowVisitors}, version = ${after.Version}
      where ${isScanner(actor.tenant, ThingName)}`)
    context.change('scanner.update', { ThingName })
    context.audit({ before, after })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    const before = await lockScanner(key, context)
    await db.query(sql`delete from scanners where ${isScanner(actor.tenant, key.ThingName)}`)
    context.change('scanner.remove', key)
    context.emit('hubRevoked', { tenant: actor.tenant, thingName: key.ThingName })
    context.audit({ before })
    return key
  },
}

const isScanner = (tenant: string, name: string): Sql => sql`tenant = ${tenant} and thing_name = ${name}`

/** Reads a scanner and locks the row until the transaction ends. Errors: NOT_FOUND. */
export async function lockScanner({ ThingName }: ScannerKey, { db, actor }: SignedIn): Promise<Scanner> {
  const [record] = await db.query<Scanner>(
    sql`select ${columnsOf(Scanner)} from scanners where ${isScanner(actor.tenant, ThingName)} for update`,
  )
  if (!record) throw new GatewayError('NOT_FOUND', `Scanner ${ThingName} does not exist`)
  return record
}
