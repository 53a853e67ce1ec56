import type { DeviceStatus } from '../devices/kinds/status.ts'
import { type Alarm, isStateAlarm, type StateAlarm } from '../alarms/calls.ts'
import type { Maintenance } from '../alarms/maintenance-calls.ts'
import type { Peripheral } from '../devices/peripheral.ts'
import type { ThingWithState } from '../devices/thing.ts'
import { isFireReported } from '../alarms/alarm-states.ts'
import type { Item, StateWord } from './attention-item.ts'

/** What is said of devices beside what they report. */
export interface AttentionNotes {
  /** The current alarms (`/ListAlarm`, State `current`); without them nobody has acknowledged or cleared anything. */
  alarms?: readonly Alarm[] | undefined
  /** What is in maintenance (`/ListMaintenance`). */
  maintenances?: readonly Maintenance[] | undefined
  /** Homes of which all hubs and devices are given: an alarm of another device there is of one that was removed. */
  homes?: readonly string[] | undefined
}

/** What an item says of the alarm that is stored of it. */
export const storedOf = (alarm?: Alarm): Pick<Item, 'AlarmID' | 'Acknowledged' | 'Shelved'> => ({
  AlarmID: alarm?.AlarmID ?? null,
  Acknowledged: alarm?.Acknowledged ?? null,
  Shelved: alarm?.Shelved ?? null,
})

/** An item of any kind. */
type AnyItem = Item & { Kind: string }
const isState = (item: AnyItem): item is Item & StateWord => item.Kind === 'state'

/** The one current alarm of what each device says of itself: an open one before what a person has cleared. */
export function alarmsByDevice(alarms: readonly Alarm[] = []): ReadonlyMap<string, StateAlarm> {
  const found = new Map<string, StateAlarm>()
  for (const alarm of alarms.filter(isStateAlarm))
    if (!alarm.Cleared || !found.has(alarm.PeripheralUID)) found.set(alarm.PeripheralUID, alarm)
  return found
}

/** What a device said last: its status, or its open alarm where that is of a later report, or the only word there is of it. */
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

/** Whether a person has cleared what a device said last: it is no alarm then, and nobody knows what is true. */
export const isSettled = (alarm: Alarm | undefined, { Timestamp }: DeviceStatus): boolean =>
  alarm?.Cleared?.By != null && Timestamp <= alarm.ReportedAt

/**
 * The items of a device with what people have said of its alarm.
 *
 * hasReported  whether the device's own status is there; one without can end no alarm by itself
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

/** The open alarms of devices that are not there. */
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

/** What says that a person is working on a hub or a device: on itself, on its hub, or on all of its home. */
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
      .map((one) => [`${one.HomeID}/${one.Scope}/${one.Subject}`, one]),
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

/** What maintenance does not silence: fire and smoke, as long as it is reported. */
export const bypassesMaintenance = (item: AnyItem): boolean =>
  isState(item) && item.Stale === null && isFireReported(item)
