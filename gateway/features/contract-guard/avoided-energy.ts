import { QUARTER_MS } from '../../../contract/time/periods.ts'

/** Energy, kWh by the first ms of each 15 minutes, that loads of some kW would have drawn while they were off; from and to in epoch ms. */
export function avoidedEnergyOf(
  periods: readonly { kw: number | null; from: number; to: number }[],
): Map<number, number> {
  const savedByQuarter = new Map<number, number>()
  for (const { kw, from, to } of periods)
    for (let begin = from - (from % QUARTER_MS); begin < to; begin += QUARTER_MS) {
      const offMs = Math.min(to, begin + QUARTER_MS) - Math.max(from, begin)
      savedByQuarter.set(begin, (savedByQuarter.get(begin) ?? 0) + ((kw ?? 0) * offMs) / 3_600_000)
    }
  return savedByQuarter
}
