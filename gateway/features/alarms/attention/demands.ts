import { HOME_MEASURES, HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { FIRST_DECISION_MS } from '../../../../contract/automation/load-shedding.ts'
import { meterSilentAfter } from '../../../../contract/alarms/alarm-kinds.ts'
import type { DemandFact } from '../../../../contract/attention/attention-item.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import { type Db, sql } from '../../../kernel/db.ts'

/** Data that other features provide about energy and tariffs. */
export interface DemandPorts {
  /** Forecast demand of the current quarter of an hour, kW; time of its data, and the longest report interval of its meters, s. */
  demandOf(
    tenant: string,
    homeId: string,
    at: number,
  ): Promise<{ forecast: number | null; asOf: number | null; slowest: number | null }>
  /** The homes with a contract. */
  homesWithContract(db: Db, tenant: string): Promise<HomeClock[]>
  /** Contract capacity of a home at a time, kW. */
  capacityOf(db: Db, tenant: string, home: HomeClock, at: number): Promise<number | null>
}

/** Number of homes queried concurrently. */
const MAX_CONCURRENT = 4

/**
 * Forecast demand of the homes with a contract in the current quarter of an hour; none while it is too early for a
 * forecast.
 *
 * canSeeRules  whether the person may see alarms of rules: only then those replace the forecast
 */
export async function readDemands(
  db: Db,
  { demandOf, homesWithContract, capacityOf }: DemandPorts,
  {
    tenant,
    HomeID,
    seesRules: canSeeRules,
  }: { tenant: string; HomeID: string | undefined; seesRules: boolean },
  now: number,
): Promise<DemandFact[]> {
  if (now % QUARTER_MS < FIRST_DECISION_MS) return []
  const homes = (await homesWithContract(db, tenant)).filter(
    (home) => HomeID === undefined || home.HomeID === HomeID,
  )
  const homesWithRules =
    canSeeRules && homes.length > 0 ? await readHomesWithRules(db, tenant) : new Set<string>()
  const facts: DemandFact[] = []
  for (let i = 0; i < homes.length; i += MAX_CONCURRENT)
    facts.push(
      ...(await Promise.all(
        homes
          .slice(i, i + MAX_CONCURRENT)
          .map((home) =>
            homesWithRules.has(home.HomeID)
              ? { HomeID: home.HomeID, Forecast: null, Limit: null, IsRuled: true }
              : readDemandOfHome(home),
          ),
      )),
    )
  return facts

  async function readDemandOfHome(home: HomeClock): Promise<DemandFact> {
    const Limit = await capacityOf(db, tenant, home, now)
    const Forecast = Limit === null ? null : freshForecast(await demandOf(tenant, home.HomeID, now), now)
    return { HomeID: home.HomeID, Forecast, Limit, IsRuled: false }
  }
}

/** The forecast, unless one of its meters is silent. */
function freshForecast(
  { forecast, asOf, slowest }: Awaited<ReturnType<DemandPorts['demandOf']>>,
  now: number,
): number | null {
  if (asOf === null || slowest === null) return null
  return now - asOf < meterSilentAfter({ PowerMeterUpdateFrequency: slowest }) ? forecast : null
}

/** The homes with an enabled alarm rule on their demand. */
async function readHomesWithRules(db: Db, tenant: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ HomeID: string }>(sql`
    select distinct home_id as "HomeID" from automations u
    where tenant = ${tenant} and automation_type = 4 and enabled and problem is null and exists (
      select from jsonb_array_elements(u.rule #> '{Conditions,PeripheralUIDs}') as c
      where c ->> 'PeripheralUID' = ${HOME_SUBJECT} and c ->> 'Field' = any(${[...HOME_MEASURES]}::text[]))`)
  return new Set(rows.map(({ HomeID }) => HomeID))
}
