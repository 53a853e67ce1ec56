import { DAY_MS } from '../../../../contract/time/periods.ts'
import type { RawRows } from './rows.ts'
import { MINUTE_MS } from './time.ts'

/** Maximum difference of a time from its step, and that of a short step as a share of it. */
const MAX_OFF_STEP_MS = 30_000
const MAX_OFF_STEP_SHARE = 0.25

/**
 * Rounds times that are seconds off a regular step of whole minutes, as those of devices that are polled one after the other. Nothing is
 * rounded if a single row is off by more, or if two rows of a series would get the same time.
 */
export function roundTimes(raw: RawRows): void {
  // Readings that the gateway has validated keep the times at which they were taken.
  if (raw.ends || raw.elapsed || raw.areValidated || raw.count < 2) return
  const walls = raw.walls.subarray(0, raw.count)
  if (isAlways(walls, 0) || LAST_MS.some((ms) => isAlways(walls, ms))) return
  const usual = usualStep(raw)
  if (usual === undefined) return
  const step = Math.min(usual, DAY_MS)
  const maximum = Math.min(MAX_OFF_STEP_MS, step * MAX_OFF_STEP_SHARE)
  const roundedBy = (phase: number) => (wall: number) => roundTo(wall - phase, step) + phase
  const offOf = (rounded: (wall: number) => number) =>
    walls.reduce((off, wall) => Math.max(off, Math.abs(rounded(wall) - wall)), 0)
  // Half a minute behind a whole hour is nearer to the hour than to a step that begins a minute later.
  const rounded = [0, roundTo(walls[0] as number, MINUTE_MS) % step]
    .map(roundedBy)
    .find((each) => offOf(each) <= maximum)
  if (!rounded) return
  const off = offOf(rounded)
  raw.walls = raw.walls.map((wall, at) => (at < raw.count ? rounded(wall) : wall))
  raw.firstWall = rounded(raw.firstWall)
  raw.lastWall = rounded(raw.lastWall)
  raw.offStepMs = off
}

/** A ms or a second before whole minutes, times name the ends of their intervals. */
const LAST_MS = [1, 1_000]

const isAlways = (walls: Float64Array, before: number): boolean =>
  walls.every((wall) => (wall + before) % MINUTE_MS === 0)

const roundTo = (value: number, step: number): number => Math.round(value / step) * step

/** Minimum number of equal steps: two or three times may be at any second. */
const MIN_STEPS = 3

/** Most frequent step in whole minutes; undefined if two different times of a series are in one minute. */
function usualStep({ walls, series, count }: RawRows): number | undefined {
  const order = Array.from({ length: count }, (_, at) => at).toSorted(
    (a, b) => (series[a] as number) - (series[b] as number) || (walls[a] as number) - (walls[b] as number),
  )
  const steps = new Map<number, number>()
  for (let place = 1; place < count; place++) {
    const [before, at] = [order[place - 1] as number, order[place] as number]
    if (series[before] !== series[at] || walls[before] === walls[at]) continue
    const step = roundTo(walls[at] as number, MINUTE_MS) - roundTo(walls[before] as number, MINUTE_MS)
    if (step === 0) return undefined
    steps.set(step, (steps.get(step) ?? 0) + 1)
  }
  const [usual] = [...steps].toSorted((a, b) => b[1] - a[1])
  return usual && usual[1] >= MIN_STEPS ? usual[0] : undefined
}
