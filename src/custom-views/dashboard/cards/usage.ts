import type { EnergyPoint } from '../../../../contract/energy/meter-data-calls.ts'
import { dayOf, monthOf, startOfDay, startOfMonth } from '../../../../contract/time/periods.ts'
import type { ChartView } from '../../../ui/chart/model.ts'

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

/** When today, yesterday and this month are, on a home's clock. */
export function spansOf(now: number, zone: string): Record<keyof Usage, ChartView> {
  const [today, month] = [dayOf(now, zone), monthOf(now, zone)]
  const [morning, midnight] = [startOfDay(today, zone), startOfDay(today + 1, zone)]
  return {
    today: { from: morning, to: midnight },
    yesterday: { from: startOfDay(today - 1, zone), to: morning },
    month: { from: startOfMonth(month, zone), to: startOfMonth(month + 1, zone) },
  }
}

/** Several homes together. */
export const togetherOf = (homes: readonly Usage[]): Usage => ({
  today: homes.flatMap(({ today }) => today),
  yesterday: homes.flatMap(({ yesterday }) => yesterday),
  month: homes.flatMap(({ month }) => month),
})
