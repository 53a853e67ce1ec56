import type { HomeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { formatDay } from '../../../contract/time/periods.ts'
import { resolvedShare } from '../../domain/energy/resolved-hours.ts'
import type { BillTerms } from '../../../contract/tariffs/bill.ts'
import { billingCycles, type BillingPeriod } from '../../domain/tariffs/billing-periods.ts'
import type { VersionOn } from './bill-parts.ts'
import type { ProfileDay } from './ports.ts'
import { type HomeTariffs, tariffPieceOn, versionIn } from './tariffs-of-home.ts'

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
