import type { GatewayEvents, Events } from '../../kernel/events.ts'

/** Transition of an alarm, once stored. */
export type EmitAlarmTransition = GatewayEvents['alarmChanged']

/** Emits events for automatic alarm changes: one per alarm, and one data change per home. */
export function emitAlarmEvents(events: Events, transitions: readonly EmitAlarmTransition[]): void {
  for (const { tenant, homeId: HomeID } of new Map(transitions.map((one) => [one.homeId, one])).values())
    events.emit('dataChange', { tenant, name: 'alarm.update', record: { HomeID }, by: null })
  for (const one of transitions) events.emit('alarmChanged', one)
}
