import { monthOfDay } from '../../../../contract/time/periods.ts'
import type { Db } from '../../../kernel/db.ts'
import { type MeterGroups, UNTRACKED } from '../meters/meter-groups.ts'
import type { QueryPlan, SeriesQuery, BalanceGroups } from './plan.ts'
import { sumEpochs, sumHome, sumHomeMonths, sumMonths } from './sum-lines.ts'
import { type EnergySums, foldSums, type SumCache } from './sums.ts'

/** Energy of each group. */
interface GroupSums {
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

/**
 * Distributes the balance of a home over its groups: the untracked group gets what the others leave of the consumption, and each group its
 * share of the purchase.
 */
export async function distributeBalance(
  tx: Db,
  cache: SumCache,
  { groups, key, balance }: Pick<SeriesQuery, 'groups' | 'key'> & { balance: BalanceGroups },
  { days, slots, months, clock }: QueryPlan,
  sums: GroupSums,
): Promise<GroupSums> {
  const used = await sumHome(tx, cache, { key, home: balance.used }, days, slots.length, clock)
  const bought = await sumHome(tx, cache, { key, home: balance.bought }, days, slots.length, clock)
  let { bySlot, byPeriod } = sums
  if (balance.isDivided) {
    bySlot = setUntracked(groups.keys, bySlot, used)
    byPeriod &&= setUntracked(
      groups.keys,
      byPeriod,
      await sumHomeMonths(tx, { key, home: balance.used }, months, clock),
    )
  }
  return { bySlot, byPeriod, purchased: purchasedOf(groups, bySlot, used, bought) }
}

/** Sets the untracked group to what the other groups leave of the consumption; negative if they counted more than that. */
function setUntracked(keys: readonly string[], sums: readonly EnergySums[], used: EnergySums): EnergySums[] {
  const rest = keys.indexOf(UNTRACKED)
  return sums.map((line, i) =>
    i === rest ? { ...used, kwh: used.kwh.map((all, slot) => all - sumOf(sums, slot, rest)) } : line,
  )
}

const sumOf = (sums: readonly EnergySums[], slot: number, without: number): number =>
  sums.reduce((sum, line, i) => (i === without ? sum : sum + (line.kwh[slot] as number)), 0)

/**
 * Purchased kWh of each group by slot: the purchase of the home in proportion to consumption, never more than a group used, so that energy
 * hidden by a silent balance meter is charged to no group. The untracked group bears the rest: all groups add up to the purchase.
 */
function purchasedOf(
  groups: MeterGroups,
  sums: readonly EnergySums[],
  used: EnergySums,
  bought: EnergySums,
): Float64Array[] {
  if (groups.part !== undefined) return [bought.kwh]
  const rest = groups.keys.indexOf(UNTRACKED)
  const shares = bought.kwh.map((paid, slot) => {
    const all = used.kwh[slot] as number
    return all > 0 ? Math.min(1, Math.max(0, paid / all)) : paid > 0 ? 1 : 0
  })
  return groups.keys.map((_, line) =>
    shares.map((share, slot) =>
      line === rest
        ? (bought.kwh[slot] as number) - share * sumOf(sums, slot, rest)
        : share * (sums[line]?.kwh[slot] ?? 0),
    ),
  )
}
