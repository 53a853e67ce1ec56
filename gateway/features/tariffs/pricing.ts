import { billingCycles, billingPeriodOn } from '../../../contract/rules/tariff/billing-periods.ts'
import { type CarbonFactorOfYear, carbonFactorOf } from '../../../contract/rules/energy/carbon.ts'
import { pricing } from '../../../contract/rules/tariff/tariff.ts'
import type { Db } from '../../store/db.ts'
import { carbonFactorsOfCompany, carbonRuleOfCompany } from './tariff-rows.ts'
import { tariffsOfHome } from './tariffs-of-home.ts'

/** What the energy of a home costs and emits: the version and the bill of each day, off-peak days and carbon factors. */
export async function pricingOf(db: Db, tenant: string, HomeID: string) {
  const { Pieces, OffPeakDays } = await tariffsOfHome(db, tenant, HomeID)
  const own = await carbonFactorsOfCompany(db, tenant)
  const rule = await carbonRuleOfCompany(db, tenant)
  const pieceOn = (day: number) =>
    Pieces.find(({ FromDay, ThroughDay }) => FromDay <= day && day <= ThroughDay)
  const cycles = billingCycles(Pieces.map(({ Terms }) => Terms))
  return {
    versionOn: (day: number) => pricing(pieceOn(day)?.Version, day),
    billOn: (day: number) => billingPeriodOn(day, cycles),
    offPeakDays: OffPeakDays,
    carbonFactor: (year: number) => carbonFactorOf(year, own, rule),
  }
}

/** The factor by which a year's energy of a company counts. */
export const carbonFactorOfCompany = async (
  db: Db,
  tenant: string,
  year: number,
): Promise<CarbonFactorOfYear> =>
  carbonFactorOf(year, await carbonFactorsOfCompany(db, tenant), await carbonRuleOfCompany(db, tenant))
