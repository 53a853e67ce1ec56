import { type Alarm, isStateAlarm, type Maintenance } from '../alarms/calls.ts'
import type { Peripheral } from '../devices/peripheral.ts'
import type { ThingWithState } from '../devices/thing.ts'
import { type AttentionNotes, maintainedBy, storedOf } from './attention-alarms.ts'
import type { AttentionItem, Item } from './attention-item.ts'

interface Place {
  hubs: ReadonlyMap<string, ThingWithState>
  devices: ReadonlyMap<
    string,
    Pick<Peripheral, 'PeripheralUID' | 'PeripheralName' | 'HomeID' | 'RoomID' | 'ThingName'>
  >
}

/** Source of the stored alarm of an item; undefined for items that raise none, and for states, which are matched by device. */
function sourceOf({ Kind, Subject }: AttentionItem): string | undefined {
  if (Kind === 'breach' || Kind === 'hubLost' || Kind === 'silent') return `${Kind}:${Subject}`
  return Kind === 'meterSilent' ? `silent:${Subject}` : undefined
}

/**
 * Adds the stored open alarms to the items, matched by source, and an item for every other open alarm except those of states: an
 * open alarm needs action even if the last report no longer shows the cause.
 */
export function withStored(
  items: readonly AttentionItem[],
  place: Place,
  { alarms = [], maintenances, homes = [] }: AttentionNotes,
  now: number,
): AttentionItem[] {
  const open = new Map(
    alarms
      .filter((alarm) => !alarm.Cleared && !isStateAlarm(alarm))
      .map((alarm) => [`${alarm.HomeID} ${alarm.Source}`, alarm]),
  )
  const known = items.map((item): AttentionItem => {
    const key = `${item.HomeID} ${sourceOf(item)}`
    const alarm = open.get(key)
    if (!alarm) return item
    open.delete(key)
    return { ...item, ...storedOf(alarm), Severity: alarm.Severity }
  })
  const isMaintained = maintainedAlarm(place, maintenances, now)
  const otherAlarms = [...open.values()].filter((alarm) => !isMaintained(alarm))
  return [...known, ...otherAlarms.map((alarm) => itemOf(alarm, place, homes))]
}

function maintainedAlarm(
  { hubs, devices }: Place,
  maintenances: readonly Maintenance[] | undefined,
  now: number,
): (alarm: Alarm) => boolean {
  const maintained = maintainedBy(maintenances, now)
  return (alarm) => {
    const { HomeID, PeripheralUID, ThingName } = alarm
    const device = devices.get(PeripheralUID ?? '')
    if (device) return maintained.device(device) !== undefined
    const hub = hubs.get(ThingName ?? '')
    return maintained.hub(hub ?? { HomeID, ThingName: ThingName ?? '' }) !== undefined
  }
}

function itemOf(alarm: Alarm, { hubs, devices }: Place, homes: readonly string[]): AttentionItem {
  const { HomeID, Kind, AutomationID, PeripheralUID, ThingName, Severity, RaisedAt, Readings } = alarm
  const device = devices.get(PeripheralUID ?? '')
  const hub = hubs.get(device?.ThingName ?? ThingName ?? '')
  const isDeleted = PeripheralUID !== null && !device && homes.includes(HomeID)
  const isLost = device !== undefined && hub?.Online === false
  const item: Item = {
    Key: alarm.Source.replace(':', '/'),
    Severity,
    HomeID,
    RoomID: device?.RoomID ?? hub?.RoomID ?? null,
    Subject: AutomationID ?? PeripheralUID ?? ThingName ?? alarm.AlarmID,
    Name: AutomationID === null ? (device?.PeripheralName ?? alarm.SubjectName) : alarm.AutomationName,
    Since: RaisedAt,
    Stale: isDeleted
      ? { Why: 'removed', Since: null }
      : isLost
        ? { Why: 'hubLost', Since: hub?.SeenAt ?? null }
        : null,
    ...storedOf(alarm),
  }
  if (Kind === 'hubLost' || Kind === 'silent') return { ...item, Kind }
  if (Kind === 'breach') return { ...item, Kind, Readings }
  return {
    ...item,
    Kind: 'rule',
    IsAhead: Kind === 'ahead',
    PeripheralUID,
    Readings,
  }
}
