import { monthOfDay } from '../../../../contract/time/periods.ts'
import type { Db } from '../../../kernel/db.ts'
import type { QueryPlan, SeriesQuery } from './plan.ts'
import { sumEpochs, sumHome, sumHomeMonths, sumMonths } from './sum-lines.ts'
import { type EnergySums, foldSums, type SumCache } from './sums.ts'

/** Energy of each group. */
export interface GroupSums {
  /** By slot; empty if the periods suffice. */
  bySlot: EnergySums[]
  /** By period, from stored months; undefined if the slots suffice. */
  byPeriod: EnergySums[] | undefined
  /** Purchased kWh by slot; only for a home with a balance. */
  purchased?: Float64Array[]
}

/** Reads the energy of each group: stored days and months of the home as a whole, those of the meters otherwise. */
export async function readSums(
  tx: Db,
  cache: SumCache,
  { groups, key }: Pick<SeriesQuery, 'groups' | 'key'>,
  plan: QueryPlan,
): Promise<GroupSums> {
  const { clock, months, isPricedBySlot, isExact } = plan
  const slots = plan.slots.length
  const isHome = groups.part !== undefined
  const scope = { key, home: groups }
  // Days of a stored month are read only to apply different prices.
  const days = isPricedBySlot
    ? plan.days
    : plan.days.filter(({ day }) => !plan.isWholeMonth[months.indexOf(monthOfDay(day))])
  const bySlot =
    !isPricedBySlot && days.length === 0
      ? []
      : isHome
        ? [await sumHome(tx, cache, scope, days, slots, clock)]
        : await sumEpochs(tx, cache, groups, days, { slots, exact: isExact, clock })
  const byPeriod = !plan.readsMonths
    ? undefined
    : isHome
      ? [await sumHomeMonths(tx, scope, months, clock)]
      : await sumMonths(tx, groups, months, clock)
  return { bySlot, byPeriod }
}

/** Completes the sums of stored months by those of periods without one. */
export function mergePeriods({ bySlot, byPeriod }: GroupSums, plan: QueryPlan): EnergySums[] | undefined {
  return byPeriod?.map((sums, line) => {
    const parts = bySlot[line]
    if (!parts) return sums
    const merged = foldSums(parts, plan.slots, plan.months.length)
    for (const name of Object.keys(merged) as (keyof EnergySums)[])
      for (const [period, isStored] of plan.isWholeMonth.entries())
        if (isStored) merged[name][period] = sums[name][period] as number
    return merged
  })
}
