import { isMoreDangerous, alarmStateOf, hasAlarmStates } from '../../../../contract/alarms/alarm-states.ts'
import type { NotificationEvent, Notify } from '../../../domain/notifications/notification-transport.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/rule-alarms.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import { nextAlarmLife, type AlarmEvent, type NotificationEffect } from './alarm-life.ts'
import { endangersLife, loadAlarmFacts, isOfRule, notificationOf, type AlarmFacts } from './alarm-notices.ts'
import {
  type AlarmRow,
  insertAlarms,
  alarmLifeOf,
  transitionOf,
  readNewest,
  sourceKey,
  updateAlarms,
  applyAlarmLife,
} from './alarm-rows.ts'
import { areCausedByMainMeter } from './mains.ts'
import { cancelEscalations, planEscalations } from './escalations.ts'
import { introducesField, isReported, isWorseReading, mergeReadings } from './readings.ts'
import { subjectOf, type AlarmSignalState, type Signal, deviceSubject } from './signals.ts'

/** Dependencies of alarms on other features. */
export interface AlarmPorts {
  notify: Notify
  random: { uuid(): string }
}

/** Maximum age of a report that sends notifications, ms, unless it endangers life. */
const MAX_NOTICE_AGE_MS = 3_600_000

/** Events that a source can cause. */
type SourceEvent = Extract<AlarmEvent, { isMuted: boolean }>

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
  notifications: {
    row: AlarmRow
    facts: AlarmFacts
    notification: NotificationEffect
    at: number
    isMuted: boolean
  }[]
  transitions: EmitAlarmTransition[]
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
  const newest = await readNewest(tx, signals, false)
  await updatePeaks(tx, signals, newest)
  const relevant = signals.filter(
    (signal) => changesOf(signal, newest.get(sourceKey(signal)), now).length > 0,
  )
  if (relevant.length === 0) return []
  // Most signals repeat the stored state, and lock nothing. The others are read again under lock, because a person
  // may have changed the alarm. A source without an alarm needs no lock: only the caller can add one.
  const existing = relevant.filter((signal) => newest.has(sourceKey(signal)))
  const stored: ReadonlyMap<string, AlarmRow> =
    existing.length > 0 ? await readNewest(tx, existing, true) : new Map()
  const changes = relevant.flatMap((signal) => changesOf(signal, stored.get(sourceKey(signal)), now))
  const facts = await loadAlarmFacts(
    tx,
    changes.map(({ signal, row }) => ({
      ...signal,
      readings: signal.state?.readings ?? row?.readings ?? [],
    })),
    now,
  )
  const areExplained = await areCausedByMainMeter(
    tx,
    changes.map(({ signal, event }) => ({
      ...signal,
      readings: event.type === 'raise' ? (signal.state?.readings ?? []) : [],
    })),
    now,
  )
  const outcome: Outcome = { updated: [], added: [], notifications: [], transitions: [] }
  changes.forEach((change, i) =>
    applyChange(change, facts[i] && { ...facts[i], isExplained: areExplained[i] ?? false }, outcome, ports),
  )
  return storeOutcome(tx, ports, outcome, now)
}

/** Stores new peak values of alarms whose state is unchanged; sends no notification. */
async function updatePeaks(
  tx: Db,
  signals: readonly Signal[],
  stored: ReadonlyMap<string, AlarmRow>,
): Promise<void> {
  const worseReadings = signals.flatMap((signal) => {
    const row = stored.get(sourceKey(signal))
    if (!row || row.clearedAt !== null || !signal.state || signal.state.readings.length === 0) return []
    const readings = mergeReadings(row.readings, signal.state.readings)
    return isWorseReading(row.readings, readings) && isReported(row, signal.state)
      ? [{ id: row.alarmId, readings }]
      : []
  })
  if (worseReadings.length === 0) return
  await tx.query(sql`update alarms a set readings = r.readings
    from jsonb_to_recordset(${JSON.stringify(worseReadings)}::jsonb) as r (id uuid, readings jsonb) where a.alarm_id = r.id`)
}

/** Event of a signal on the newest alarm of its source; none if the signal repeats the stored state. */
function changesOf(signal: Signal, row: AlarmRow | undefined, now: number): Change[] {
  const { state, isLate = false, isOngoing = false } = signal
  const at = Math.min(signal.at, now)
  const isOpen = row !== undefined && row.clearedAt === null
  // An unknown field does not clear an alarm.
  if (!state && row && signal.unknownFields?.some((field) => field in row.values)) return []
  const isFire = state?.isFire ?? (row !== undefined && endangersLife(row))
  const isMuted = !isFire && (isLate || (!isOngoing && now - at > MAX_NOTICE_AGE_MS))
  if (!state) return isOpen ? [{ signal, row, event: { type: 'clear', at, isMuted, isFire } }] : []
  const { severity } = state
  if (!isOpen) {
    if (signal.onlyIfOpen) return []
    // A report from before a person's clearing raises nothing.
    const isSettled = row !== undefined && row.clearedBy !== null && signal.at <= row.reportedAt
    return isSettled ? [] : [{ signal, row, event: { type: 'raise', severity, at, isMuted, isFire } }]
  }
  if (isReported(row, state)) return []
  const isDanger = isFire && isMoreDangerous(row.peripheralType ?? '', row.values, state.values)
  const isWorse =
    isDanger || (row.severity === 'warning' && severity === 'critical') || introducesField(row, state)
  return [{ signal, row, event: { type: 'change', severity, isWorse, at, isMuted, isFire: isDanger } }]
}

/** Adds the result of one signal to the outcome. */
function applyChange(
  { signal, row, event }: Change,
  facts: (AlarmFacts & { isExplained: boolean }) | undefined,
  outcome: Outcome,
  { random }: AlarmPorts,
): void {
  if (!facts) return
  const { state, at } = signal
  const isSilenced =
    (facts.isMaintained || facts.isSourceSilent) &&
    !(state?.isFire ?? (row !== undefined && endangersLife(row)))
  if (event.type === 'raise' && (isSilenced || (!facts.isThere && !isOfRule(signal.kind)))) return
  const isMuted = event.isMuted || isSilenced
  const step = nextAlarmLife(row && alarmLifeOf(row), {
    ...event,
    isMuted,
    ...(event.type === 'raise' && { isInhibited: facts.isExplained }),
  })
  if (!step) return
  const { updated, added, notification } = step
  let updatedRow: AlarmRow | undefined
  if (row && updated && (event.type !== 'raise' || !added)) {
    updatedRow = {
      ...applyAlarmLife(row, updated),
      ...(state && !added && reportedFields(signal, state, row)),
      reportedAt: at,
    }
    outcome.updated.push(updatedRow)
    if (!added) outcome.transitions.push(transitionOf(updatedRow, transitionKindOf(event), at))
  }
  if (added && state) {
    updatedRow = {
      ...applyAlarmLife(newRow(signal, state, random.uuid()), added),
      subjectName: facts.subjectName,
    }
    outcome.added.push(updatedRow)
    outcome.transitions.push(transitionOf(updatedRow, 'raised', at))
  }
  if (updatedRow && notification)
    outcome.notifications.push({ row: updatedRow, facts, notification, at, isMuted })
}

const transitionKindOf = ({ type }: SourceEvent) =>
  type === 'raise' ? 'raised' : type === 'clear' ? 'cleared' : 'changed'

/** Columns of a row that a signal sets. */
const reportedFields = (
  { automationName, notify, escalate = [] }: Signal,
  state: AlarmSignalState,
  before: AlarmRow | undefined,
) => ({
  values: state.values,
  readings: mergeReadings(before?.clearedAt === null ? before.readings : [], state.readings),
  automationName,
  notify: notify ?? null,
  escalate,
})

const newRow = (signal: Signal, state: AlarmSignalState, alarmId: string): AlarmRow => {
  const { at } = signal
  return {
    ...subjectOf(signal),
    ...reportedFields(signal, state, undefined),
    alarmId,
    severity: state.severity,
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
async function storeOutcome(
  tx: Db,
  { notify }: AlarmPorts,
  outcome: Outcome,
  now: number,
): Promise<EmitAlarmTransition[]> {
  const { updated, added, notifications, transitions } = outcome
  await updateAlarms(tx, updated)
  const inserted = await insertAlarms(tx, added)
  const notInserted = new Set(added.flatMap(({ alarmId }) => (inserted.has(alarmId) ? [] : [alarmId])))
  await cancelEscalations(
    tx,
    updated.flatMap(({ alarmId, clearedAt }) => (clearedAt === null ? [] : [alarmId])),
  )
  // Alarms that are late or in maintenance are not escalated.
  const raisedRows = notifications.flatMap(({ row, notification, isMuted }) =>
    isMuted ||
    notification.kind === 'alarmCleared' ||
    row.acknowledgedAt !== null ||
    notInserted.has(row.alarmId)
      ? []
      : [row],
  )
  await planEscalations(tx, raisedRows, now)
  const notices: NotificationEvent[] = notifications
    .filter(({ row }) => !notInserted.has(row.alarmId))
    .map(({ row, facts, notification, at }) => notificationOf(row, facts, { ...notification, at }))
  if (notices.length > 0) await notify(tx, notices)
  return transitions.filter(({ alarm }) => !notInserted.has(alarm.AlarmID))
}

/** Merged statuses of one home. */
interface HomeStatuses {
  tenant: string
  homeId: string
  statuses: readonly DeviceStatus[]
}

/**
 * Raises, changes and ends the alarms of devices by their reports. The caller locks their statuses until its
 * transaction ends, so that reports of one device are processed in order. Idempotent.
 *
 * homes    statuses after a report; devices without alarm states are skipped
 * now      epoch ms, for maintenance
 * `isOngoing` the state was suppressed and is current: people are notified, however old the report is
 * returns  the alarm transitions, to be announced after the commit
 */
export type UpdateStateAlarms = (
  tx: Db,
  homes: readonly HomeStatuses[],
  now: number,
  isOngoing?: boolean,
) => Promise<EmitAlarmTransition[]>

export const createStateAlarmUpdater =
  (ports: AlarmPorts): UpdateStateAlarms =>
  async (tx, homes, now, isOngoing = false) => {
    const signals = new Map<string, Signal>()
    for (const { tenant, homeId, statuses } of homes)
      for (const status of statuses) {
        if (!hasAlarmStates(status.PeripheralType)) continue
        const { PeripheralUID: uid, PeripheralType: type, Timestamp: at } = status
        const state = alarmStateOf(status)
        const signalState = state && {
          severity: state.Severity,
          values: state.Values,
          readings: [],
          isFire: state.isFire,
        }
        signals.set(`${tenant}/${uid}`, {
          ...deviceSubject('state', { tenant, homeId, uid, type }),
          state: signalState ?? null,
          at,
          isOngoing,
          unknownFields: Object.keys(status).filter((field) => status[field] === null),
        })
      }
    return applySignals(tx, ports, [...signals.values()], now)
  }
