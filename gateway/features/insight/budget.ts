import { isDeepStrictEqual } from 'node:util'
import type { Budget, insight } from '../../../contract/energy/insight-calls.ts'
import type { Handler } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** Energy budget of a home; null if none was entered. */
export async function budgetOf(db: Db, tenant: string, HomeID: string): Promise<Budget | null> {
  const [row] = await db.query<Budget>(sql`
    select unit as "Unit", period as "Period", amount as "Amount" from home_budgets
    where tenant = ${tenant} and home_id = ${HomeID}`)
  return row ?? null
}

export const budgetHandler: Handler<(typeof insight)['updateBudget']> = async (
  { HomeID, Budget: budget, Seen },
  context,
) => {
  const { db, actor } = context
  // Locks the home row, so that concurrent updates run one after the other.
  const home = await db.query(sql`select 1 from homes
    where tenant = ${actor.tenant} and home_id = ${HomeID} for no key update`)
  if (!home.length) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  const before = await budgetOf(db, actor.tenant, HomeID)
  if (Seen !== undefined && !isDeepStrictEqual(Seen, before))
    throw new GatewayError('CONFLICT', 'Somebody else has changed this budget', { Seen: 'changed' })
  if (budget === null)
    await db.query(sql`delete from home_budgets where tenant = ${actor.tenant} and home_id = ${HomeID}`)
  else
    await db.query(sql`insert into home_budgets (tenant, home_id, unit, period, amount)
      values (${actor.tenant}, ${HomeID}, ${budget.Unit}, ${budget.Period}, ${budget.Amount})
      on conflict (tenant, home_id) do update
        set unit = excluded.unit, period = excluded.period, amount = excluded.amount`)
  context.change('pricing.update', { HomeID })
  context.audit({ before: { Budget: before }, after: { Budget: budget } })
  return { HomeID, Budget: budget }
}
