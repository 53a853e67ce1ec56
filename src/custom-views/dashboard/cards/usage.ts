import type { EnergyPoint } from '../../../../contract/procedures/meter-data.ts'
import { dayOf, monthOf } from '../../../../contract/rules/periods.ts'

/** A home's days as the dashboard sums them up. */
export interface Usage {
  today: EnergyPoint[]
  yesterday: EnergyPoint[]
  month: EnergyPoint[]
}

/** Which of a home's days are today, yesterday, and of this month, on its own clock. A day that is not there is in none. */
export function usageOf(days: readonly EnergyPoint[], now: number, zone: string): Usage {
  const today = dayOf(now, zone)
  const month = monthOf(now, zone)
  const ofDay = (day: number) => days.filter(({ Timestamp }) => dayOf(Timestamp, zone) === day)
  return {
    today: ofDay(today),
    yesterday: ofDay(today - 1),
    month: days.filter(({ Timestamp }) => monthOf(Timestamp, zone) === month),
  }
}

/** Several homes together. */
export const togetherOf = (homes: readonly Usage[]): Usage => ({
  today: homes.flatMap(({ today }) => today),
  yesterday: homes.flatMap(({ yesterday }) => yesterday),
  month: homes.flatMap(({ month }) => month),
})
