import type { DeviceStatus } from '../devices/kinds/status.ts'
import { type Alarm, isStateAlarm, type StateAlarm, type Maintenance } from '../alarms/calls.ts'
import type { Peripheral } from '../devices/peripheral.ts'
import type { ThingWithState } from '../devices/thing.ts'
import { isFireReported } from '../alarms/alarm-states.ts'
import type { Item, StateWord } from './attention-item.ts'

/** Input about devices in addition to their reports. */
export interface AttentionNotes {
  /** Current alarms (`/ListAlarm`, State `current`); without them, nothing counts as acknowledged or cleared. */
  alarms?: readonly Alarm[] | undefined
  /** Maintenance now in effect (`/ListMaintenance`). */
  maintenances?: readonly Maintenance[] | undefined
  /** Homes whose hubs and devices are all given: an alarm of an unknown device there belongs to a removed one. */
  homes?: readonly string[] | undefined
}

/** Fields of an item that come from its stored alarm. */
export const storedOf = (alarm?: Alarm): Pick<Item, 'AlarmID' | 'Acknowledged' | 'Shelved'> => ({
  AlarmID: alarm?.AlarmID ?? null,
  Acknowledged: alarm?.Acknowledged ?? null,
  Shelved: alarm?.Shelved ?? null,
})

type AnyItem = Item & { Kind: string }
const isState = (item: AnyItem): item is Item & StateWord => item.Kind === 'state'

/** Current state alarm of each device; an open one takes precedence over one that a person cleared. */
export function alarmsByDevice(alarms: readonly Alarm[] = []): ReadonlyMap<string, StateAlarm> {
  const found = new Map<string, StateAlarm>()
  for (const alarm of alarms.filter(isStateAlarm))
    if (!alarm.Cleared || !found.has(alarm.PeripheralUID)) found.set(alarm.PeripheralUID, alarm)
  return found
}

/** Latest status of a device: the reported one, or the values of its open alarm if that is newer or nothing was reported. */
export const latestOf = (
  status: DeviceStatus | undefined,
  alarm: StateAlarm | undefined,
): DeviceStatus | undefined =>
  !alarm || alarm.Cleared || (status && status.Timestamp >= alarm.ReportedAt)
    ? status
    : {
        ...status,
        PeripheralUID: alarm.PeripheralUID,
        PeripheralType: alarm.PeripheralType,
        updateAt: alarm.ReportedAt,
        ...alarm.Values,
        Timestamp: alarm.ReportedAt,
      }

/** Whether a person has cleared the alarm for the last report. It is then no alarm, and the state is unknown. */
export const isSettled = (alarm: Alarm | undefined, { Timestamp }: DeviceStatus): boolean =>
  alarm?.Cleared?.By != null && Timestamp <= alarm.ReportedAt

/**
 * Merges the stored alarm of a device into its items.
 *
 * hasReported  whether the device's own status is known; if not, its items are marked stale as removed
 */
export const withAlarm = <T extends AnyItem>(
  items: readonly T[],
  alarm: Alarm | undefined,
  status: DeviceStatus,
  hasReported: boolean,
): T[] =>
  items.flatMap((item) => {
    if (item.Kind !== 'state' || !alarm) return [item]
    if (isSettled(alarm, status)) return []
    if (alarm.Cleared) return [item]
    const Stale = item.Stale ?? (hasReported ? null : ({ Why: 'removed', Since: null } as const))
    return [{ ...item, ...storedOf(alarm), Since: alarm.RaisedAt, Stale }]
  })

/** Items for open alarms of unknown devices. */
export function alarmsWithoutDevice(
  { alarms = [], homes = [] }: AttentionNotes,
  known: { has(uid: string): boolean },
): (Item & StateWord)[] {
  return alarms.filter(isStateAlarm).flatMap((alarm): (Item & StateWord)[] => {
    if (alarm.Cleared || known.has(alarm.PeripheralUID)) return []
    const { HomeID, PeripheralUID, PeripheralType, Severity, RaisedAt } = alarm
    return [
      {
        Key: `state/${PeripheralUID}`,
        Kind: 'state',
        Severity,
        HomeID,
        RoomID: null,
        Subject: PeripheralUID,
        Name: alarm.SubjectName,
        Since: RaisedAt,
        Stale: homes.includes(HomeID) ? { Why: 'removed', Since: null } : null,
        PeripheralType,
        Values: alarm.Values,
        ...storedOf(alarm),
      },
    ]
  })
}

const nothing = () => undefined
const NOTHING_MAINTAINED = { home: nothing, hub: nothing, device: nothing }

/** Lookup of the maintenance that covers a home, hub or device: its own, that of its hub, or that of its home. */
export function maintainedBy(
  maintenances: readonly Maintenance[] = [],
  now: number,
): {
  home(HomeID: string): Maintenance | undefined
  hub(hub: Pick<ThingWithState, 'HomeID' | 'ThingName'>): Maintenance | undefined
  device(device: Pick<Peripheral, 'HomeID' | 'ThingName' | 'PeripheralUID'>): Maintenance | undefined
} {
  const found = new Map(
    maintenances
      .filter(({ Until }) => Until > now)
      .map((maintenance) => [
        `${maintenance.HomeID}/${maintenance.Scope}/${maintenance.Subject}`,
        maintenance,
      ]),
  )
  if (found.size === 0) return NOTHING_MAINTAINED
  const home = (HomeID: string) => found.get(`${HomeID}/home/${HomeID}`)
  const hub = (HomeID: string, ThingName: string | null) =>
    found.get(`${HomeID}/hub/${ThingName}`) ?? home(HomeID)
  return {
    home,
    hub: ({ HomeID, ThingName }) => hub(HomeID, ThingName),
    device: ({ HomeID, ThingName, PeripheralUID }) =>
      found.get(`${HomeID}/device/${PeripheralUID}`) ?? hub(HomeID, ThingName),
  }
}

/** Whether maintenance does not silence the item: fire and smoke that are still reported. */
export const bypassesMaintenance = (item: AnyItem): boolean =>
  isState(item) && item.Stale === null && isFireReported(item)
