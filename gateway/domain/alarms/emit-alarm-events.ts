import type { GatewayEvents, Events } from '../../kernel/events.ts'

/** What became of an alarm, once it is stored. */
export type EmitAlarmTransition = GatewayEvents['alarmChanged']

/** Tells that alarms changed by themselves: each alarm, and each home once. */
export function emitAlarmEvents(events: Events, moved: readonly EmitAlarmTransition[]): void {
  for (const { tenant, homeId: HomeID } of new Map(moved.map((one) => [one.homeId, one])).values())
    events.emit('dataChange', { tenant, name: 'alarm.update', record: { HomeID }, by: null })
  for (const one of moved) events.emit('alarmChanged', one)
}
