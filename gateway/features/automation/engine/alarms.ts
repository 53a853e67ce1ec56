import { predictCrossing, sumPeriodOf } from '../logic/predict-crossing.ts'
import type { AlarmPart } from '../../../../contract/automation/alarm-part.ts'
import { HOME_SUBJECT, isMeterSum } from '../../../../contract/automation/condition.ts'
import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import type { RuleAlarm } from '../../../domain/alarms/rule-alarms.ts'
import type { Db } from '../../../kernel/db.ts'
import { isNotableChange, alarmPeaksOf, alarmReadingsOf } from './alarm-readings.ts'
import type { CompiledRule } from './compile.ts'
import { type RuleState, valuesOf } from './rule-state.ts'
import type { EnginePorts } from './ports.ts'
import type { RuleAction } from './evaluate-rule.ts'

/** Changes that happened longer ago than this, ms, are recorded without notifying anyone. */
const MAX_NOTICE_AGE_MS = 3_600_000
/** Minimum interval between two updates of a predicted crossing, ms. */
const FORECAST_NOTICE_INTERVAL_MS = 60_000

/** Dependencies of alarm handling within the transaction that evaluates the rule. */
export interface AlarmDeps {
  alarms: EnginePorts['alarms']
  tx: Db
  rule: CompiledRule
  alarm: AlarmPart
  memory: RuleState
  now: number
}

const keyOf = ({ rule: { tenant, automationId } }: AlarmDeps, kind: RuleAlarm['kind']) => ({
  tenant,
  automationId,
  kind,
})

/** Fields that all alarms of a rule have in common. */
const alarmOf = (
  alarming: AlarmDeps,
  { kind, ...rest }: Pick<RuleAlarm, 'kind' | 'severity' | 'readings' | 'at' | 'late'>,
): RuleAlarm => ({
  ...keyOf(alarming, kind),
  homeId: alarming.rule.homeId,
  automationName: alarming.rule.name,
  peripheralUid: deviceOf(alarming.rule),
  notify: alarming.rule.rule.Notify,
  // A prediction has no alarm to acknowledge, so it is not escalated.
  escalate: kind === 'rule' ? alarming.alarm.Escalate : [],
  ...rest,
})

/** The only device of a rule's conditions; null for the home, a virtual meter, or several devices. */
function deviceOf({ watched }: CompiledRule): string | null {
  const uids = new Set(watched.map(({ condition }) => condition.PeripheralUID))
  const [uid = HOME_SUBJECT] = uids
  return uids.size > 1 || uid === HOME_SUBJECT || uid.startsWith(VIRTUAL_PREFIX) ? null : uid
}

/** Raises, updates or clears the alarm of a rule, as the evaluation demands. */
export async function applyAlarmAction(alarming: AlarmDeps, act: RuleAction): Promise<void> {
  const { alarms, tx, rule, alarm, memory, now } = alarming
  if (act.do === 'clear') {
    memory.told = null
    return alarms.clear(tx, { ...keyOf(alarming, 'rule'), at: act.at })
  }
  // A recall that follows missing data must not raise an alarm whose conditions are not true.
  if (act.do === 'recall' && memory.truth.truth !== true) return
  const values = act.trace.map(({ Value }) => Value)
  const told = { at: now, values, peaks: alarmPeaksOf(rule, memory.told?.peaks ?? [], values) }
  memory.told = told
  const hasSaid = act.do !== 'noData'
  await alarms.raise(
    tx,
    alarmOf(alarming, {
      kind: 'rule',
      severity: alarm.Severity,
      readings: alarmReadingsOf(rule, told),
      at: hasSaid ? act.saidAt : act.at,
      late: hasSaid && act.lateBy > MAX_NOTICE_AGE_MS,
    }),
  )
}

/** Records the current readings of an open alarm. */
export async function updateAlarmReadings(alarming: AlarmDeps): Promise<void> {
  const { alarms, tx, rule, memory, now } = alarming
  const { told } = memory
  if (!told) return
  const values = valuesOf(rule, memory).map((value) => value ?? null)
  if (!isNotableChange(rule, told, values, now)) return
  memory.told = { at: now, values, peaks: alarmPeaksOf(rule, told.peaks, values) }
  await alarms.change(tx, {
    ...keyOf(alarming, 'rule'),
    readings: alarmReadingsOf(rule, memory.told),
    at: now,
  })
}

/**
 * Raises an alarm if a sum is predicted to cross its limit, and clears it when it no longer is.
 *
 * pace  kWh in the last 60 minutes; null if unknown
 */
export async function updatePredictedAlarm(
  alarming: AlarmDeps,
  pace: number | null,
  zone: string,
): Promise<void> {
  const { alarms, tx, rule, memory, now } = alarming
  const [watched] = rule.watched
  const ahead = memory.ahead ?? null
  if (!watched || !isMeterSum(watched.condition.Field)) return
  const { Field: field, Status, Clear } = watched.condition
  const limit = Number(Status)
  const sum = memory.observed[0]?.value ?? null
  const rising = { field, sum, pace, limit, clear: Number(Clear ?? limit), isTold: ahead !== null }
  // A prediction ends with its hour, day or month.
  const at =
    ahead && ahead.crossesAt < sumPeriodOf(field, now, zone).from ? null : predictCrossing(rising, now, zone)
  if (at === undefined) return
  if (at === null) {
    memory.ahead = null
    if (ahead) await alarms.clear(tx, { ...keyOf(alarming, 'ahead'), at: now })
    return
  }
  const readings = alarmReadingsOf(rule, { values: [sum], peaks: [sum] }, at)
  if (!ahead) {
    if (!memory.truth.awake) return
    await alarms.raise(
      tx,
      alarmOf(alarming, { kind: 'ahead', severity: 'warning', readings, at: now, late: false }),
    )
  } else if (now - ahead.toldAt < FORECAST_NOTICE_INTERVAL_MS || ahead.crossesAt === at) return
  else await alarms.change(tx, { ...keyOf(alarming, 'ahead'), readings, at: now })
  memory.ahead = { crossesAt: at, toldAt: now }
}
