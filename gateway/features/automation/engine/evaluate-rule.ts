import { ONLINE } from '../../../../contract/devices/kinds/history-fields.ts'
import { isPeriodOpen, nextPeriodChange } from '../logic/period-schedule.ts'
import { sumPeriodOf } from '../logic/predict-crossing.ts'
import { type Conditions, isMeterSum } from '../../../../contract/automation/condition.ts'
import type { Place } from '../../../../contract/automation/home-calendar.ts'
import {
  type ComparedCondition,
  silenceChangesAt,
} from '../../../../contract/automation/evaluate-conditions.ts'
import {
  type NearMiss,
  stepTruth,
  TRUTH_TIMERS,
  type TruthEvent,
  type TruthRule,
  type TruthTimer,
} from '../logic/condition-state.ts'
import type { ConditionTrace, ConditionTarget } from '../../../../contract/automation/run-calls.ts'
import type { CompiledRule } from './compile.ts'
import type { LogEntry, Present } from './log.ts'
import { type Change, type RuleState, type ObservedValue, valuesOf } from './rule-state.ts'
import { valueAt } from './condition-index.ts'

/** Waits of which there is one for a rule, and which a turn sets. */
export const EVALUATION_TIMERS = [...TRUTH_TIMERS, 'period', 'silent'] as const
export type EvaluationTimer = (typeof EVALUATION_TIMERS)[number]
/** When each is due, epoch ms. */
export type EvaluationTimers = Map<EvaluationTimer, number>

/** A device's clock is believed by so many ms. */
const MAX_CLOCK_SKEW_MS = 60_000
/** A wait that is taken later than this was due while no gateway ran. */
const DOWNTIME_THRESHOLD_MS = 60_000
/** So long after a period began sums are of it, ms. */
const PERIOD_GRACE_MS = 60_000
/** A meter that has told nothing for so many of its intervals is not known. */
export const STALE_AFTER_INTERVALS = 3

/** What came of a turn: to be done in this order. */
export type RuleAction = {
  at: number
  trace: ConditionTrace[]
  cause: Change | null
  /** Of an alarm: when its conditions became true by the device's clock, epoch ms, and how long ago that was when it was heard. */
  saidAt: number
  lateBy: number
} & (
  | { do: 'fire'; edgeNo: number; extends: boolean }
  | { do: 'skip'; reason: NearMiss }
  | { do: 'end' | 'noData' | 'recall' | 'clear' }
)

/** What a turn is made of. */
export interface EvaluationInput {
  rule: CompiledRule & { rule: { Conditions: Conditions }; truth: TruthRule }
  /** Null before the first. */
  memory: RuleState | null
  /** The rule is new, or was changed or switched on: its truth is armed. */
  startsAgain: boolean
  /** What was written of its devices since the last turn, in order. */
  log: readonly LogEntry[]
  /** What its devices are like now, by UID; needed where `needsPresent`. */
  present: ReadonlyMap<string, Present>
  /** What was computed for its conditions, by their index. */
  measures: ReadonlyMap<number, number | null>
  waits: ReadonlyMap<EvaluationTimer, number>
  place: Place
  now: number
}

export interface Evaluation {
  memory: RuleState
  waits: EvaluationTimers
  acts: RuleAction[]
}

interface Draft extends Evaluation {
  input: EvaluationInput
}

/** Whether a turn must know what the devices are like now. */
export const needsCurrentValues = (
  { watched, devices }: CompiledRule,
  waits: EvaluationInput['waits'],
  now: number,
): boolean =>
  watched.some(({ source }) => source === 'figure' || source === 'silence') ||
  (devices.length > 0 && watched.some(({ source }) => source === 'measure')) ||
  holdElapsedWhileDown(waits, now)

const holdElapsedWhileDown = (waits: EvaluationInput['waits'], now: number): boolean =>
  (waits.get('hold') ?? Infinity) < now - DOWNTIME_THRESHOLD_MS

/**
 * What becomes of a rule by what happened since its last turn: the changes that were written in the meantime and the waits that
 * became due, in the order of time, and then what is measured now.
 */
export function evaluateRule(input: EvaluationInput): Evaluation {
  const { memory, now } = input
  const draft: Draft = {
    input,
    memory: memory ? structuredClone(memory) : createMemory(),
    waits: new Map(input.waits),
    acts: [],
  }
  if (input.startsAgain || !memory) {
    armRule(draft)
    return draft
  }
  for (const { moment, entries } of momentsOf(input.log, now)) {
    const at = Math.max(moment, Math.min(draft.memory.asOf, now))
    runDueTimers(draft, at)
    applyReport(draft, entries, at)
  }
  sampleCurrentValues(draft)
  runDueTimers(draft, now + 1)
  return draft
}

const createMemory = (): RuleState => ({
  // A first step ignores it.
  truth: undefined as unknown as RuleState['truth'],
  asOf: 0,
  observed: [],
  offline: [],
  cause: null,
  owed: null,
  told: null,
  ahead: null,
})

/** One thing that happens to the truth; what comes of it is noted. */
function applyEvent(draft: Draft, event: TruthEvent, at: number, cause?: Change): void {
  const { input, memory, waits, acts } = draft
  const was = memory.truth?.truth
  const { state, effects } = stepTruth(input.rule.truth, memory.truth, event, at)
  memory.truth = state
  memory.asOf = at
  if (state.truth === true && was !== true) memory.cause = cause ?? null
  const { saidAt = at, lateBy = 0 } = state
  for (const effect of effects)
    if (effect.do === 'wait') waits.set(effect.wait, effect.dueAt)
    else if (effect.do === 'dropWait') waits.delete(effect.wait)
    else acts.push({ at, trace: traceOf(draft), cause: cause ?? memory.cause, saidAt, lateBy, ...effect })
}

/** Arms the truth: by what is known now, and as if it had always been so. */
function armRule(draft: Draft): void {
  const { input, memory, waits } = draft
  const { rule, present, now, place } = input
  memory.offline = [...present.values()].filter(({ isOnline }) => !isOnline).map(({ uid }) => uid)
  memory.observed = rule.watched.map((_, i) => observationOf(draft, i))
  Object.assign(memory, { told: null, ahead: null })
  const { Period } = rule.rule.Conditions
  applyEvent(
    draft,
    {
      kind: 'begin',
      because: 'saved',
      awake: isPeriodOpen(Period, now, place),
      values: valuesOf(rule, memory),
    },
    now,
  )
  waits.delete('period')
  updatePeriodTimer(draft, now)
  updateSilenceTimer(draft)
}

/** What a condition's value is now, as far as it is not in the log. */
function observationOf(draft: Draft, i: number): ObservedValue {
  const { input } = draft
  const { rule, present, measures, now } = input
  const watched = rule.watched[i]
  const device = watched && present.get(watched.condition.PeripheralUID)
  if (watched?.source === 'measure') return { value: measures.get(i) ?? null, at: now }
  if (!watched || !device) return { value: null, at: null }
  if (watched.source === 'online') return { value: device.isOnline ? 1 : 0, at: now }
  if (device.timestamp === null) return { value: null, at: null }
  if (watched.source === 'silence') return silenceAt(draft, device.uid, now)
  const isStale =
    watched.source === 'figure' &&
    device.frequency !== null &&
    now - device.timestamp > device.frequency * STALE_AFTER_INTERVALS * 1000
  const value = isStale ? undefined : valueAt(device.values ?? {}, watched.condition.Field)
  return { value: value ?? null, at: device.timestamp }
}

/** For how long a device had told nothing at a moment, epoch ms; of one that has told something since, nothing more is known than that. */
function silenceAt({ input }: Draft, uid: string, moment: number): ObservedValue {
  const last = input.present.get(uid)?.timestamp ?? null
  return last === null ? { value: null, at: null } : { value: Math.max(0, moment - last) / 1000, at: moment }
}

/** Entries of the log that belong to one moment: one report writes all of its changes, by the order of their names. */
interface Moment {
  /** When it is taken to have happened, epoch ms. */
  moment: number
  entries: LogEntry[]
}

function momentsOf(log: readonly LogEntry[], now: number): Moment[] {
  const moments: Moment[] = []
  for (const entry of log) {
    const last = moments.at(-1)
    const before = last?.entries.at(-1)
    const isSame =
      before !== undefined &&
      before.uid === entry.uid &&
      before.timestamp === entry.timestamp &&
      before.late === entry.late &&
      before.field < entry.field &&
      before.field !== ONLINE &&
      entry.field !== ONLINE
    if (last && isSame) last.entries.push(entry)
    else moments.push({ moment: momentOf(entry, now), entries: [entry] })
  }
  // What was written before something else happened before it, whatever the clocks of devices say.
  for (let i = moments.length - 2; i >= 0; i--) {
    const [one, next] = [moments[i] as Moment, moments[i + 1] as Moment]
    one.moment = Math.min(one.moment, next.moment)
  }
  return moments
}

/** Whether a device can be heard is noted by the gateway's clock; what it says, by its own. */
const momentOf = ({ field, timestamp }: LogEntry, now: number): number =>
  field === ONLINE ? Math.min(timestamp, now) : Math.min(Math.max(timestamp, now - MAX_CLOCK_SKEW_MS), now)

/** Takes what one report, or the presence of a device, changed. */
function applyReport(draft: Draft, entries: readonly LogEntry[], moment: number): void {
  const { input, memory } = draft
  const { rule, now } = input
  const changed: number[] = []
  let cause: Change | undefined
  let isRelevant = false
  for (const { uid, field, before, value, timestamp, late } of entries) {
    if (late) continue
    if (field === ONLINE) {
      memory.offline = memory.offline.filter((one) => one !== uid)
      if (value === 0) memory.offline.push(uid)
      isRelevant = true
    }
    rule.watched.forEach(({ condition, source }, i) => {
      if (condition.PeripheralUID !== uid || condition.Field !== field || source === 'figure') return
      memory.observed[i] = { value, at: timestamp }
      isRelevant = true
      if (field !== ONLINE) cause ??= { uid, field, value, at: timestamp }
      if (before !== null) changed.push(i)
    })
  }
  const at = entries[0]?.timestamp ?? now
  if (!isRelevant) return
  sampleReporting(draft, entries, moment)
  const received = entries[0]?.field === ONLINE ? at : now
  applyEvent(
    draft,
    { kind: 'observed', at, received, values: valuesOf(rule, memory), changed },
    moment,
    cause,
  )
}

/** Takes what is measured of devices that told something: the figures of the same report and what it made of sums, and that they are not silent. */
function sampleReporting(draft: Draft, entries: readonly LogEntry[], moment: number): void {
  const { input, memory } = draft
  for (const { uid, field, timestamp, late } of entries) {
    if (late) continue
    const isNewest = field !== ONLINE && input.present.get(uid)?.timestamp === timestamp
    input.rule.watched.forEach(({ condition, source }, i) => {
      if (condition.PeripheralUID !== uid) return
      if (source === 'silence')
        memory.observed[i] = silenceAt(draft, uid, field === ONLINE ? moment : timestamp)
      else if (source === 'figure' && isNewest) memory.observed[i] = observationOf(draft, i)
      else if (
        source === 'measure' &&
        isNewest &&
        input.measures.has(i) &&
        periodStart(draft, i) === undefined
      )
        memory.observed[i] = observationOf(draft, i)
    })
  }
}

/** Of a sum: when the hour, day or month began that runs, if what was seen last is of an earlier one. */
function periodStart({ input, memory }: Draft, i: number): number | undefined {
  const { Field = '' } = input.rule.watched[i]?.condition ?? {}
  const { value = null, at = null } = memory.observed[i] ?? {}
  const fresh = input.measures.get(i)
  if (!isMeterSum(Field) || value === null || at === null || fresh === undefined) return undefined
  const { from } = sumPeriodOf(Field, input.now, input.place.zone)
  // What is no less right after it began was computed before.
  const isOfIt = fresh === null || fresh < value || input.now - from > PERIOD_GRACE_MS
  return at < from && isOfIt ? from : undefined
}

/** A sum begins at zero with its hour, day or month, whatever it is by now. */
function beginPeriods(draft: Draft): void {
  const { input, memory } = draft
  const begun = input.rule.watched.map((_, i) => periodStart(draft, i))
  const first = Math.max(...begun.map((from) => from ?? -Infinity))
  if (first === -Infinity) return
  const at = Math.min(Math.max(first, memory.asOf), input.now)
  runDueTimers(draft, at)
  memory.observed = memory.observed.map((old, i) => (begun[i] === undefined ? old : { value: 0, at }))
  applyEvent(draft, { kind: 'observed', at, received: at, values: valuesOf(input.rule, memory) }, at)
}

/** Takes what is measured now. */
function sampleCurrentValues(draft: Draft): void {
  beginPeriods(draft)
  const { input, memory } = draft
  const { rule, now } = input
  let at: number | undefined
  const observed = rule.watched.map(({ source }, i) => {
    const old = memory.observed[i] ?? { value: null, at: null }
    if (source === 'event' || source === 'online') return old
    if (source === 'measure' && !input.measures.has(i)) return old
    const fresh = observationOf(draft, i)
    if (fresh.value !== old.value) at = Math.max(at ?? 0, fresh.value === null ? now : (fresh.at ?? now))
    return fresh
  })
  if (at === undefined) return updateSilenceTimer(draft)
  runDueTimers(draft, Math.min(Math.max(at, now - MAX_CLOCK_SKEW_MS), now))
  memory.observed = observed
  applyEvent(draft, { kind: 'observed', at, received: now, values: valuesOf(rule, memory) }, now)
  updateSilenceTimer(draft)
}

/** Tells the truth of each wait that was due before a moment, in their order. */
function runDueTimers(draft: Draft, before: number): void {
  // A wait that is set again for the same moment would never end.
  for (let left = 100; left > 0; left--) {
    const next = [...draft.waits].filter(([, dueAt]) => dueAt < before).toSorted((a, b) => a[1] - b[1])[0]
    if (!next) return
    const [kind, dueAt] = next
    draft.waits.delete(kind)
    if (kind === 'period') updatePeriodTimer(draft, dueAt)
    else if (kind !== 'silent') runTruthWait(draft, kind, dueAt)
  }
}

function runTruthWait(draft: Draft, wait: TruthTimer, dueAt: number): void {
  const { now, rule, place } = draft.input
  if (wait === 'hold' && dueAt < now - DOWNTIME_THRESHOLD_MS && draft.memory.truth.truth === true) {
    const values = valuesOf(rule, draft.memory)
    const awake = isPeriodOpen(rule.rule.Conditions.Period, now, place)
    const holdGoesOn = haveAllReportedSince(draft, dueAt)
    return applyEvent(draft, { kind: 'begin', because: 'started', awake, values, holdGoesOn }, now)
  }
  // A level that is still true fires now, and not as often as it would have meanwhile.
  applyEvent(draft, { kind: 'due', wait }, wait === 'repeat' ? now : dueAt)
}

/** Whether each device of the conditions has reported since a moment: then nothing contrary was missed. */
const haveAllReportedSince = ({ input }: Draft, moment: number): boolean =>
  input.rule.watched.every(
    ({ condition, source }) =>
      (source !== 'event' && source !== 'figure') ||
      (input.present.get(condition.PeripheralUID)?.timestamp ?? 0) >= moment,
  )

/** Opens or closes the period as of a moment, and waits for when it turns next. */
function updatePeriodTimer(draft: Draft, at: number): void {
  const { rule, place } = draft.input
  const { Period } = rule.rule.Conditions
  if (Period.length === 0) return
  applyEvent(draft, { kind: 'awake', awake: isPeriodOpen(Period, at, place) }, at)
  const next = nextPeriodChange(Period, at, place)
  if (next !== undefined) draft.waits.set('period', next)
}

/** Waits for when a silence turns a condition by itself. */
function updateSilenceTimer(draft: Draft): void {
  const { rule, present, now } = draft.input
  if (!rule.watched.some(({ source }) => source === 'silence')) return
  const turns = rule.watched.flatMap(({ condition, source }) => {
    const timestamp = present.get(condition.PeripheralUID)?.timestamp ?? null
    return source === 'silence' && timestamp !== null
      ? (silenceChangesAt(condition, timestamp, now) ?? [])
      : []
  })
  draft.waits.delete('silent')
  if (turns.length > 0) draft.waits.set('silent', Math.min(...turns))
}

/** What the conditions are like now, for whoever asks why. */
function traceOf({ input, memory }: Draft): ConditionTrace[] {
  const values = valuesOf(input.rule, memory)
  return input.rule.watched.map(({ condition }, i) => ({
    PeripheralUID: condition.PeripheralUID,
    Field: condition.Field,
    Value: values[i] ?? null,
    At: memory.observed[i]?.at ?? null,
    Verdict: values[i] === undefined ? null : (memory.truth.verdicts[i] ?? null),
    Needed: neededBy(condition),
  }))
}

/** What a condition asks for; what tells of a change is compared with nothing. */
function neededBy({ Logical, Status, Clear }: ComparedCondition): ConditionTarget {
  return {
    Logical,
    Status,
    ...(Clear !== undefined && { Clear: typeof Clear === 'number' ? Clear : [...Clear] }),
  }
}
