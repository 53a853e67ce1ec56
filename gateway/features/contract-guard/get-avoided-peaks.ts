import { may } from '../../../contract/kernel/permissions.ts'
import type { sheddings } from '../../../contract/automation/shedding-calls.ts'
import type { Handler } from '../../kernel/context.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import { type Db, sql } from '../../store/db.ts'
import type { GuardPorts } from './ports.ts'
import { avoidedPeakOf } from './avoided-peaks.ts'

/** How far back what was avoided is computed, ms: two billing periods of two months. */
const LOOKBACK_MS = 124 * 86_400_000

/** What the contract guards of a home have avoided: all of its energy of these days is read. */
export const getAvoidedPeaks =
  ({ avoided }: Pick<GuardPorts, 'avoided'>): Handler<typeof sheddings.getAvoidedPeaks> =>
  async ({ HomeID }, { db, actor, clock }) => {
    const { tenant } = actor
    await findHome(db, tenant, HomeID)
    const peaks = await avoided(tenant, HomeID, await sparedIn(db, tenant, HomeID, clock.now()))
    const mayReadCost = may(actor, 'electricity', 'Read')
    return { Avoided: mayReadCost ? peaks : peaks.map((peak) => ({ ...peak, Cost: null })) }
  }

/** What confirmed sheddings spared, kWh by the first ms of each quarter of an hour. */
async function sparedIn(db: Db, tenant: string, homeId: string, now: number): Promise<Map<number, number>> {
  const spans = await db.query<{ kw: number | null; from: number; to: number }>(sql`
    select kw, confirmed_at as "from", coalesce(given_back_at, ${now}::bigint) as "to" from sheddings
    where tenant = ${tenant} and home_id = ${homeId} and confirmed_at is not null and shed_at > ${now - LOOKBACK_MS}::bigint`)
  return avoidedPeakOf(spans)
}
