import type { GUARD_STATES } from './shedding-calls.ts'
import type { Shed } from './alarm-part.ts'
import { QUARTER_MS } from '../time/periods.ts'

/**
 * From so many ms of a quarter of an hour on its forecast is worth acting on (design, 4.3): by then every main meter has reported in
 * it, and one load that starts no longer looks like a whole quarter of it. The last twelve minutes are time enough for any step.
 */
export const FIRST_DECISION_MS = 180_000

/** A load as a guard finds it, in the order in which loads are shed. Times in epoch ms. */
export interface GuardedLoad {
  /**
   * on       it can be shed                          off      it draws nothing that shedding would spare
   * unknown  it cannot be heard, so nothing is known of it
   */
  is: 'on' | 'off' | 'unknown'
  /** What it draws, kW; null when nobody knows. */
  kw: number | null
  /** Seconds, as of `Load`. */
  minOff: number
  maxOff: number
  /** Of what this guard has shed and not given back. */
  shed?: { at: number; state: 'sent' | 'off' | 'failed'; confirmedAt: number | null; kw: number | null }
  /** When this guard gave it back last, or a hand set it while it was shed. */
  givenBackAt: number | null
}

/** What a guard knows at a moment. Powers in kW, times in epoch ms. */
export interface GuardInput {
  now: number
  /** What the quarter of an hour that runs will come to; null unless every main meter reports. */
  forecast: number | null
  /** Of the main meters' last reports the oldest: what was shed later is not in the forecast. */
  asOf: number | null
  /** What the quarter may come to; null where nothing is agreed. */
  target: number | null
  /** A main meter reports more seldom than every minute. */
  isTooSlow: boolean
  loads: readonly GuardedLoad[]
  /** When anything of its rule was given back last, also what the rule does not name any more. */
  givenBackAt?: number | null
  paces: Pick<Shed, 'HoldBelow' | 'GiveBackBelow' | 'GiveBackEvery'>
}

/** Loads by their places. `lacks` is what the listed loads cannot hold, kW of the quarter; 0 when they suffice. */
export interface GuardDecision {
  state: (typeof GUARD_STATES)[number]
  shed: number[]
  giveBack: number[]
  lacks: number
}

/** What of an hour is left of the quarter in which a moment lies. */
const restOf = (now: number): number => (QUARTER_MS - (now % QUARTER_MS)) / 3_600_000

/**
 * What a guard does now: sheds from the top until what the loads draw over the rest of the quarter covers the excess, waits until
 * that is confirmed, and gives back in reverse order in a later quarter. On partial data it sheds nothing.
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
    // What was sent may suffice: the next step waits until it is confirmed.
    if (loads.some(({ shed }) => shed?.state === 'sent'))
      return { ...nothing, giveBack: [], state: 'shedding' }
    const { chosen, covered } = chooseLoads(input, excess)
    // The margin below the target is there to be used up by what was not foreseen.
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

/** What was shed after the meters reported, kW of the quarter: they still draw it in the forecast. */
function spared({ loads, asOf, now }: GuardInput): number {
  if (asOf === null) return 0
  const begin = now - (now % QUARTER_MS)
  return loads.reduce((sum, { shed }) => {
    if (shed?.state !== 'off' || shed.confirmedAt === null || shed.confirmedAt <= asOf) return sum
    return sum + (shed.kw ?? 0) * restOf(Math.max(shed.confirmedAt, begin)) * 4
  }, 0)
}

/**
 * Loads from the top that cover an excess, kWh; those of which nobody knows what they draw are taken as well and count nothing. One
 * that was given back a short while ago comes last.
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

/** What a load must be to be given back: shed, off for as long as it stays off at least, and heard. */
const ready = ({ loads, now }: Resting): { place: number; shed: NonNullable<GuardedLoad['shed']> }[] =>
  loads.flatMap(({ shed, minOff, is }, place) =>
    shed && now - (shed.confirmedAt ?? shed.at) >= minOff * 1000 && is !== 'unknown' ? [{ place, shed }] : [],
  )

/** Whether what was given back last was so long ago that the next one may be. */
function isPaced({ loads, now, paces, givenBackAt }: Resting): boolean {
  const latest = Math.max(givenBackAt ?? 0, ...loads.map((load) => load.givenBackAt ?? 0))
  return now - latest >= paces.GiveBackEvery * 1000
}

type Resting = Pick<GuardInput, 'now' | 'loads' | 'givenBackAt'> & {
  paces: Pick<GuardInput['paces'], 'GiveBackEvery'>
}

/**
 * What a guard gives back that does not act, because its rule is off or gone, or its home rests or is in maintenance: in reverse order, and
 * as gently as one that does.
 *
 * returns  the place of one load, or none
 */
export function planRestore(input: Resting): number[] {
  if (!isPaced(input)) return []
  const [next] = ready(input).toSorted((a, b) => b.shed.at - a.shed.at || b.place - a.place)
  return next ? [next.place] : []
}

/**
 * What has been off for as long as it may be, the longest first and one at a time; it is given back whatever is foretold, and others take
 * their turn.
 */
function overdueOf(input: GuardInput): number[] {
  if (!isPaced(input)) return []
  const [next] = ready(input)
    .filter(({ place, shed }) => input.now - shed.at >= (input.loads[place]?.maxOff ?? 0) * 1000)
    .toSorted((a, b) => a.shed.at - b.shed.at)
  return next ? [next.place] : []
}

/** The load that was shed last, when the next quarter has room for it; one at a time. */
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
