import { quantile } from '../../../../contract/energy/load-shape.ts'

/** A day of a meter by its intervals. */
export interface RunDay {
  kWh: ArrayLike<number>
  isKnown: ArrayLike<number>
}

/** A run of a load: index of the day, and intervals, the last exclusive. */
export interface BatchRun {
  day: number
  from: number
  to: number
}

/** Minimum and maximum length of a batch in intervals, one to six hours: longer runs follow people's days. */
const SHORTEST = 4
const MAX_LENGTH = 24
/** Maximum idle power, as part of the running power. */
const IDLE = 0.1
/** Minimum and maximum share of the time that it runs. */
const [SELDOM, OFTEN] = [0.01, 0.3]

/**
 * Runs of a load that works in batches: it switches on and off, is on for one hour to six at a time, and off most of
 * the time.
 *
 * returns  undefined for other loads
 */
export function batchRunsOf(days: readonly RunDay[]): BatchRun[] | undefined {
  const powers = days.flatMap(({ kWh, isKnown }) => Array.from(kWh).filter((_, i) => isKnown[i]))
  const [high, low] = [quantile(powers, 0.99), quantile(powers, 0.25)]
  if (high === null || low === null || high <= 0 || low > IDLE * high) return undefined
  const isOn = (day: RunDay, i: number) => Boolean(day.isKnown[i]) && (day.kWh[i] as number) > high / 2
  const runs: BatchRun[] = []
  let on = 0
  for (const [place, day] of days.entries())
    for (let i = 0; i < day.kWh.length;) {
      let to = i
      while (to < day.kWh.length && isOn(day, to)) to += 1
      on += to - i
      if (to - i >= SHORTEST && to - i <= MAX_LENGTH) runs.push({ day: place, from: i, to })
      i = Math.max(to, i + 1)
    }
  const share = on / Math.max(1, powers.length)
  const inRuns = runs.reduce((sum, { from, to }) => sum + to - from, 0)
  return share >= SELDOM && share <= OFTEN && inRuns >= on / 2 ? runs : undefined
}

/** Energy moved from expensive to cheap hours. */
export interface ShiftedEnergy {
  /** kWh that was moved. */
  kWh: number
  /** Number of days with moved energy. */
  days: number
  /** kWh to add to each interval of each day; negative where it ran. */
  changes: Float64Array[]
  movedByDay: number[]
}

/**
 * Moves the expensive intervals of runs to the cheapest hours of the same day, with the same energy.
 *
 * ranks  of each interval of each day: 0 in the cheapest hours, 1 in the most expensive, in between otherwise
 */
export function shiftRuns(
  days: readonly RunDay[],
  runs: readonly BatchRun[],
  ranks: readonly ArrayLike<number>[],
): ShiftedEnergy {
  const changes = days.map(({ kWh }) => new Float64Array(kWh.length))
  const movedByDay = days.map(() => 0)
  const taken = days.map(() => 0)
  for (const { day, from, to } of runs) {
    const [of, change] = [ranks[day] as ArrayLike<number>, changes[day] as Float64Array]
    const byPrice = Array.from(of)
      .map((_, i) => i)
      .filter((i) => of[i] === 0 && (i < from || i >= to))
    for (let i = from; i < to; i++) {
      const place = byPrice[taken[day] as number]
      if (of[i] !== 1 || place === undefined) continue
      const kWh = (days[day] as RunDay).kWh[i] as number
      ;(change[i] as number) -= kWh
      ;(change[place] as number) += kWh
      ;(movedByDay[day] as number) += kWh
      ;(taken[day] as number) += 1
    }
  }
  return {
    kWh: movedByDay.reduce((sum, one) => sum + one, 0),
    days: movedByDay.filter((one) => one > 0).length,
    changes,
    movedByDay,
  }
}
