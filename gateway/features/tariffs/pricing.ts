import { billingCycles, billingPeriodOn } from '../../domain/tariffs/billing-periods.ts'
import { type CarbonFactorOfYear, carbonFactorOf } from '../../../contract/tariffs/carbon.ts'
import { dayOf } from '../../../contract/time/periods.ts'
import { missingFactorYear } from '../../../contract/tariffs/price-review.ts'
import { pricing } from '../../../contract/tariffs/tariff-terms.ts'
import type { Db } from '../../kernel/db.ts'
import { carbonFactorsOfCompany, carbonRuleOfCompany, tariffsOfHome } from './tariffs-of-home.ts'

/** Prices and emissions of a home's energy: version and bill of each day, off-peak days and carbon factors. */
export async function readPricing(db: Db, tenant: string, HomeID: string) {
  const { Pieces, OffPeakDays } = await tariffsOfHome(db, tenant, HomeID)
  const ownFactors = await carbonFactorsOfCompany(db, tenant)
  const rule = await carbonRuleOfCompany(db, tenant)
  const pieceOn = (day: number) =>
    Pieces.find(({ FromDay, ThroughDay }) => FromDay <= day && day <= ThroughDay)
  const cycles = billingCycles(Pieces.map(({ Terms }) => Terms))
  return {
    versionOn: (day: number) => pricing(pieceOn(day)?.Version, day),
    billOn: (day: number) => billingPeriodOn(day, cycles),
    offPeakDays: OffPeakDays,
    carbonFactor: (year: number) => carbonFactorOf(year, ownFactors, rule),
  }
}

/** Time zone of published grid factors. */
const GRID_ZONE = 'Asia/Taipei'

/** Latest year whose factor should be published by now and is neither built in nor entered; null if there is none. */
export const missingFactorOfCompany = async (db: Db, tenant: string, now: number): Promise<number | null> =>
  missingFactorYear(dayOf(now, GRID_ZONE), (await carbonFactorsOfCompany(db, tenant)).keys())

/** Carbon factor of a company's energy in a year. */
export const carbonFactorOfCompany = async (
  db: Db,
  tenant: string,
  year: number,
): Promise<CarbonFactorOfYear> =>
  carbonFactorOf(year, await carbonFactorsOfCompany(db, tenant), await carbonRuleOfCompany(db, tenant))
