import { predictCrossing, sumPeriodOf } from '../logic/predict-crossing.ts'
import type { AlarmPart } from '../../../../contract/automation/alarm-part.ts'
import { HOME_SUBJECT, isMeterSum } from '../../../../contract/automation/condition.ts'
import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import type { RuleAlarm } from '../../../domain/alarms/rule-alarms.ts'
import type { Db } from '../../../kernel/db.ts'
import type { AlarmReading } from '../../../../contract/alarms/calls.ts'
import type { ComparedCondition } from '../../../../contract/automation/evaluate-conditions.ts'
import type { CompiledRule } from './compile.ts'
import {
  type Prediction,
  type RecordedReadings,
  type RuleState,
  valuesOf,
  type RuleAction,
} from './rule-state.ts'
import type { EnginePorts } from './ports.ts'

/** Minimum interval between two recordings of an open alarm's readings, ms, unless a value has worsened by GROWTH of its peak. */
const RECORD_INTERVAL_MS = 60_000
const GROWTH = 0.01

type Watching = Pick<CompiledRule, 'watched'>
type Values = readonly (number | null)[]

/** Readings of an alarm's conditions as stored with the alarm. */
const alarmReadingsOf = (
  { watched }: Watching,
  { values, peaks }: Pick<RecordedReadings, 'values' | 'peaks'>,
  crossesAt: number | null = null,
): AlarmReading[] =>
  watched.map(({ condition: { Field, Logical, Status } }, i) => ({
    Field,
    Logical,
    Limit: Status,
    Value: values[i] ?? null,
    Peak: peaks[i] ?? null,
    CrossesAt: crossesAt,
  }))

/** Severity of a value, for comparison; undefined if the operator has no worse direction. */
function excessOf({ Logical, Status }: ComparedCondition, value: number): number | undefined {
  if (Array.isArray(Status))
    return Logical === 'outside' ? Math.max(Status[0] - value, value - Status[1]) : undefined
  if (Logical === '>' || Logical === '>=') return value
  return Logical === '<' || Logical === '<=' ? -value : undefined
}

/** Worst value of each condition so far; the latest value if the operator has no worse direction. */
const alarmPeaksOf = ({ watched }: Watching, before: Values, values: Values): (number | null)[] =>
  watched.map(({ condition }, i) => {
    const [peak = null, value = null] = [before[i], values[i]]
    if (peak === null || value === null) return value ?? peak
    const [previous, current] = [excessOf(condition, peak), excessOf(condition, value)]
    return previous !== undefined && current !== undefined && current <= previous ? peak : value
  })

/** Whether to record the current readings of an open alarm: a changed value once a minute, a worse one immediately. */
export function isNotableChange(
  rule: Watching,
  recorded: RecordedReadings,
  values: Values,
  now: number,
): boolean {
  if (values.every((value, i) => value === (recorded.values[i] ?? null))) return false
  // A clock that was set back must not block recording.
  if (now - recorded.at >= RECORD_INTERVAL_MS || now < recorded.at) return true
  return rule.watched.some(({ condition }, i) => {
    const [peak = null, value = null] = [recorded.peaks[i], values[i]]
    if (peak === null || value === null) return peak !== value && value !== null
    const [previous, current] = [excessOf(condition, peak), excessOf(condition, value)]
    return (
      previous !== undefined &&
      current !== undefined &&
      current - previous >= Math.abs(peak) * GROWTH &&
      current > previous
    )
  })
}

/** Changes that happened longer ago than this, ms, are recorded without notifying anyone. */
const MAX_NOTICE_AGE_MS = 3_600_000
/** Minimum interval between two updates of a predicted crossing, ms. */
const PREDICTION_INTERVAL_MS = 60_000

/** Alarm of a rule within the transaction that evaluates it. */
export interface AlarmContext {
  alarms: EnginePorts['alarms']
  tx: Db
  rule: CompiledRule
  alarm: AlarmPart
  now: number
}

const keyOf = ({ rule: { tenant, automationId } }: AlarmContext, kind: RuleAlarm['kind']) => ({
  tenant,
  automationId,
  kind,
})

/** Fields that all alarms of a rule have in common. */
const alarmOf = (
  context: AlarmContext,
  { kind, ...rest }: Pick<RuleAlarm, 'kind' | 'severity' | 'readings' | 'at' | 'late'>,
): RuleAlarm => ({
  ...keyOf(context, kind),
  homeId: context.rule.homeId,
  automationName: context.rule.name,
  peripheralUid: deviceOf(context.rule),
  notify: context.rule.rule.Notify,
  // A prediction has no alarm to acknowledge, so it is not escalated.
  escalate: kind === 'rule' ? context.alarm.Escalate : [],
  ...rest,
})

/** The only device of a rule's conditions; null for the home, a virtual meter, or several devices. */
function deviceOf({ watched }: CompiledRule): string | null {
  const uids = new Set(watched.map(({ condition }) => condition.PeripheralUID))
  const [uid = HOME_SUBJECT] = uids
  return uids.size > 1 || uid === HOME_SUBJECT || uid.startsWith(VIRTUAL_PREFIX) ? null : uid
}

/** Raises, updates or clears the alarm of a rule, as the evaluation demands; returns the readings that are recorded with it. */
export async function applyAlarmAction(
  context: AlarmContext,
  action: Exclude<RuleAction, { do: 'skip' | 'end' }>,
  { truth, recordedReadings: recorded = null }: RuleState,
): Promise<RecordedReadings | null> {
  const { alarms, tx, rule, alarm, now } = context
  if (action.do === 'clear') {
    await alarms.clear(tx, { ...keyOf(context, 'rule'), at: action.at })
    return null
  }
  // A recall that follows missing data must not raise an alarm whose conditions are not true.
  if (action.do === 'recall' && truth.truth !== true) return recorded
  const values = action.trace.map(({ Value }) => Value)
  const readings = { at: now, values, peaks: alarmPeaksOf(rule, recorded?.peaks ?? [], values) }
  const isReported = action.do !== 'noData'
  await alarms.raise(
    tx,
    alarmOf(context, {
      kind: 'rule',
      severity: alarm.Severity,
      readings: alarmReadingsOf(rule, readings),
      at: isReported ? action.reportedAt : action.at,
      late: isReported && action.delayMs > MAX_NOTICE_AGE_MS,
    }),
  )
  return readings
}

/** Records the current readings of an open alarm if they have changed notably; returns the recorded ones. */
export async function readingsAfterUpdate(
  context: AlarmContext,
  state: RuleState,
): Promise<RuleState['recordedReadings']> {
  const { alarms, tx, rule, now } = context
  const { recordedReadings: recorded } = state
  const values = valuesOf(rule, state).map((value) => value ?? null)
  if (!recorded || !isNotableChange(rule, recorded, values, now)) return recorded
  const readings = { at: now, values, peaks: alarmPeaksOf(rule, recorded.peaks, values) }
  await alarms.change(tx, { ...keyOf(context, 'rule'), readings: alarmReadingsOf(rule, readings), at: now })
  return readings
}

/**
 * Raises an alarm if a sum is predicted to cross its limit, and clears it when it no longer is; returns the prediction.
 *
 * pace  kWh in the last 60 minutes; null if unknown
 */
export async function predictionAfter(
  context: AlarmContext,
  { prediction, observed, truth }: RuleState,
  pace: number | null,
  zone: string,
): Promise<Prediction | null | undefined> {
  const { alarms, tx, rule, now } = context
  const [watched] = rule.watched
  if (!watched || !isMeterSum(watched.condition.Field)) return prediction
  const { Field: field, Status, Clear } = watched.condition
  const limit = Number(Status)
  const sum = observed[0]?.value ?? null
  const isPredicted = prediction !== null && prediction !== undefined
  const rising = { field, sum, pace, limit, clear: Number(Clear ?? limit), isNotified: isPredicted }
  // A prediction ends with its hour, day or month.
  const isOver = isPredicted && prediction.crossesAt < sumPeriodOf(field, now, zone).from
  const at = isOver ? null : predictCrossing(rising, now, zone)
  if (at === undefined) return prediction
  if (at === null) {
    if (isPredicted) await alarms.clear(tx, { ...keyOf(context, 'ahead'), at: now })
    return null
  }
  const readings = alarmReadingsOf(rule, { values: [sum], peaks: [sum] }, at)
  if (!isPredicted) {
    if (!truth.isPeriodOpen) return prediction
    await alarms.raise(
      tx,
      alarmOf(context, { kind: 'ahead', severity: 'warning', readings, at: now, late: false }),
    )
  } else {
    const isRecent = now - prediction.publishedAt < PREDICTION_INTERVAL_MS
    if (isRecent || prediction.crossesAt === at) return prediction
    await alarms.change(tx, { ...keyOf(context, 'ahead'), readings, at: now })
  }
  return { crossesAt: at, publishedAt: now }
}
