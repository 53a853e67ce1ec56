import type { Deps } from '../../deps.ts'
import type { Job } from '../../../kernel/feature.ts'
import { type EmitAlarmTransition, emitAlarmEvents } from '../../../domain/alarms/rule-alarms.ts'
import { type AlarmPorts, applySignals } from '../state/apply-signals.ts'
import { escalateDue, isEscalationQueueFull, planEscalations } from '../state/escalations.ts'
import { expireChattering, expireShelving, recordAlarmNotices } from '../state/expire.ts'
import { raiseSuppressed } from '../state/suppressed.ts'
import { nextAlarmLife } from '../state/alarm-life.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { alarmLifeOf, transitionOf, lockAlarms, updateAlarms, applyAlarmLife } from '../state/alarm-rows.ts'
import { areCausedByMainMeter } from '../state/mains.ts'
import { isVital, HUB_LOST_AFTER_MS, SEVERITY_OF } from '../../../../contract/alarms/alarm-states.ts'
import { isInMaintenance } from '../state/silent-sources.ts'
import { hubSubject } from '../state/signals.ts'
import { evaluateLimits, applyDueHolds } from './watch-limits.ts'
import { clearSilent, raiseSilent } from './watch-silence.ts'

/** Maximum number of hubs in one transaction. */
const HUBS_PER_BATCH = 200

interface Hub {
  tenant: string
  homeId: string
  thingName: string
  /** Time of going offline or of reconnecting, epoch ms. */
  at: number
}

/**
 * Raises an alarm for each hub that has been offline for a minute, and clears it when the hub reconnects. An alarm
 * that a person cleared is not raised again until the hub has reconnected once.
 *
 * since   start of the watch at this gateway, epoch ms: it knows of no earlier reports
 */
async function watchHubs(
  db: Db,
  ports: AlarmPorts,
  { now, since }: { now: number; since: number },
): Promise<EmitAlarmTransition[]> {
  const transitions: EmitAlarmTransition[] = []
  const reconnected = await db.query<Hub>(sql`
    select a.tenant, a.home_id as "homeId", a.thing_name as "thingName", greatest(a.reported_at, t.seen_at) as at
    from alarms a join things t on t.tenant = a.tenant and t.thing_name = a.thing_name
    where a.kind = 'hubLost' and a.cleared_at is null and t.online order by a.tenant, a.source limit ${HUBS_PER_BATCH}::int`)
  if (reconnected.length > 0)
    transitions.push(
      ...(await db.transaction(async (tx) => {
        const stillOnline = await lockIfUnchanged(tx, reconnected, true)
        const signals = stillOnline.map(({ at, ...hub }) => ({ ...signalOf(hub), state: null, at }))
        return applySignals(tx, ports, signals, now)
      })),
    )
  if (now - since < HUB_LOST_AFTER_MS) return transitions
  const lostHubs = await db.query<Hub>(sql`
    select h.tenant, t.home_id as "homeId", h.thing_name as "thingName", h.since as at
    from hub_absences h join things t on t.thing_name = h.thing_name
    where h.until is null and h.since <= ${now - HUB_LOST_AFTER_MS}::bigint and not t.online
      and not exists (select from alarms a where a.tenant = h.tenant and a.source = 'hubLost:' || h.thing_name
        and (a.cleared_at is null or a.cleared_by is not null and a.reported_at >= h.since))
      and not exists (select from maintenances m where m.tenant = h.tenant and m.home_id = t.home_id and m.ended_at is null
        and m.until > ${now}::bigint and (m.scope = 'home' or m.scope = 'hub' and m.subject = h.thing_name))
    order by h.since, h.thing_name limit ${HUBS_PER_BATCH}::int`)
  if (lostHubs.length === 0) return transitions
  const raised = await db.transaction(async (tx) => {
    const stillOffline = await lockIfUnchanged(tx, lostHubs, false)
    const vitalHubs = await readVitalHubs(tx, stillOffline, now)
    const signals = stillOffline.map(({ at, ...hub }) => ({
      ...signalOf(hub),
      state: {
        severity: SEVERITY_OF.hubLost(vitalHubs.has(hub.thingName)),
        values: {},
        readings: [],
        isFire: false,
      },
      at,
    }))
    return applySignals(tx, ports, signals, now)
  })
  return [...transitions, ...raised]
}

const signalOf = ({ tenant, homeId, thingName }: Omit<Hub, 'at'>) => hubSubject(tenant, homeId, thingName)

/** The hubs that are still online, or offline; locked, so that their next change waits and only one gateway decides. */
async function lockIfUnchanged(tx: Db, hubs: readonly Hub[], online: boolean): Promise<Hub[]> {
  const names = hubs.map(({ thingName }) => thingName)
  const rows = await tx.query<{ name: string }>(sql`
    select thing_name as name from things where thing_name = any(${names}::text[]) and online = ${online}
    order by thing_name for no key update skip locked`)
  const found = new Set(rows.map(({ name }) => name))
  return hubs.filter(({ thingName }) => found.has(thingName))
}

/** The hubs with a device whose silence needs immediate attention. */
async function readVitalHubs(tx: Db, hubs: readonly Hub[], now: number): Promise<ReadonlySet<string>> {
  const devices = await tx.query<{ thing: string; type: string; parent: string | null; counts: boolean }>(sql`
    select p.thing_name as thing, p.peripheral_type as type, p.parent_meter as parent,
      coalesce(s.values ? 'AccumulatePower', false) as counts
    from peripherals p left join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid
    where p.thing_name = any(${hubs.map(({ thingName }) => thingName)}::text[]) and not ${isInMaintenance(now)}`)
  return new Set(
    devices.flatMap(({ thing, type, parent, counts }) => {
      const status = {
        PeripheralUID: '',
        PeripheralType: type,
        Timestamp: 0,
        updateAt: 0,
        ...(counts && { AccumulatePower: 0 }),
      }
      return isVital({ PeripheralType: type, ParentMeter: parent }, status) ? [thing] : []
    }),
  )
}

/** Maximum number of alarms in one transaction. */
const BATCH = 500

/** Notifies people of alarms that no parent meter explains any longer; row locks ensure that one gateway processes each. */
async function notifyUnexplainedAlarms(
  db: Db,
  ports: AlarmPorts,
  now: number,
): Promise<EmitAlarmTransition[]> {
  return db.transaction(async (tx) => {
    const rows = await lockAlarms(
      tx,
      sql`a.inhibited and a.cleared_at is null and a.kind in ('breach', 'rule')`,
      BATCH,
    )
    const areExplained = await areCausedByMainMeter(tx, rows, now)
    const steps = rows.flatMap((row, i) => {
      const step = areExplained[i]
        ? undefined
        : nextAlarmLife(alarmLifeOf(row), { type: 'inhibit', isInhibited: false })
      return step?.updated ? [{ row: applyAlarmLife(row, step.updated), tells: step.notification }] : []
    })
    await updateAlarms(
      tx,
      steps.map(({ row }) => row),
    )
    const notifications = steps.flatMap(({ row, tells }) => (tells ? [{ row, ...tells }] : []))
    await recordAlarmNotices(tx, ports.notify, notifications, now)
    await planEscalations(
      tx,
      notifications.map(({ row }) => row),
      now,
    )
    return steps.map(({ row }) => transitionOf(row, 'changed', now))
  })
}

/** Polling interval, ms. */
const POLL_INTERVAL_MS = 5_000
/** Interval of the full check for silent devices and breached limits, ms. */
const FULL_CHECK_INTERVAL_MS = 60_000
/** Overlap of two evaluations, for reports that another gateway was storing during the first, ms. */
const STORE_DELAY_MS = 10_000

/**
 * Maintains alarms that neither a report nor a person changes: silence, lost hubs, limits, and due times. Its state
 * is in the database, so any gateway may run it at any time, and nothing is lost when one ends.
 */
export function createAlarmWatch(
  { db, clock, events }: Pick<Deps, 'db' | 'clock' | 'events'>,
  ports: AlarmPorts,
): Job {
  let since: number | undefined
  let limitsEvaluatedAt: number | undefined
  let fullCheckAt: number | undefined

  async function run(): Promise<void> {
    const now = clock.now()
    since ??= now
    const isFullCheck = fullCheckAt === undefined || now - fullCheckAt >= FULL_CHECK_INTERVAL_MS
    const period = { now, since }
    const failures: unknown[] = []
    const attempt = async (task: () => Promise<EmitAlarmTransition[]>): Promise<boolean> => {
      try {
        emitAlarmEvents(events, await task())
        return true
      } catch (error) {
        // The other steps still run; this one is retried in the next run.
        failures.push(error)
        return false
      }
    }
    await attempt(() => expireShelving(db, ports, now))
    await attempt(() => expireChattering(db, ports, now))
    await attempt(async () => {
      while (isEscalationQueueFull(await escalateDue(db, ports.notify, now)));
      return []
    })
    await attempt(() => watchHubs(db, ports, period))
    await attempt(() => raiseSuppressed(db, ports, now))
    await attempt(() => clearSilent(db, ports, now))
    const from =
      isFullCheck || limitsEvaluatedAt === undefined ? undefined : limitsEvaluatedAt - STORE_DELAY_MS
    if (await attempt(() => evaluateLimits(db, ports, { now, since: from }))) limitsEvaluatedAt = now
    await attempt(() => applyDueHolds(db, ports, now))
    await attempt(() => notifyUnexplainedAlarms(db, ports, now))
    if (isFullCheck && (await attempt(() => raiseSilent(db, ports, period)))) fullCheckAt = now
    if (failures.length > 0) throw failures[0]
  }
  return { name: 'alarms', intervalMs: POLL_INTERVAL_MS, run }
}
