import { HomeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { type OffPeakOverride, offPeakSet } from '../../../contract/tariffs/peak-days.ts'
import { parseDay, formatDay, dayOf } from '../../../contract/time/periods.ts'
import { taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import { hasPeakDays, pricing, type TariffVersion } from '../../../contract/tariffs/tariff-terms.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { resolvedShare } from '../../domain/energy/resolved-hours.ts'
import type { BillTerms } from '../../../contract/tariffs/bill.ts'
import { billingCycles, type BillingPeriod, billingPeriodOn } from '../../domain/tariffs/billing-periods.ts'
import { type CarbonRule, type CarbonFactorOfYear, carbonFactorOf } from '../../../contract/tariffs/carbon.ts'
import { columnsOf } from '../../store/sql.ts'
import { missingFactorYear } from '../../../contract/tariffs/price-review.ts'
import { peakDaysOfCompany } from './peak-days.ts'
import type { VersionOn } from './bill-parts.ts'
import type { ProfileDay } from './ports.ts'

/** Tariffs of a home, oldest first. */
export const readHomeTariffs = (db: Db, tenant: string, homeId: string): Promise<HomeTariff[]> =>
  db.query<HomeTariff>(sql`select ${columnsOf(HomeTariff)} from home_tariffs
    where tenant = ${tenant} and home_id = ${homeId} order by valid_from`)

/** Carbon factors that a company entered, by year, kg CO2e per kWh, for `carbonFactorOf`. */
export async function readCarbonFactors(db: Db, tenant: string): Promise<Map<number, number>> {
  const rows = await db.query<{ year: number; factor: number }>(
    sql`select year, factor from carbon_factors where tenant = ${tenant} order by year`,
  )
  return new Map(rows.map(({ year, factor }) => [year, factor]))
}

/** Rule for a company's carbon factors, for `carbonFactorOf`. */
export async function readCarbonRule(db: Db, tenant: string): Promise<CarbonRule> {
  const [row] = await db.query<{ rule: CarbonRule }>(
    sql`select carbon_rule as rule from companies where tenant = ${tenant}`,
  )
  return row?.rule ?? 'constant'
}

/** One version of a home's tariff and its days; day numbers as from `dayOf`, both inclusive. */
interface TariffPiece {
  FromDay: number
  /** Infinity if open-ended. */
  ThroughDay: number
  Version: TariffVersion
  Terms: HomeTariff
}

/** Tariffs of a home: pieces in order without overlap; days outside of them have no tariff. */
export interface HomeTariffs {
  Pieces: TariffPiece[]
  OffPeakDays: ReadonlySet<number>
}

/** Version by which a day is priced; undefined without a tariff, and if it is unknown whether the day is a peak day. */
export const versionIn = (tariffs: HomeTariffs, day: number): TariffVersion | undefined =>
  pricing(tariffPieceOn(tariffs, day)?.Version, day)

/** Tariff piece on a day; undefined without a tariff. */
export const tariffPieceOn = ({ Pieces }: HomeTariffs, day: number): TariffPiece | undefined =>
  Pieces.find(({ FromDay, ThroughDay }) => FromDay <= day && day <= ThroughDay)

/** Tariffs of a home with their versions, and the company's off-peak days; empty for a home without any. */
export async function tariffsOfHome(db: Db, tenant: string, homeId: string): Promise<HomeTariffs> {
  const terms = await readHomeTariffs(db, tenant, homeId)
  const ownVersions = await readVersions(
    db,
    tenant,
    terms.map(({ PlanID }) => PlanID),
  )
  return {
    Pieces: terms.flatMap((one) => piecesOf(one, ownVersions.get(one.PlanID) ?? [])),
    OffPeakDays: await readOffPeakDays(db, tenant),
  }
}

/** Versions of built-in plans and of the company's tariffs, by id; unknown ids are absent. */
export async function readVersions(
  db: Db,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, readonly TariffVersion[]>> {
  const versionsByPlan = new Map<string, readonly TariffVersion[]>()
  const ownPlanIds: string[] = []
  for (const id of new Set(ids)) {
    const plan = taipowerPlan(id)
    if (plan) versionsByPlan.set(id, plan.Versions)
    else ownPlanIds.push(id)
  }
  if (ownPlanIds.length === 0) return withPeakDays(db, tenant, versionsByPlan)
  const rows = await db.query<{ id: string; versions: TariffVersion[] }>(sql`
    select tariff_id as id, versions from tariffs where tenant = ${tenant} and tariff_id = any(${ownPlanIds}::text[])`)
  for (const { id, versions } of rows) versionsByPlan.set(id, versions)
  return withPeakDays(db, tenant, versionsByPlan)
}

/** Adds the company's announced peak days to versions that have prices for them. */
async function withPeakDays(
  db: Db,
  tenant: string,
  versions: Map<string, readonly TariffVersion[]>,
): Promise<Map<string, readonly TariffVersion[]>> {
  if (![...versions.values()].some((versionsOfPlan) => versionsOfPlan.some(hasPeakDays))) return versions
  const PeakDays = await peakDaysOfCompany(db, tenant)
  return new Map(
    [...versions].map(([id, planVersions]) => [
      id,
      planVersions.some(hasPeakDays)
        ? planVersions.map((one) => (hasPeakDays(one) ? { ...one, PeakDays } : one))
        : planVersions,
    ]),
  )
}

/** Pieces of days on which both the home's terms and a version apply. */
const piecesOf = (terms: HomeTariff, versions: readonly TariffVersion[]): TariffPiece[] =>
  versions
    .map((Version) => ({
      FromDay: Math.max(parseDay(terms.ValidFrom), parseDay(Version.ValidFrom)),
      ThroughDay: Math.min(lastOf(terms.ValidThrough), lastOf(Version.ValidThrough)),
      Version,
      Terms: terms,
    }))
    .filter(({ FromDay, ThroughDay }) => FromDay <= ThroughDay)
    .toSorted((a, b) => a.FromDay - b.FromDay)
const lastOf = (date: string | null): number => (date === null ? Infinity : parseDay(date))

/** Days that are entirely off-peak for a company, in addition to Sundays. */
async function readOffPeakDays(db: Db, tenant: string): Promise<Set<number>> {
  const rows = await db.query<{ date: string; isOffPeak: boolean }>(
    sql`select date, is_off_peak as "isOffPeak" from off_peak_days where tenant = ${tenant}`,
  )
  return offPeakSet(
    rows.map(({ date, isOffPeak }): OffPeakOverride => ({ Day: parseDay(date), IsOffPeak: isOffPeak })),
  )
}

/** Terms of a home that has never had a tariff: bills by calendar month, no contract. */
export const NO_TERMS: HomeTariff = {
  ValidFrom: '2000-01-01',
  ValidThrough: null,
  PlanID: 'none',
  Capacities: {},
  Phases: 'three',
  PowerFactor: null,
  BillingDay: 1,
  BillingMonths: 1,
  FirstMonth: 1,
  FeedIn: null,
}

/** Terms on a day, or the last ones before it. */
export const termsOn = (tariffs: HomeTariffs, day: number): HomeTariff & BillTerms =>
  (tariffPieceOn(tariffs, day) ?? tariffs.Pieces.findLast(({ FromDay }) => FromDay <= day))?.Terms ?? NO_TERMS

export const cyclesOf = ({ Pieces }: HomeTariffs) => billingCycles(Pieces.map(({ Terms }) => Terms))

export const versionsIn =
  (tariffs: HomeTariffs): VersionOn =>
  (day) =>
    versionIn(tariffs, day)

/**
 * Dates of a period and its energy. If prices depend on the hour, only energy of resolved hours counts as known.
 *
 * on  version of the home's tariffs by day
 */
export function billed(
  { FromDay, EndDay }: Pick<BillingPeriod, 'FromDay' | 'EndDay'>,
  profile: ReadonlyMap<number, ProfileDay>,
  on: VersionOn,
) {
  let [kWh, known, energyKnown, total] = [0, 0, 0, 0]
  for (let day = FromDay; day < EndDay; day++) {
    const load = profile.get(day)
    if (!load) continue
    kWh += load.kWh.reduce((sum, one) => sum + one, 0)
    energyKnown += load.known
    known += on(day)?.Kind === 'timeOfUse' ? resolvedShare([load]) * load.total : load.known
    total += load.total
  }
  return {
    From: formatDay(FromDay),
    Through: formatDay(EndDay - 1),
    kWh,
    Known: total ? Math.min(known, energyKnown) / total : 0,
    ...(known < energyKnown && { EnergyKnown: energyKnown / total }),
  }
}

/** Prices and emissions of a home's energy: version and bill of each day, off-peak days and carbon factors. */
export async function readPricing(db: Db, tenant: string, HomeID: string) {
  const { Pieces, OffPeakDays } = await tariffsOfHome(db, tenant, HomeID)
  const ownFactors = await readCarbonFactors(db, tenant)
  const rule = await readCarbonRule(db, tenant)
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
export const readMissingFactor = async (db: Db, tenant: string, now: number): Promise<number | null> =>
  missingFactorYear(dayOf(now, GRID_ZONE), (await readCarbonFactors(db, tenant)).keys())

/** Carbon factor of a company's energy in a year. */
export const readCarbonFactor = async (db: Db, tenant: string, year: number): Promise<CarbonFactorOfYear> =>
  carbonFactorOf(year, await readCarbonFactors(db, tenant), await readCarbonRule(db, tenant))
