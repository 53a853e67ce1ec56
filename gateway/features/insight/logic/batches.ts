import { quantile } from '../../../../contract/energy/load-shape.ts'

/** A day of a meter by its intervals. */
export interface RunDay {
  kWh: ArrayLike<number>
  isKnown: ArrayLike<number>
}

/** A time in which a load ran: a day by its place, intervals, the last exclusive. */
export interface BatchRun {
  day: number
  from: number
  to: number
}

/** A batch lasts an hour to six: what runs longer follows the day of people. */
const SHORTEST = 4
const LONGEST = 24
/** Beside what it draws when it runs, it draws next to nothing else. */
const IDLE = 0.1
/** Part of the time that it runs. */
const [SELDOM, OFTEN] = [0.01, 0.3]

/**
 * When a load that works in batches ran: it has an on and an off, is on for one hour to six at a time, and off most of the time.
 *
 * returns  undefined for a load that does not
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
      if (to - i >= SHORTEST && to - i <= LONGEST) runs.push({ day: place, from: i, to })
      i = Math.max(to, i + 1)
    }
  const share = on / Math.max(1, powers.length)
  const inRuns = runs.reduce((sum, { from, to }) => sum + to - from, 0)
  return share >= SELDOM && share <= OFTEN && inRuns >= on / 2 ? runs : undefined
}

/** Energy that ran in dear hours, and the same days with it in cheap ones. */
export interface ShiftedEnergy {
  /** kWh that was moved. */
  kWh: number
  /** Days on which there was any. */
  days: number
  /** kWh to add to each interval of each day: less than zero where it ran. */
  changes: Float64Array[]
  movedByDay: number[]
}

/**
 * What of some runs could have run in the cheapest hours of the same day, as long and as strong.
 *
 * ranks  of each interval of each day: 0 in the cheapest hours, 1 in the dearest, between them what is neither
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
    const cheap = Array.from(of)
      .map((_, i) => i)
      .filter((i) => of[i] === 0 && (i < from || i >= to))
    for (let i = from; i < to; i++) {
      const place = cheap[taken[day] as number]
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
