import type { AlarmReading } from '../../../contract/alarms/calls.ts'
import type { AlarmSeverity } from '../../../contract/kernel/severity.ts'
import type { Escalation, NotifySettings } from '../../../contract/automation/alarm-part.ts'
import type { Db } from '../../kernel/db.ts'
import type { GatewayEvents, Events } from '../../kernel/events.ts'

/** Alarm that an automation of type 4 raises. */
export interface RuleAlarm {
  tenant: string
  homeId: string
  automationId: string
  automationName: string
  kind: 'rule' | 'ahead'
  severity: AlarmSeverity
  /** Device of its conditions; null for the home, and for several devices. */
  peripheralUid: string | null
  readings: readonly AlarmReading[]
  /** Time since which its conditions have been true, epoch ms. */
  at: number
  /** Whether the underlying data is so old that no notification is sent. */
  late: boolean
  notify: NotifySettings | undefined
  escalate: readonly Escalation[]
}

interface Key {
  tenant: string
  automationId: string
  kind: RuleAlarm['kind']
}

/** Alarm operations of automations, within the transaction of the evaluation. */
export interface RuleAlarms {
  /** Raises an alarm, or updates the open one. */
  raise(tx: Db, alarm: RuleAlarm): Promise<void>
  /** Records present measurements; does nothing if none is open. */
  change(tx: Db, key: Key & { readings: readonly AlarmReading[]; at: number }): Promise<void>
  /** Clears the open alarm automatically; does nothing if none is open. */
  clear(tx: Db, key: Key & { at: number }): Promise<void>
}

/** Transition of an alarm, once stored. */
export type EmitAlarmTransition = GatewayEvents['alarmChanged']

/** Emits events for automatic alarm changes: one per alarm, and one data change per home. */
export function emitAlarmEvents(events: Events, transitions: readonly EmitAlarmTransition[]): void {
  for (const { tenant, homeId: HomeID } of new Map(transitions.map((one) => [one.homeId, one])).values())
    events.emit('dataChange', { tenant, name: 'alarm.update', record: { HomeID }, by: null })
  for (const one of transitions) events.emit('alarmChanged', one)
}
