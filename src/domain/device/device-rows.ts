import { deviceType, type DeviceType } from '../../../contract/device-kinds/registry.ts'
import type { DeviceSnapshot, Peripheral } from '../../../contract/resources/peripheral.ts'
import type { ThingWithState } from '../../../contract/resources/thing.ts'
import {
  ROW_KINDS,
  type ListQuery,
  type RowKind,
  type SortKey,
} from '../../../contract/rules/list/list-query.ts'
import { holding } from '../../lib/holding.ts'

/** One line of the device list: a device, or a hub. */
export interface DeviceRow {
  id: string
  name: string
  kind: RowKind
  HomeID: string
  RoomID: number
  /** The hub's own record; a device's hub, undefined while that is unknown. */
  hub: ThingWithState | undefined
  device: Peripheral | undefined
  type: DeviceType | undefined
}

/** The lines of a snapshot: hubs and devices, Han modules left out (§3). */
export function deviceRows(snapshot: Pick<DeviceSnapshot, 'Things' | 'Peripherals'>): DeviceRow[] {
  const hubs = new Map(snapshot.Things.map((thing) => [thing.ThingName, thing]))
  const rows: DeviceRow[] = snapshot.Things.map((hub) => ({
    id: hub.ThingName,
    name: hub.DeviceName,
    kind: 'Hub',
    HomeID: hub.HomeID,
    RoomID: hub.RoomID,
    hub,
    device: undefined,
    type: undefined,
  }))
  for (const device of snapshot.Peripherals) {
    const type = deviceType(device.PeripheralType)
    if (type?.hidden) continue
    rows.push({
      id: device.PeripheralUID,
      name: device.PeripheralName,
      kind: type?.category ?? 'Other',
      HomeID: device.HomeID,
      RoomID: device.RoomID,
      hub: device.ThingName === null ? undefined : hubs.get(device.ThingName),
      device,
      type,
    })
  }
  return rows
}

/** What the person narrowed the list to; all of it lives in the URL. */
export type DeviceFilter = Pick<ListQuery, 'search' | 'kind' | 'RoomID'>

/** The rows that pass the filter; searched for are words of a row's name, id and kind. */
export function filterRows(
  rows: readonly DeviceRow[],
  filter: DeviceFilter,
  kindName: (row: DeviceRow) => string,
): DeviceRow[] {
  const holds = filter.search.trim() === '' ? undefined : holding(filter.search)
  return rows.filter(
    (row) =>
      (filter.kind === undefined || row.kind === filter.kind) &&
      (filter.RoomID === undefined || row.RoomID === filter.RoomID) &&
      (!holds || holds(`${row.name}\n${row.id}\n${kindName(row)}`)),
  )
}

/** Rows per kind and per room. A filter counts what choosing it would show, so its own choice is left out of it. */
export function countRows(
  rows: readonly DeviceRow[],
  filter: DeviceFilter,
  kindName: (row: DeviceRow) => string,
) {
  const tally = <Key>(of: DeviceRow[], key: (row: DeviceRow) => Key) => {
    const counts = new Map<Key, number>()
    for (const row of of) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1)
    return counts
  }
  const anyKind = filterRows(rows, { ...filter, kind: undefined }, kindName)
  const anyRoom = filterRows(rows, { ...filter, RoomID: undefined }, kindName)
  return {
    byKind: tally(anyKind, (row) => row.kind),
    byRoom: tally(anyRoom, (row) => row.RoomID),
    anyKind: anyKind.length,
    anyRoom: anyRoom.length,
  }
}

/**
 * Rows in a fixed order: only by what a person set, never by a live value, so nothing moves under the cursor.
 *
 * ties  the name, then the id decide
 */
export function sortRows(
  rows: readonly DeviceRow[],
  by: SortKey,
  descending: boolean,
  roomName: (row: DeviceRow) => string,
  language: string,
): DeviceRow[] {
  const { compare } = new Intl.Collator(language, { numeric: true })
  const kinds = new Map<RowKind, number>(ROW_KINDS.map((kind, i) => [kind, i]))
  const first = {
    name: () => 0,
    kind: (a: DeviceRow, b: DeviceRow) => (kinds.get(a.kind) ?? 0) - (kinds.get(b.kind) ?? 0),
    room: (a: DeviceRow, b: DeviceRow) => compare(roomName(a), roomName(b)),
  }[by]
  const sign = descending ? -1 : 1
  return [...rows].sort((a, b) => sign * (first(a, b) || compare(a.name, b.name)) || (a.id < b.id ? -1 : 1))
}
