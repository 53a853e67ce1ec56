import { right } from '../../../contract/kernel/permissions.ts'
import type { Maintenance } from '../../../contract/alarms/calls.ts'
import type { Deps } from '../deps.ts'
import type { Job } from '../../kernel/feature.ts'
import type { NotificationEvent, Notify } from '../../domain/notifications/notification-transport.ts'
import { type EmitAlarmTransition, emitAlarmEvents } from '../../domain/alarms/rule-alarms.ts'
import { sql } from '../../kernel/db.ts'
import { raisePreexistingAlarms } from './raise-preexisting.ts'
import type { UpdateStateAlarms } from './state/update-state-alarms.ts'

/** Maximum delay until the end of a maintenance is noticed, in ms. */
const CHECK_INTERVAL_MS = 15_000

interface EndedMaintenance extends Pick<Maintenance, 'MaintenanceID' | 'Scope' | 'Reason'> {
  tenant: string
  homeId: string
  homeName: string
  /** Name of the device, hub or home; null if deleted. */
  name: string | null
  until: number
}

/** Ends expired maintenances, notifies people, and raises the alarms that maintenance suppressed. */
export const endMaintenance = (
  { db, clock, events }: Pick<Deps, 'db' | 'clock' | 'events'>,
  { updateStateAlarms, notify }: { updateStateAlarms: UpdateStateAlarms; notify: Notify },
): Job => ({
  name: 'maintenance',
  every: CHECK_INTERVAL_MS,
  async run() {
    const now = clock.now()
    const { ended, raised } = await db.transaction(async (tx) => {
      const ended = await tx.query<EndedMaintenance>(sql`
        with due as (select maintenance_id from maintenances where ended_at is null and until <= ${now}::bigint
          order by maintenance_id for update skip locked),
        ended as (update maintenances m set ended_at = m.until from due where m.maintenance_id = due.maintenance_id
          returning m.*)
        select m.tenant, m.home_id as "homeId", m.maintenance_id as "MaintenanceID", m.scope as "Scope", m.reason as "Reason",
          m.until, h.home_name as "homeName",
          case m.scope when 'home' then h.home_name when 'hub' then t.device_name else p.peripheral_name end as name
        from ended m join homes h on h.tenant = m.tenant and h.home_id = m.home_id
        left join things t on t.tenant = m.tenant and t.thing_name = m.subject
        left join peripherals p on p.tenant = m.tenant and p.peripheral_uid = m.subject`)
      const raised: EmitAlarmTransition[] = []
      for (const { tenant, homeId } of ended)
        raised.push(
          ...(await raisePreexistingAlarms(
            tx,
            updateStateAlarms,
            sql`s.tenant = ${tenant} and s.home_id = ${homeId}`,
            now,
            true,
          )),
        )
      if (ended.length > 0) await notify(tx, ended.map(noticeOf))
      return { ended, raised }
    })
    for (const { tenant, homeId: HomeID } of ended)
      events.emit('dataChange', { tenant, name: 'maintenance.update', record: { HomeID }, by: null })
    emitAlarmEvents(events, raised)
  },
})

const noticeOf = ({
  tenant,
  homeId,
  MaintenanceID,
  Scope,
  Reason,
  name,
  homeName,
  until,
}: EndedMaintenance): NotificationEvent => ({
  tenant,
  homeId,
  category: 'system',
  severity: 'info',
  kind: 'maintenanceEnded',
  alarmId: null,
  values: { subject: name, home: homeName, scope: Scope, reason: Reason },
  path: `/Alarm/${homeId}?tab=live`,
  to: { access: right('device', 'Read') },
  topic: `maintenance:${MaintenanceID}`,
  at: until,
})
