import { firstDayOf, monthOfDay } from '../../../../contract/time/periods.ts'
import type { DayPlan, Window } from './day-plans.ts'
import { DAY_SORTS, daySortOf } from '../rollup/day-sums.ts'

/** Days of a month that are divided alike into the same slots. */
export interface DayClass {
  days: number[]
  windows: readonly Window[]
  /** Boundaries between parts within the day, without its start and end. */
  cuts: number[]
  quarters: number
}

/** Groups the days of one month by how they are divided. */
export function classesOf(plans: readonly DayPlan[]): DayClass[] {
  const classes = new Map<string, DayClass>()
  for (const { day, windows, quarters } of plans) {
    const key = JSON.stringify([quarters, windows.map(({ slot, from, to }) => [slot, from, to])])
    const known = classes.get(key)
    if (known) known.days.push(day)
    else {
      const ends = new Set(windows.flatMap(({ from, to }) => [from, to]))
      const cuts = [...ends].filter((cut) => cut > 0 && cut < quarters).toSorted((a, b) => a - b)
      classes.set(key, { days: [day], windows, cuts, quarters })
    }
  }
  return [...classes.values()]
}

/** Whether the whole day belongs to one slot. */
export const isWhole = ({ windows, quarters }: DayClass): boolean =>
  windows.length === 1 && windows[0]?.from === 0 && windows[0].to === quarters

/** Days and sorts of days of a month, each with the class that it is added to, or subtracted from if the sign is -1. */
interface Overlay {
  sorts: { sort: number; class: number }[]
  days: { day: number; class: number; sign: number }[]
}

/**
 * Expresses a month as the sums of its sorts of days. Each sort is assigned to the class of most of its days; the other days are subtracted
 * there and added to their own class.
 *
 * returns  undefined if that requires reading as much as the days themselves
 */
export function overlayOf(classes: readonly DayClass[]): Overlay | undefined {
  const classOf = new Map(classes.flatMap(({ days }, i) => days.map((day) => [day, i] as const)))
  const month = monthOfDay(classes[0]?.days[0] as number)
  const all: number[] = []
  for (let day = firstDayOf(month); day < firstDayOf(month + 1); day++) all.push(day)
  const overlay: Overlay = { sorts: [], days: [] }
  let others = 0
  for (let sort = 0; sort < DAY_SORTS; sort++) {
    const days = all.filter((day) => daySortOf(day) === sort)
    const counts = classes.map((_, i) => days.filter((day) => classOf.get(day) === i).length)
    const most = counts.indexOf(Math.max(...counts))
    if (counts[most] === 0) continue
    overlay.sorts.push({ sort, class: most })
    for (const day of days) {
      const own = classOf.get(day)
      if (own === most) continue
      others += 1
      overlay.days.push({ day, class: most, sign: -1 })
      if (own !== undefined) overlay.days.push({ day, class: own, sign: 1 })
    }
  }
  return others + DAY_SORTS < classOf.size ? overlay : undefined
}
