import { startOfDay } from '../../../../contract/time/periods.ts'
import { SIGNS, TERMS } from '../../../../contract/devices/meter-roles.ts'
import type { Db } from '../../../kernel/db.ts'
import type { DayPlan } from '../query/day-plans.ts'
import { epochOf, type HomeKey, knownBefore, sumBefore } from '../rollup/home-days.ts'
import { readFlowDays } from '../rollup/balance-months.ts'
import type { HomeFlows } from '../meters/home-flows.ts'

/** Difference, per slot, between the lines of a home and its assumed purchase where no meter measures that. */
export interface UnmeteredPurchase {
  /** kWh of a surplus that no meter measured: energy that came in beyond the consumption. */
  unseen: Float64Array
  /** Number of intervals with a known purchase, and number of intervals that should be known. */
  known: Float64Array
  due: Float64Array
  /** kWh of the intervals whose purchase is only partly known. */
  lacking: Float64Array
}

/**
 * Computes the purchase of days without an import meter: the need of the loads beyond generation and battery, never below 0, known only if
 * all its meters are. The days must have been rolled up before (`rollUpHome`).
 *
 * returns  undefined if a meter measures the import on all of the days
 */
export async function unmeteredPurchase(
  db: Db,
  key: HomeKey,
  { balance, of }: HomeFlows,
  zone: string,
  days: readonly Pick<DayPlan, 'day' | 'windows'>[],
  slots: number,
): Promise<UnmeteredPurchase | undefined> {
  // On a day on which meters change their place, the purchase is the sum of its meters.
  const guessed = days.filter(({ day }) => {
    const epoch = epochOf(of.import.epochs, startOfDay(day, zone), startOfDay(day + 1, zone))
    return epoch && balance[of.import.epochs.indexOf(epoch)]?.terms.import.length === 0
  })
  const [first, last] = [guessed[0], guessed.at(-1)]
  if (!first || !last) return undefined
  const kept = await readFlowDays(db, key, first.day, last.day + 1)
  const rest: UnmeteredPurchase = {
    unseen: new Float64Array(slots),
    known: new Float64Array(slots),
    due: new Float64Array(slots),
    lacking: new Float64Array(slots),
  }
  for (const { day, windows } of guessed) {
    const [bought, used] = [kept.import.get(day), kept.consumption.get(day)]
    const at = (one: typeof bought, i: number) =>
      one ? sumBefore(one.kWh, i + 1) - sumBefore(one.kWh, i) : 0
    for (const { slot, from, to } of windows)
      for (let i = from; i < to; i++) {
        let needed = at(used, i)
        for (const term of TERMS) if (term !== 'import') needed -= SIGNS[term] * at(kept[term].get(day), i)
        const isKnown = bought !== undefined && knownBefore(bought, i + 1) > knownBefore(bought, i)
        const sums = isKnown ? rest.unseen : rest.lacking
        ;(sums[slot] as number) += at(bought, i) - needed
        ;(rest.due[slot] as number) += 1
        if (isKnown) (rest.known[slot] as number) += 1
      }
  }
  return rest
}
