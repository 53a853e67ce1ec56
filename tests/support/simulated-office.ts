import { HOURS, type HourlyDay } from '../../gateway/features/insight/logic/baseline.ts'
import { parseDay, weekdayOf } from '../../contract/time/periods.ts'
import { seeded } from './stored-energy.ts'

/** First day of a simulated load. */
export const OFFICE_FROM = parseDay('2025-01-01')

interface OfficeOptions {
  days: number
  /** Seed of its noise. */
  seed: number
  /** Whether cooling is part of the load, which then depends on the known temperature. */
  cools?: boolean
  /** Changes the kWh of an hour, e.g. by a measure. */
  change?: (kWh: number, day: number, hour: number) => number
}

/**
 * Typical hourly office load: workdays from 8 to 18, half of that on Saturdays, a base load; a level that drifts by a few per cent from
 * week to week, weather that lasts for days, and noise by the day and hour.
 */
export function officeLoad({ days, seed, cools = true, change = (kWh) => kWh }: OfficeOptions): HourlyDay[] {
  const random = seeded(seed)
  const noise = () => random() + random() + random() - 1.5
  let [level, front] = [0, 0]
  return Array.from({ length: days }, (_, i): HourlyDay => {
    const day = OFFICE_FROM + i
    const weekday = weekdayOf(day)
    level = 0.9 * level + 0.012 * noise()
    front = 0.7 * front + 2 * noise()
    const celsius = 23 + 6 * Math.sin(((i - 110) / 365) * 2 * Math.PI) + front
    const busy = weekday === 0 ? 0 : weekday === 6 ? 0.5 : 1
    const today = 1 + level + 0.05 * noise()
    const kWh = Float64Array.from({ length: HOURS }, (_hour, hour) => {
      const open = hour >= 8 && hour < 18 ? busy : 0
      const heat = cools ? Math.max(0, celsius - 24) * (open > 0 ? 1.2 * open : 0.2) : 0
      return change(Math.max(0, (4 + 20 * open + heat) * today * (1 + 0.08 * noise())), day, hour)
    })
    return {
      day,
      weekday,
      kind: weekday === 0 ? 2 : weekday === 6 ? 1 : 0,
      kWh,
      celsius: cools ? celsius : null,
    }
  })
}
