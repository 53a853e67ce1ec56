import { isVital, HUB_LOST_AFTER_MS, SEVERITY_OF } from '../../../../contract/alarms/alarm-kinds.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { type AlarmPorts, applySignals } from '../state/apply-signals.ts'
import { isInMaintenance } from '../state/silent-sources.ts'
import { hubSubject } from '../state/signals.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/rule-alarms.ts'

/** Maximum number of hubs in one transaction. */
const BATCH = 200

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
export async function watchHubs(
  db: Db,
  ports: AlarmPorts,
  { now, since }: { now: number; since: number },
): Promise<EmitAlarmTransition[]> {
  const transitions: EmitAlarmTransition[] = []
  const reconnected = await db.query<Hub>(sql`
    select a.tenant, a.home_id as "homeId", a.thing_name as "thingName", greatest(a.reported_at, t.seen_at) as at
    from alarms a join things t on t.tenant = a.tenant and t.thing_name = a.thing_name
    where a.kind = 'hubLost' and a.cleared_at is null and t.online order by a.tenant, a.source limit ${BATCH}::int`)
  if (reconnected.length > 0)
    transitions.push(
      ...(await db.transaction(async (tx) => {
        const stillOnline = await lockIfUnchanged(tx, reconnected, true)
        const signals = stillOnline.map(({ at, ...hub }) => ({ ...signalOf(hub), says: null, at }))
        return applySignals(tx, ports, signals, now)
      })),
    )
  if (now - since < HUB_LOST_AFTER_MS) return transitions
  const lost = await db.query<Hub>(sql`
    select h.tenant, t.home_id as "homeId", h.thing_name as "thingName", h.since as at
    from hub_absences h join things t on t.thing_name = h.thing_name
    where h.until is null and h.since <= ${now - HUB_LOST_AFTER_MS}::bigint and not t.online
      and not exists (select from alarms a where a.tenant = h.tenant and a.source = 'hubLost:' || h.thing_name
        and (a.cleared_at is null or a.cleared_by is not null and a.reported_at >= h.since))
      and not exists (select from maintenances m where m.tenant = h.tenant and m.home_id = t.home_id and m.ended_at is null
        and m.until > ${now}::bigint and (m.scope = 'home' or m.scope = 'hub' and m.subject = h.thing_name))
    order by h.since, h.thing_name limit ${BATCH}::int`)
  if (lost.length === 0) return transitions
  const raised = await db.transaction(async (tx) => {
    const stillOffline = await lockIfUnchanged(tx, lost, false)
    const vitalHubs = await readVitalHubs(tx, stillOffline, now)
    const signals = stillOffline.map(({ at, ...hub }) => ({
      ...signalOf(hub),
      says: {
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
