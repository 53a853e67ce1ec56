import type { HandlersOf } from '../../kernel/context.ts'
import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import type { alarms as alarmCalls } from '../../../contract/alarms/calls.ts'
import type { Notify } from '../../domain/notifications/notification-transport.ts'
import { emitAlarmEvents } from '../../domain/alarms/rule-alarms.ts'
import { sql } from '../../kernel/db.ts'
import {
  createRetentionJob,
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  deleteOlderThan,
} from '../../store/retention.ts'
import { createAcknowledgeByLink, writeLink, createAlarmActions } from './alarm-actions.ts'
import { type AlarmPorts, createStateAlarmUpdater } from './state/apply-signals.ts'
import { createListAttention, type DemandPorts } from './attention/list-attention.ts'
import { endMaintenance, createMaintenanceHandlers, raisePreexistingAlarms } from './maintenance.ts'
import { listAlarm } from './state/list-alarms.ts'
import { createRuleAlarms } from './rule-alarms.ts'
import { createAlarmWatch } from './watch/watch.ts'

/** Retention of alarms from their clearing, and of maintenances from their end. */
const expiringAlarms = (options: Pick<RetentionOptions, 'db' | 'clock'>, days: number): RetentionTarget[] =>
  deleteOlderThan(options, days, {
    alarms: (before) => sql`
      delete from alarms where alarm_id in (
        select alarm_id from alarms where cleared_at <= ${before}::bigint order by cleared_at limit ${BATCH}::int)
      returning 1 as one`,
    maintenances: (before) => sql`
      delete from maintenances where maintenance_id in (
        select maintenance_id from maintenances where ended_at <= ${before}::bigint order by ended_at limit ${BATCH}::int)
      returning 1 as one`,
  })

/** Alarms, their acknowledgement and escalation, and maintenance. */
export function alarms(deps: Deps, { notify, demand }: { notify: Notify; demand: DemandPorts }) {
  const ports: AlarmPorts = { notify, random: deps.random }
  const linkKey = deps.keyFor('alarm-links')
  const updateStateAlarms = createStateAlarmUpdater(ports)
  const handlers: HandlersOf<typeof alarmCalls> = {
    listAlarm,
    ...createAlarmActions(ports),
    acknowledgeByLink: createAcknowledgeByLink(ports, deps.identity, linkKey),
  }
  const feature = {
    handlers: {
      alarms: handlers,
      attention: { listAttention: createListAttention(demand) },
      maintenances: createMaintenanceHandlers(updateStateAlarms),
    },
    jobs: [
      createAlarmWatch(deps, ports),
      endMaintenance(deps, { updateStateAlarms, notify }),
      createRetentionJob(
        'alarms that are over',
        deps,
        expiringAlarms(deps, deps.config.retentionDays.alarms ?? 0),
      ),
    ],
    /** Raises alarms of states that were reported before alarms were stored, or before this version knew them as alarms. */
    async recover() {
      emitAlarmEvents(
        deps.events,
        await raisePreexistingAlarms(deps.db, updateStateAlarms, sql`true`, deps.clock.now()),
      )
    },
  } satisfies Feature
  return {
    ...feature,
    updateStateAlarms,
    ruleAlarms: createRuleAlarms(ports, deps),
    /** Token of a link that acknowledges an alarm for a person, once. */
    acknowledgeToken: (tenant: string, alarmId: string, cognitoId: string): string =>
      writeLink({ tenant, alarmId, cognitoId, at: deps.clock.now() }, linkKey),
  }
}
