import {
  stepTruth,
  type NearMiss,
  type TruthEvent,
  type TruthRule,
  type TruthState,
  type TruthTimer,
} from './condition-state.ts'
import {
  type ComparedCondition,
  evaluateCondition,
} from '../../../../contract/automation/evaluate-conditions.ts'

/**
 * What is stored of one condition's field.
 *
 * at, values  when it was reported, epoch ms, ascending, and what it was from then on; two of one moment are two reports
 * goodFor     ms after which a value is no longer known; null of a state, which stays what it was
 * unknown     spans in which nothing is known, ascending, not overlapping
 * isMeasured  it is looked at as it is, together with all else that is measured at a moment; left out of what is told change by change
 */
export interface Track {
  at: readonly number[]
  values: readonly number[]
  goodFor: number | null
  unknown: readonly { from: number; to: number }[]
  isMeasured?: boolean
}

/** When a rule's Period is open, and when that changes next after a moment; undefined when it never does. */
export interface PeriodSchedule {
  is(at: number): boolean
  changesAfter(at: number): number | undefined
}

/**
 * What a rule would have done: when it would have run and ended, or an alarm would have been raised and cleared (null for not
 * within the time), and how often it nearly ran.
 */
export interface ReplayResult {
  runs: { at: number; endedAt: number | null }[]
  blocked: Partial<Record<NearMiss, number>>
}

/** Moments between two pauses for whoever replays beside other work: a few milliseconds of it. */
const PAUSE_AFTER = 1_000

/**
 * Replays stored values through a rule's conditions, as the engine would have taken them up. Nothing is known of what its own
 * actions would have changed.
 *
 * tracks    one of each condition, in order
 * from, to  epoch ms
 * yields    now and then, so that other work can be done
 */
export function* replay(
  rule: TruthRule,
  tracks: readonly Track[],
  { from, to, awake }: { from: number; to: number; awake: PeriodSchedule },
): Generator<undefined, ReplayResult> {
  const conditions = rule.Conditions.PeripheralUIDs
  const turns: Turns[] = []
  for (const [i, track] of tracks.entries()) {
    turns.push(yield* turnsOf(conditions[i]!, track, from, to))
  }
  const waits = new Map<TruthTimer, number>()
  const done: ReplayResult = { runs: [], blocked: {} }
  let state: TruthState | undefined
  let open: ReplayResult['runs'] = []

  /** What is due since a moment that was not known is done when it is. */
  let latest = from
  function take(event: TruthEvent, now: number): void {
    latest = Math.max(latest, now)
    const next = stepTruth(rule, state, event, now)
    state = next.state
    for (const effect of next.effects) {
      if (effect.do === 'wait') waits.set(effect.wait, effect.dueAt)
      else if (effect.do === 'dropWait') waits.delete(effect.wait)
      else if (effect.do === 'skip') done.blocked[effect.reason] = (done.blocked[effect.reason] ?? 0) + 1
      else if (effect.do === 'fire') {
        const run = { at: latest, endedAt: null }
        done.runs.push(run)
        open.push(run)
      } else if (effect.do === 'end' || effect.do === 'clear') {
        for (const run of open) run.endedAt = latest
        open = []
      }
    }
  }

  const values = turns.map(({ first }) => first)
  const seen = turns.map(() => 0)
  const toldAt = (i: number) => turns[i]!.at[seen[i]!] ?? Infinity
  const isMeasured = (i: number) => tracks[i]!.isMeasured === true
  /** What is told comes before what is measured at its moment. */
  const isBefore = (i: number, next: number) =>
    toldAt(i) < toldAt(next) || (toldAt(i) === toldAt(next) && isMeasured(next) && !isMeasured(i))
  /** One report tells several fields of one device, and never those of two; what is measured is looked at together. */
  const isToldWith = (i: number, first: number) =>
    isMeasured(first) || conditions[i]!.PeripheralUID === conditions[first]!.PeripheralUID
  take({ kind: 'begin', because: 'saved', awake: awake.is(from), values: [...values] }, from)
  let turnsAt = awake.changesAfter(from)
  for (let count = 1; ; count++) {
    let due: [TruthTimer, number] | undefined
    for (const wait of waits) if (!due || wait[1] < due[1]) due = wait
    let next = 0
    for (let i = 1; i < turns.length; i++) if (isBefore(i, next)) next = i
    const told = toldAt(next)
    const now = Math.min(told, due?.[1] ?? Infinity, turnsAt ?? Infinity)
    if (now > to || now === Infinity) return done
    if (count % PAUSE_AFTER === 0) yield
    if (told === now) {
      const changed: number[] = []
      const first = next
      for (let i = 0; i < turns.length; i++) {
        if (toldAt(i) !== now || !isToldWith(i, first)) continue
        const at = seen[i]!++
        values[i] = turns[i]!.values[at]
        if (turns[i]!.changes.has(at)) changed.push(i)
      }
      take({ kind: 'observed', at: now, received: now, values: [...values], changed }, now)
    } else if (due && due[1] === now) {
      waits.delete(due[0])
      take({ kind: 'due', wait: due[0] }, now)
    } else {
      take({ kind: 'awake', awake: awake.is(now) }, now)
      turnsAt = awake.changesAfter(now)
    }
  }
}

/**
 * What of a track is anything to take up.
 *
 * first       what is known when it begins
 * at, values  when a condition turns, becomes known or unknown, or its counter changes, and its value from then on
 * changes     which of them are a counter's changes
 */
interface Turns {
  first: number | undefined
  at: number[]
  values: (number | undefined)[]
  changes: Set<number>
}

/** Leaves out values that leave a condition's verdict as it was, which are nearly all of a figure. */
function* turnsOf(
  condition: ComparedCondition,
  track: Track,
  from: number,
  to: number,
): Generator<undefined, Turns> {
  const head = createTrackCursor(track, from)
  let value = head.value()
  const turns: Turns = { first: value, at: [], values: [], changes: new Set() }
  let last = evaluateCondition(condition, value, undefined)
  let count = 0
  for (let at = head.next(); at <= to; at = head.next()) {
    if (++count % PAUSE_AFTER === 0) yield
    const before = value
    value = head.advance()
    if (value === undefined && before === undefined) continue
    const verdict = evaluateCondition(condition, value, last)
    const isChange =
      condition.Logical === 'changed' && before !== undefined && value !== undefined && before !== value
    if (isChange) turns.changes.add(turns.at.length)
    if (isChange || before === undefined || value === undefined || verdict !== last) {
      turns.at.push(at)
      turns.values.push(value)
    }
    last = verdict ?? last
  }
  return turns
}

/** A place in a track that only goes forward, from a moment on: what is known there, and where that may turn next. */
export function createTrackCursor({ at, values, goodFor, unknown }: Track, from: number) {
  let i = -1
  let span = 0
  let now = from
  while (i + 1 < at.length && at[i + 1]! <= from) i++
  skipSpans()

  function skipSpans() {
    while (span < unknown.length && unknown[span]!.to <= now) span++
  }
  const expiresAt = () => (i < 0 || goodFor === null ? Infinity : at[i]! + goodFor)
  function value(): number | undefined {
    const gap = unknown[span]
    if (i < 0 || (gap && gap.from <= now) || expiresAt() <= now) return undefined
    return values[i]
  }
  return {
    value,
    /** When it may turn next; Infinity when it stays. */
    next(): number {
      const gap = unknown[span]
      const turns = gap ? (gap.from > now ? gap.from : gap.to) : Infinity
      const expiry = expiresAt()
      return Math.min(at[i + 1] ?? Infinity, turns, expiry > now ? expiry : Infinity)
    },
    /** Goes there, and answers what is known then. */
    advance(): number | undefined {
      now = this.next()
      // One at a time: of two reports of one moment the first one counts, too.
      if (i + 1 < at.length && at[i + 1]! <= now) i++
      skipSpans()
      return value()
    },
  }
}
