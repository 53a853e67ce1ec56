import { HOME_MEASURES, HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { FIRST_DECISION_MS } from '../../../../contract/automation/load-shedding.ts'
import { meterSilentAfter } from '../../../../contract/alarms/alarm-kinds.ts'
import type { DemandFact } from '../../../../contract/attention/attention-item.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { type Db, sql } from '../../../store/db.ts'

/** A home with its clock. */
interface HomeClock {
  HomeID: string
  /** IANA. */
  zone: string
}

/** What is asked of energy and tariffs. */
export interface DemandPorts {
  /** kW that the running quarter of an hour will come to; how old that is, and the most seconds between two reports of its meters. */
  demandOf(
    tenant: string,
    homeId: string,
    at: number,
  ): Promise<{ forecast: number | null; asOf: number | null; slowest: number | null }>
  /** The homes with a contract. */
  homesWithContract(db: Db, tenant: string): Promise<HomeClock[]>
  /** What a home's contract allows at a moment, kW. */
  capacityOf(db: Db, tenant: string, home: HomeClock, at: number): Promise<number | null>
}

/** Homes that are asked at a time. */
const AT_ONCE = 4

/**
 * The demand of the homes that have a contract, in the running quarter of an hour; none while it is too early in that to say.
 *
 * seesRules  whether the person sees the alarms of rules: only then these stand for it
 */
export async function demandsOf(
  db: Db,
  { demandOf, homesWithContract, capacityOf }: DemandPorts,
  { tenant, HomeID, seesRules }: { tenant: string; HomeID: string | undefined; seesRules: boolean },
  now: number,
): Promise<DemandFact[]> {
  if (now % QUARTER_MS < FIRST_DECISION_MS) return []
  const homes = (await homesWithContract(db, tenant)).filter(
    (home) => HomeID === undefined || home.HomeID === HomeID,
  )
  const ruled = seesRules && homes.length > 0 ? await ruledHomes(db, tenant) : new Set<string>()
  const facts: DemandFact[] = []
  for (let i = 0; i < homes.length; i += AT_ONCE)
    facts.push(
      ...(await Promise.all(
        homes
          .slice(i, i + AT_ONCE)
          .map((home) =>
            ruled.has(home.HomeID)
              ? { HomeID: home.HomeID, Forecast: null, Limit: null, IsRuled: true }
              : demandOfHome(home),
          ),
      )),
    )
  return facts

  async function demandOfHome(home: HomeClock): Promise<DemandFact> {
    const Limit = await capacityOf(db, tenant, home, now)
    const Forecast = Limit === null ? null : heard(await demandOf(tenant, home.HomeID, now), now)
    return { HomeID: home.HomeID, Forecast, Limit, IsRuled: false }
  }
}

/** A forecast counts while none of the meters that make it is silent. */
function heard(
  { forecast, asOf, slowest }: Awaited<ReturnType<DemandPorts['demandOf']>>,
  now: number,
): number | null {
  if (asOf === null || slowest === null) return null
  return now - asOf < meterSilentAfter({ PowerMeterUpdateFrequency: slowest }) ? forecast : null
}

/** The homes in which an alarm rule on their demand is at work. */
async function ruledHomes(db: Db, tenant: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ HomeID: string }>(sql`
    select distinct home_id as "HomeID" from automations u
    where tenant = ${tenant} and automation_type = 4 and enabled and problem is null and exists (
      select from jsonb_array_elements(u.rule #> '{Conditions,PeripheralUIDs}') as c
      where c ->> 'PeripheralUID' = ${HOME_SUBJECT} and c ->> 'Field' = any(${[...HOME_MEASURES]}::text[]))`)
  return new Set(rows.map(({ HomeID }) => HomeID))
}
