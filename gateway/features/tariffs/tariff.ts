import { Tariff, type TariffKey, type tariff } from '../../../contract/tariffs/tariff.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Sql, sql } from '../../kernel/db.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'

const NAME_TAKEN = 'Another tariff already has that name'
/** Maximum number of tariffs per company. */
const MAX_TARIFFS = 100

export const tariffHandlers: HandlersOf<typeof tariff.operations> = {
  list: (_, { db, actor }) =>
    db.query<Tariff>(sql`select ${columnsOf(Tariff)} from tariffs
      where tenant = ${actor.tenant} order by lower(tariff_name)`),

  create: async (input, context) => {
    const { db, actor, random } = context
    const record: Tariff = { TariffID: random.uuid(), ...input, Version: 1 }
    const [count] = await db.query<{ tariffs: number }>(
      sql`select count(*) as tariffs from tariffs where tenant = ${actor.tenant}`,
    )
    if ((count?.tariffs ?? 0) >= MAX_TARIFFS)
      throw new GatewayError('LIMIT_EXCEEDED', `A company has at most ${MAX_TARIFFS} tariffs`)
    await conflictOnUniqueViolation(
      'TariffName',
      NAME_TAKEN,
      db.query(sql`insert into tariffs (tenant, tariff_id, tariff_name, versions)
        values (${actor.tenant}, ${record.TariffID}, ${record.TariffName}, ${JSON.stringify(record.Versions)}::jsonb)`),
    )
    context.change('tariff.add', { TariffID: record.TariffID })
    context.audit({ after: record })
    return record
  },

  update: async ({ TariffID, Version, ...changes }, context) => {
    const { db, actor } = context
    const before = await lockTariff({ TariffID }, context)
    assertVersion(Version, before)
    const after: Tariff = { ...before, ...changes, Version: before.Version + 1 }
    await conflictOnUniqueViolation(
      'TariffName',
      NAME_TAKEN,
      db.query(sql`update tariffs set tariff_name = ${after.TariffName},
        versions = ${JSON.stringify(after.Versions)}::jsonb, version = ${after.Version} where ${one(actor.tenant, TariffID)}`),
    )
    context.change('tariff.update', { TariffID })
    context.audit({ before, after })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    const before = await lockTariff(key, context)
    const users = await db.query(
      sql`select 1 from home_tariffs where tenant = ${actor.tenant} and plan_id = ${key.TariffID} limit 1`,
    )
    if (users.length) throw new GatewayError('CONFLICT', 'Homes still use this tariff')
    await db.query(sql`delete from tariffs where ${one(actor.tenant, key.TariffID)}`)
    context.change('tariff.remove', key)
    context.audit({ before })
    return key
  },
}

const one = (tenant: string, id: string): Sql => sql`tenant = ${tenant} and tariff_id = ${id}`

/** Reads a tariff and locks it until the transaction ends. Errors: NOT_FOUND. */
async function lockTariff({ TariffID }: TariffKey, { db, actor }: SignedIn): Promise<Tariff> {
  const [record] = await db.query<Tariff>(
    sql`select ${columnsOf(Tariff)} from tariffs where ${one(actor.tenant, TariffID)} for update`,
  )
  if (!record) throw new GatewayError('NOT_FOUND', `Tariff ${TariffID} does not exist`)
  return record
}
