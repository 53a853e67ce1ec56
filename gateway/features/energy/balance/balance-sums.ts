import type { Db } from '../../../store/db.ts'
import type { HomeKey } from '../rollup/home-days.ts'
import type { DayClock, DayPlan } from '../query/day-plans.ts'
import { type MeterGroups, UNTRACKED } from '../meters/meter-groups.ts'
import { sumHome } from '../query/sum-lines.ts'
import type { SumCache, EnergySums } from '../query/sums.ts'

/** What a home with a balance used and bought, each in one line. */
export interface BalanceLines {
  used: MeterGroups
  bought: MeterGroups
  /** Whether the lines that are asked for divide what it used. */
  isDivided: boolean
}

/** By slot. */
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

/** The lines with what they leave of the balance in the untracked one, below 0 where they counted more. */
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

/** What of a line is paid for. */
export interface PaidEnergy {
  /** kWh of a line in a slot that were bought. */
  kwhOf(line: number, slot: number): number
}

/**
 * What a home bought, shared by its lines in proportion to what they used; never more than that, so that what a silent meter of the
 * balance hides is no line's. The untracked line bears the rest: all lines add up to what was bought.
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
