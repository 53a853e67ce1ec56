import type { Events } from '../events.ts'

/** Tells that alarms of these homes changed by themselves; each home once. */
export function tellAlarms(events: Events, homes: readonly { tenant: string; homeId: string }[]): void {
  for (const { tenant, homeId: HomeID } of new Map(homes.map((home) => [home.homeId, home])).values())
    events.emit('dataChange', { tenant, name: 'alarm.update', record: { HomeID }, by: null })
}
