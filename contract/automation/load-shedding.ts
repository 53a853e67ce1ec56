import type { GUARD_STATES } from './shedding-calls.ts'
import type { Shed } from './alarm-part.ts'
import { QUARTER_MS } from '../time/periods.ts'

/**
 * Time in ms from the start of a quarter-hour after which its forecast is used: by then every main meter has reported
 * in it, and one starting load no longer dominates it. The remaining twelve minutes suffice for any step.
 */
export const FIRST_DECISION_MS = 180_000

/** Load as seen by load shedding, in shedding order. Times in epoch ms. */
export interface GuardedLoad {
  /**
   * State of the load.
   *
   * on       can be shed                             off      draws no power that shedding would save
   * unknown  its state is not known
   */
  is: 'on' | 'off' | 'unknown'
  /** Power in kW; null if unknown. */
  kw: number | null
  /** Seconds, as in `Load`. */
  minOff: number
  maxOff: number
  /** Set if this rule has shed the load and not restored it. */
  shed?: { at: number; state: 'sent' | 'off' | 'failed'; confirmedAt: number | null; kw: number | null }
  /** Time at which this rule last restored it, or a user set it while it was shed. */
  givenBackAt: number | null
}

/** Input of a shedding decision. Powers in kW, times in epoch ms. */
export interface GuardInput {
  now: number
  /** Forecast for the current quarter-hour; null unless every main meter reports. */
  forecast: number | null
  /** Time of the oldest of the main meters' last reports; loads shed later are still included in the forecast. */
  asOf: number | null
  /** Maximum demand of the quarter-hour; null if no contract capacity is agreed. */
  target: number | null
  /** Whether a main meter reports less often than every minute. */
  isTooSlow: boolean
  loads: readonly GuardedLoad[]
  /** Time at which the rule last restored a load, including loads it no longer names. */
  givenBackAt?: number | null
  paces: Pick<Shed, 'HoldBelow' | 'GiveBackBelow' | 'GiveBackEvery'>
}

/** Decision, with loads by index. `lacks` is the excess in kW that the listed loads cannot cover; 0 if they suffice. */
export interface GuardDecision {
  state: (typeof GUARD_STATES)[number]
  shed: number[]
  giveBack: number[]
  lacks: number
}

/** Hours left of the current quarter-hour. */
const restOf = (now: number): number => (QUARTER_MS - (now % QUARTER_MS)) / 3_600_000

/**
 * Decides what to shed or restore now. Sheds in order until the power of the loads over the rest of the quarter-hour covers the
 * excess, waits for confirmation, and restores in reverse order in a later quarter-hour. Sheds nothing on partial data.
 *
 * source  docs/decisions/0024
 */
export function planShed(input: GuardInput): GuardDecision {
  const { now, forecast, target, loads } = input
  const holdBelow = input.paces.HoldBelow / 100
  const overdue = overdueOf(input)
  const nothing = { shed: [], giveBack: overdue, lacks: 0 }
  if (target === null) return { ...nothing, state: 'noContract' }
  if (input.isTooSlow) return { ...nothing, state: 'tooSlow' }
  if (forecast === null) return { ...nothing, state: 'partialData' }
  const foretold = forecast - spared(input)
  const excess = (foretold - holdBelow * target) / 4
  if (excess > 0) {
    if (now % QUARTER_MS < FIRST_DECISION_MS) return { ...nothing, state: 'idle' }
    // Pending commands may suffice: wait for their confirmation before the next step.
    if (loads.some(({ shed }) => shed?.state === 'sent'))
      return { ...nothing, giveBack: [], state: 'shedding' }
    const { chosen, covered } = chooseLoads(input, excess)
    // The margin below the target may be used up by forecast errors.
    const lacks = Math.max(0, foretold - covered * 4 - target)
    if (lacks > 0) return { state: 'cannotHold', shed: chosen, giveBack: [], lacks }
    return { state: 'shedding', shed: chosen, giveBack: [], lacks: 0 }
  }
  const giveBack = overdue.length > 0 ? overdue : nextGivenBack(input, foretold, target)
  if (giveBack.length > 0) return { state: 'givingBack', shed: [], giveBack, lacks: 0 }
  const isShedding = loads.some(({ shed }) => shed && shed.state !== 'failed')
  return {
    ...nothing,
    state: isShedding ? 'shedding' : now % QUARTER_MS < FIRST_DECISION_MS ? 'idle' : 'watching',
  }
}

/** Power in kW of loads shed after the meters reported, which the forecast still includes. */
function spared({ loads, asOf, now }: GuardInput): number {
  if (asOf === null) return 0
  const begin = now - (now % QUARTER_MS)
  return loads.reduce((sum, { shed }) => {
    if (shed?.state !== 'off' || shed.confirmedAt === null || shed.confirmedAt <= asOf) return sum
    return sum + (shed.kw ?? 0) * restOf(Math.max(shed.confirmedAt, begin)) * 4
  }, 0)
}

/**
 * Loads in order that cover an excess in kWh; loads of unknown power are included but count as 0. Recently restored loads come
 * last.
 */
function chooseLoads({ loads, now }: GuardInput, excess: number): { chosen: number[]; covered: number } {
  const free = loads.flatMap((load, place) => (load.is === 'on' && !load.shed ? [{ ...load, place }] : []))
  const isRested = ({ givenBackAt, minOff }: GuardedLoad) =>
    givenBackAt === null || now - givenBackAt >= minOff * 1000
  const chosen: number[] = []
  let covered = 0
  for (const load of [...free.filter(isRested), ...free.filter((one) => !isRested(one))]) {
    if (covered >= excess) break
    chosen.push(load.place)
    covered += (load.kw ?? 0) * restOf(now)
  }
  return { chosen, covered }
}

/** Loads that may be restored: shed, off for at least their minimum time, and of known state. */
const ready = ({ loads, now }: Resting): { place: number; shed: NonNullable<GuardedLoad['shed']> }[] =>
  loads.flatMap(({ shed, minOff, is }, place) =>
    shed && now - (shed.confirmedAt ?? shed.at) >= minOff * 1000 && is !== 'unknown' ? [{ place, shed }] : [],
  )

/** Whether GiveBackEvery has passed since the last restored load. */
function isPaced({ loads, now, paces, givenBackAt }: Resting): boolean {
  const latest = Math.max(givenBackAt ?? 0, ...loads.map((load) => load.givenBackAt ?? 0))
  return now - latest >= paces.GiveBackEvery * 1000
}

type Resting = Pick<GuardInput, 'now' | 'loads' | 'givenBackAt'> & {
  paces: Pick<GuardInput['paces'], 'GiveBackEvery'>
}

/**
 * Restores loads of a rule that is disabled, deleted, paused or in maintenance: in reverse order, at the usual pace.
 *
 * returns  index of one load, or empty
 */
export function planRestore(input: Resting): number[] {
  if (!isPaced(input)) return []
  const [next] = ready(input).toSorted((a, b) => b.shed.at - a.shed.at || b.place - a.place)
  return next ? [next.place] : []
}

/**
 * Restores loads that have been off for their maximum time, the longest first, one at a time and regardless of the forecast; other
 * loads are shed instead.
 */
function overdueOf(input: GuardInput): number[] {
  if (!isPaced(input)) return []
  const [next] = ready(input)
    .filter(({ place, shed }) => input.now - shed.at >= (input.loads[place]?.maxOff ?? 0) * 1000)
    .toSorted((a, b) => a.shed.at - b.shed.at)
  return next ? [next.place] : []
}

/** Load that was shed last, if the forecast allows restoring it; one at a time. */
function nextGivenBack(input: GuardInput, foretold: number, target: number): number[] {
  const { now, paces } = input
  if (foretold >= (paces.GiveBackBelow / 100) * target || !isPaced(input)) return []
  const begin = now - (now % QUARTER_MS)
  const earlier = ready(input)
    .filter(({ shed }) => shed.at < begin)
    .toSorted((a, b) => b.shed.at - a.shed.at || b.place - a.place)
  const next = earlier.find(
    ({ shed }) =>
      foretold + (shed.kw ?? 0) * restOf(now) * 4 < (paces.HoldBelow / 100) * target ||
      shed.state === 'failed',
  )
  return next ? [next.place] : []
}
