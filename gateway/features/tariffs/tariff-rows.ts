import { HomeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import type { CarbonRule } from '../../../contract/tariffs/carbon.ts'
import { columnsOf } from '../../store/columns.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** Tariffs of a home, oldest first. */
export const readHomeTariffs = (db: Db, tenant: string, homeId: string): Promise<HomeTariff[]> =>
  db.query<HomeTariff>(sql`select ${columnsOf(HomeTariff)} from home_tariffs
    where tenant = ${tenant} and home_id = ${homeId} order by valid_from`)

/** Carbon factors that a company entered, by year, kg CO2e per kWh, for `carbonFactorOf`. */
export async function carbonFactorsOfCompany(db: Db, tenant: string): Promise<Map<number, number>> {
  const rows = await db.query<{ year: number; factor: number }>(
    sql`select year, factor from carbon_factors where tenant = ${tenant} order by year`,
  )
  return new Map(rows.map(({ year, factor }) => [year, factor]))
}

/** Rule for a company's carbon factors, for `carbonFactorOf`. */
export async function carbonRuleOfCompany(db: Db, tenant: string): Promise<CarbonRule> {
  const [row] = await db.query<{ rule: CarbonRule }>(
    sql`select carbon_rule as rule from companies where tenant = ${tenant}`,
  )
  return row?.rule ?? 'constant'
}
