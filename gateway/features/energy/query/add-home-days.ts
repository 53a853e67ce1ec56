import { COUNTS, type HomeDay, knownBefore, sumBefore } from '../rollup/home-days.ts'
import type { DayPlan } from './day-plans.ts'
import type { EnergySums } from './sums.ts'

/** Adds the parts of days to the sums, without `past` of removed meters. */
export function addHomeDays(
  sums: EnergySums,
  plans: readonly DayPlan[],
  days: ReadonlyMap<number, HomeDay>,
): void {
  for (const { day, ended, windows } of plans) {
    const one = days.get(day)
    if (!one) continue
    for (const { slot, from, to } of windows) {
      ;(sums.kwh[slot] as number) += sumBefore(one.kWh, to) - sumBefore(one.kWh, from)
      for (const name of COUNTS)
        (sums[name][slot] as number) += sumBefore(one[name], to) - sumBefore(one[name], from)
      const begin = Math.max(from, ended)
      if (begin < to) (sums.ahead[slot] as number) += knownBefore(one, to) - knownBefore(one, begin)
    }
  }
}
