import type { Db } from '../../../kernel/db.ts'
import type { HomeKey } from '../rollup/home-days.ts'
import type { DayClock, DayPlan } from './day-plans.ts'
import { type MeterGroups, UNTRACKED } from '../meters/meter-groups.ts'
import { sumHome } from './sum-lines.ts'
import type { SumCache, EnergySums } from './sums.ts'

/** Consumption and purchase of a home with a balance, one line each. */
export interface BalanceLines {
  used: MeterGroups
  bought: MeterGroups
  /** Whether the requested lines divide the consumption. */
  isDivided: boolean
}

/** Sums per slot. */
interface BalanceSums {
  used: EnergySums
  bought: EnergySums
}

export async function readBalance(
  db: Db,
  cache: SumCache,
  key: HomeKey,
  { used, bought }: BalanceLines,
  plans: readonly DayPlan[],
  slots: number,
  clock: DayClock,
): Promise<BalanceSums> {
  return {
    used: await sumHome(db, cache, { key, home: used }, plans, slots, clock),
    bought: await sumHome(db, cache, { key, home: bought }, plans, slots, clock),
  }
}

/** Sets the untracked line to what the other lines leave of the consumption; negative if they counted more than that. */
export function distributeBalance(
  keys: readonly string[],
  sums: readonly EnergySums[],
  used: EnergySums,
): EnergySums[] {
  const rest = keys.indexOf(UNTRACKED)
  return sums.map((line, i) => {
    if (i !== rest) return line
    const kwh = used.kwh.map((all, slot) => all - sumOf(sums, slot, rest))
    return { ...used, kwh }
  })
}

const sumOf = (sums: readonly EnergySums[], slot: number, without: number): number =>
  sums.reduce((sum, line, i) => (i === without ? sum : sum + (line.kwh[slot] as number)), 0)

/** Purchased share of the energy of a line. */
export interface PaidEnergy {
  /** Purchased kWh of a line in a slot. */
  kwhOf(line: number, slot: number): number
}

/**
 * Distributes the purchased energy of a home over its lines in proportion to their consumption, never more than a line used, so that energy
 * hidden by a silent balance meter is charged to no line. The untracked line bears the rest: all lines add up to the purchase.
 */
export function createPaidEnergy(
  lines: MeterGroups,
  sums: readonly EnergySums[],
  { used, bought }: BalanceSums,
): PaidEnergy {
  if (lines.part !== undefined) return { kwhOf: (_, slot) => bought.kwh[slot] as number }
  const rest = lines.keys.indexOf(UNTRACKED)
  const shareOf = (slot: number) => {
    const [all, paid] = [used.kwh[slot] as number, bought.kwh[slot] as number]
    return all > 0 ? Math.min(1, Math.max(0, paid / all)) : paid > 0 ? 1 : 0
  }
  return {
    kwhOf(line, slot) {
      if (line === rest) return (bought.kwh[slot] as number) - shareOf(slot) * sumOf(sums, slot, rest)
      return shareOf(slot) * (sums[line]?.kwh[slot] ?? 0)
    },
  }
}
