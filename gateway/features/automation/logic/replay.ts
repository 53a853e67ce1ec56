import {
  advanceTruth,
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
 * Stored history of one condition's field.
 *
 * at, values  time of each report, epoch ms, ascending, and the value from then on; two at the same time are two reports
 * goodFor     ms after which a value is no longer known; null for a state, which holds until it changes
 * unknown     spans in which nothing is known, ascending, not overlapping
 * isMeasured  evaluated together with all other measured fields of that time; absent for fields that are reported change by change
 */
export interface Track {
  at: readonly number[]
  values: readonly number[]
  goodFor: number | null
  unknown: readonly { from: number; to: number }[]
  isMeasured?: boolean
}

/** Whether a rule's Period is open at a time, and its next change after one; undefined if it never changes. */
export interface PeriodSchedule {
  is(at: number): boolean
  changesAfter(at: number): number | undefined
}

/**
 * Simulated runs of a rule: start and end of each, or of an alarm (endedAt null if after the range), and the number of near misses by
 * reason.
 */
export interface ReplayResult {
  runs: { at: number; endedAt: number | null }[]
  blocked: Partial<Record<NearMiss, number>>
}

/** Steps between two yields: a few milliseconds of work. */
const PAUSE_AFTER = 1_000

/**
 * Replays stored values through a rule's conditions, as the engine would have processed them. Effects of its own actions on the
 * values are not simulated.
 *
 * tracks    one for each condition, in order
 * from, to  epoch ms
 * yields    now and then, so that other work can run
 */
export function* replay(
  rule: TruthRule,
  tracks: readonly Track[],
  { from, to, period }: { from: number; to: number; period: PeriodSchedule },
): Generator<undefined, ReplayResult> {
  const conditions = rule.Conditions.PeripheralUIDs
  const changes: RelevantChanges[] = []
  for (const [i, track] of tracks.entries()) {
    changes.push(yield* relevantChanges(conditions[i]!, track, from, to))
  }
  const result: ReplayResult = { runs: [], blocked: {} }
  let truth: TruthState | undefined
  let timers: ReadonlyMap<TruthTimer, number> = new Map()
  let open: ReplayResult['runs'] = []

  /** A timer that was due in an unknown span is processed when that ends. */
  let latest = from
  function apply(event: TruthEvent, now: number): void {
    latest = Math.max(latest, now)
    const next = advanceTruth(rule, { truth, timers }, event, now)
    truth = next.truth
    timers = next.timers
    for (const action of next.actions) {
      if (action.do === 'skip') result.blocked[action.reason] = (result.blocked[action.reason] ?? 0) + 1
      else if (action.do === 'fire') {
        const run = { at: latest, endedAt: null }
        result.runs.push(run)
        open.push(run)
      } else if (action.do === 'end' || action.do === 'clear') {
        for (const run of open) run.endedAt = latest
        open = []
      }
    }
  }

  const values = changes.map(({ first }) => first)
  /** Index of the next change of each condition. */
  const position = changes.map(() => 0)
  const nextChange = (i: number) => changes[i]!.at[position[i]!] ?? Infinity
  const isMeasured = (i: number) => tracks[i]!.isMeasured === true
  /** At the same time, reported changes come before measured values. */
  const isBefore = (i: number, next: number) =>
    nextChange(i) < nextChange(next) ||
    (nextChange(i) === nextChange(next) && isMeasured(next) && !isMeasured(i))
  /** One report contains several fields of one device, never of two; measured fields are evaluated together. */
  const isReportedWith = (i: number, first: number) =>
    isMeasured(first) || conditions[i]!.PeripheralUID === conditions[first]!.PeripheralUID
  apply({ kind: 'begin', because: 'saved', isPeriodOpen: period.is(from), values: [...values] }, from)
  let periodChangesAt = period.changesAfter(from)
  for (let count = 1; ; count++) {
    let due: [TruthTimer, number] | undefined
    for (const timer of timers) if (!due || timer[1] < due[1]) due = timer
    let next = 0
    for (let i = 1; i < changes.length; i++) if (isBefore(i, next)) next = i
    const changesAt = nextChange(next)
    const now = Math.min(changesAt, due?.[1] ?? Infinity, periodChangesAt ?? Infinity)
    if (now > to || now === Infinity) return result
    if (count % PAUSE_AFTER === 0) yield
    if (changesAt === now) {
      const changed: number[] = []
      for (let i = 0; i < changes.length; i++) {
        if (nextChange(i) !== now || !isReportedWith(i, next)) continue
        const at = position[i]!++
        values[i] = changes[i]!.values[at]
        if (changes[i]!.counted.has(at)) changed.push(i)
      }
      apply({ kind: 'observed', at: now, received: now, values: [...values], changed }, now)
    } else if (due && due[1] === now) {
      const [timer] = due
      timers = new Map([...timers].filter(([kind]) => kind !== timer))
      apply({ kind: 'timer', timer }, now)
    } else {
      apply({ kind: 'period', isOpen: period.is(now) }, now)
      periodChangesAt = period.changesAfter(now)
    }
  }
}

/**
 * The points of a track that matter to a condition.
 *
 * first       value at the start, if known
 * at, values  times at which the condition changes, becomes known or unknown, or its counter changes, and the value from then on
 * counted     indexes that are changes of a counter
 */
interface RelevantChanges {
  first: number | undefined
  at: number[]
  values: (number | undefined)[]
  counted: Set<number>
}

/** Skips values that leave a condition's verdict unchanged, which are nearly all of a measured field. */
function* relevantChanges(
  condition: ComparedCondition,
  track: Track,
  from: number,
  to: number,
): Generator<undefined, RelevantChanges> {
  const head = createTrackCursor(track, from)
  let value = head.value()
  const changes: RelevantChanges = { first: value, at: [], values: [], counted: new Set() }
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
    if (isChange) changes.counted.add(changes.at.length)
    if (isChange || before === undefined || value === undefined || verdict !== last) {
      changes.at.push(at)
      changes.values.push(value)
    }
    last = verdict ?? last
  }
  return changes
}

/** Forward-only cursor in a track: the value at its position, and the time of the next possible change. */
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
    /** Time of the next possible change; Infinity if there is none. */
    next(): number {
      const gap = unknown[span]
      const gapEdge = gap ? (gap.from > now ? gap.from : gap.to) : Infinity
      const expiry = expiresAt()
      return Math.min(at[i + 1] ?? Infinity, gapEdge, expiry > now ? expiry : Infinity)
    },
    /** Moves to the next change and returns the value there, if known. */
    advance(): number | undefined {
      now = this.next()
      // One at a time: of two reports with the same time, both count.
      if (i + 1 < at.length && at[i + 1]! <= now) i++
      skipSpans()
      return value()
    },
  }
}
