import { nextAlarmLife, type AlarmEvent, type NotificationEffect } from './alarm-life.ts'
import { isMoreDangerous } from '../../../../contract/alarms/alarm-states.ts'
import type { NotificationEvent, Notify } from '../../../domain/notifications/notification-transport.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/emit-alarm-events.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { endangersLife, loadAlarmFacts, isOfRule, notificationOf, type AlarmFacts } from './alarm-notices.ts'
import {
  type AlarmRow,
  insertAlarms,
  alarmLifeOf,
  transitionOf,
  newestOf,
  sourceKey,
  updateAlarms,
  applyAlarmLife,
} from './alarm-rows.ts'
import { causedByMainMeter } from './mains.ts'
import { cancelEscalations, planEscalations } from './escalations.ts'
import { introducesField, isReported, isWorseReading, mergeReadings } from './readings.ts'
import { subjectOf, type AlarmSignalState, type Signal } from './signals.ts'

/** Dependencies of alarms on other features. */
export interface AlarmPorts {
  notify: Notify
  random: { uuid(): string }
}

/** Maximum age of a report that sends notifications, ms, unless it endangers life. */
const MAX_NOTICE_AGE_MS = 3_600_000

/** Events that a source can cause. */
type SourceEvent = Extract<AlarmEvent, { muted: boolean }>

/** Event that results from a signal. */
interface Change {
  signal: Signal
  row: AlarmRow | undefined
  event: SourceEvent
}

/** Rows to write and notifications to send. */
interface Outcome {
  updated: AlarmRow[]
  added: AlarmRow[]
  told: { row: AlarmRow; facts: AlarmFacts; tells: NotificationEffect; at: number; muted: boolean }[]
  moved: EmitAlarmTransition[]
}

/**
 * Raises, changes and clears alarms by the signals of their sources, in few statements, and writes the notifications,
 * all in the caller's transaction. The caller has locked the sources. Idempotent. Raises no alarm for a subject in
 * maintenance, except fire and smoke.
 *
 * signals  at most one per source
 * now      epoch ms
 * returns  the transitions to announce after the commit
 */
export async function applySignals(
  tx: Db,
  ports: AlarmPorts,
  signals: readonly Signal[],
  now: number,
): Promise<EmitAlarmTransition[]> {
  if (signals.length === 0) return []
  const seen = await newestOf(tx, signals, false)
  await notePeaks(tx, signals, seen)
  const moving = signals.filter((signal) => changeOf(signal, seen.get(sourceKey(signal)), now).length > 0)
  if (moving.length === 0) return []
  // Most signals repeat the stored state, and lock nothing. The others are read again under lock, because a person
  // may have changed the alarm. A source without an alarm needs no lock: only the caller can add one.
  const known = moving.filter((signal) => seen.has(sourceKey(signal)))
  const stored: ReadonlyMap<string, AlarmRow> = known.length > 0 ? await newestOf(tx, known, true) : new Map()
  const changes = moving.flatMap((signal) => changeOf(signal, stored.get(sourceKey(signal)), now))
  const facts = await loadAlarmFacts(
    tx,
    changes.map(({ signal, row }) => ({ ...signal, readings: signal.says?.readings ?? row?.readings ?? [] })),
    now,
  )
  const explained = await causedByMainMeter(
    tx,
    changes.map(({ signal, event }) => ({
      ...signal,
      readings: event.is === 'raise' ? (signal.says?.readings ?? []) : [],
    })),
    now,
  )
  const outcome: Outcome = { updated: [], added: [], told: [], moved: [] }
  changes.forEach((change, i) =>
    settle(change, facts[i] && { ...facts[i], isExplained: explained[i] ?? false }, outcome, ports),
  )
  return write(tx, ports, outcome, now)
}

/** Stores new peak values of alarms whose state is unchanged; sends no notification. */
async function notePeaks(
  tx: Db,
  signals: readonly Signal[],
  stored: ReadonlyMap<string, AlarmRow>,
): Promise<void> {
  const worse = signals.flatMap((signal) => {
    const row = stored.get(sourceKey(signal))
    if (!row || row.clearedAt !== null || !signal.says || signal.says.readings.length === 0) return []
    const readings = mergeReadings(row.readings, signal.says.readings)
    return isWorseReading(row.readings, readings) && isReported(row, signal.says)
      ? [{ id: row.alarmId, readings }]
      : []
  })
  if (worse.length === 0) return
  await tx.query(sql`update alarms a set readings = r.readings
    from jsonb_to_recordset(${JSON.stringify(worse)}::jsonb) as r (id uuid, readings jsonb) where a.alarm_id = r.id`)
}

/** Event of a signal on the newest alarm of its source; none if the signal repeats the stored state. */
function changeOf(signal: Signal, row: AlarmRow | undefined, now: number): Change[] {
  const { says, late = false, stands = false } = signal
  const at = Math.min(signal.at, now)
  const isOpen = row !== undefined && row.clearedAt === null
  // An unknown field does not clear an alarm.
  if (!says && row && signal.unknown?.some((field) => field in row.values)) return []
  const isFire = says?.isFire ?? (row !== undefined && endangersLife(row))
  const muted = !isFire && (late || (!stands && now - at > MAX_NOTICE_AGE_MS))
  if (!says) return isOpen ? [{ signal, row, event: { is: 'clear', at, muted, isFire } }] : []
  const { severity } = says
  if (!isOpen) {
    if (signal.onlyIfOpen) return []
    // A report from before a person's clearing raises nothing.
    const isSettled = row !== undefined && row.clearedBy !== null && signal.at <= row.reportedAt
    return isSettled ? [] : [{ signal, row, event: { is: 'raise', severity, at, muted, isFire } }]
  }
  if (isReported(row, says)) return []
  const isDanger = isFire && isMoreDangerous(row.peripheralType ?? '', row.values, says.values)
  const isWorse =
    isDanger || (row.severity === 'warning' && severity === 'critical') || introducesField(row, says)
  return [{ signal, row, event: { is: 'change', severity, isWorse, at, muted, isFire: isDanger } }]
}

/** Adds the result of one signal to the outcome. */
function settle(
  { signal, row, event }: Change,
  facts: (AlarmFacts & { isExplained: boolean }) | undefined,
  outcome: Outcome,
  { random }: AlarmPorts,
): void {
  if (!facts) return
  const { says, at } = signal
  const isSilenced =
    (facts.isMaintained || facts.isUnheard) && !(says?.isFire ?? (row !== undefined && endangersLife(row)))
  if (event.is === 'raise' && (isSilenced || (!facts.isThere && !isOfRule(signal.kind)))) return
  const muted = event.muted || isSilenced
  const step = nextAlarmLife(row && alarmLifeOf(row), {
    ...event,
    muted,
    ...(event.is === 'raise' && { inhibited: facts.isExplained }),
  })
  if (!step) return
  const { kept, added, tells } = step
  let about: AlarmRow | undefined
  if (row && kept && (event.is !== 'raise' || !added)) {
    about = { ...applyAlarmLife(row, kept), ...(says && !added && saidOf(signal, says, row)), reportedAt: at }
    outcome.updated.push(about)
    if (!added) outcome.moved.push(transitionOf(about, newsOf(event), at))
  }
  if (added && says) {
    about = { ...applyAlarmLife(newRow(signal, says, random.uuid()), added), subjectName: facts.subjectName }
    outcome.added.push(about)
    outcome.moved.push(transitionOf(about, 'raised', at))
  }
  if (about && tells) outcome.told.push({ row: about, facts, tells, at, muted })
}

const newsOf = ({ is }: SourceEvent) => (is === 'raise' ? 'raised' : is === 'clear' ? 'cleared' : 'changed')

/** Columns of a row that a signal sets. */
const saidOf = (
  { automationName, notify, escalate = [] }: Signal,
  says: AlarmSignalState,
  before: AlarmRow | undefined,
) => ({
  values: says.values,
  readings: mergeReadings(before?.clearedAt === null ? before.readings : [], says.readings),
  automationName,
  notify: notify ?? null,
  escalate,
})

const newRow = (signal: Signal, says: AlarmSignalState, alarmId: string): AlarmRow => {
  const { at } = signal
  return {
    ...subjectOf(signal),
    ...saidOf(signal, says, undefined),
    alarmId,
    severity: says.severity,
    count: 1,
    subjectName: null,
    raises: [],
    chattering: false,
    told: false,
    inhibited: false,
    raisedAt: at,
    reportedAt: at,
    acknowledgedAt: null,
    shelvedUntil: null,
    clearedAt: null,
    clearedBy: null,
  }
}

/** Updates before inserting: when an alarm becomes worse, its source has a cleared and a new open one. */
async function write(
  tx: Db,
  { notify }: AlarmPorts,
  outcome: Outcome,
  now: number,
): Promise<EmitAlarmTransition[]> {
  const { updated, added, told, moved } = outcome
  await updateAlarms(tx, updated)
  const there = await insertAlarms(tx, added)
  const lost = new Set(added.flatMap(({ alarmId }) => (there.has(alarmId) ? [] : [alarmId])))
  await cancelEscalations(
    tx,
    updated.flatMap(({ alarmId, clearedAt }) => (clearedAt === null ? [] : [alarmId])),
  )
  // Alarms that are late or in maintenance are not escalated.
  const raised = told.flatMap(({ row, tells, muted }) =>
    muted || tells.kind === 'alarmCleared' || row.acknowledgedAt !== null || lost.has(row.alarmId)
      ? []
      : [row],
  )
  await planEscalations(tx, raised, now)
  const notices: NotificationEvent[] = told
    .filter(({ row }) => !lost.has(row.alarmId))
    .map(({ row, facts, tells, at }) => notificationOf(row, facts, { ...tells, at }))
  if (notices.length > 0) await notify(tx, notices)
  return moved.filter(({ alarm }) => !lost.has(alarm.AlarmID))
}
