import { deviceType, type DeviceType } from '../../../contract/devices/kinds/registry.ts'
import type { DeviceSnapshot, Peripheral } from '../../../contract/devices/peripheral.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import {
  LIST_STATES,
  LIVE_SORT_KEYS,
  ROW_KINDS,
  type ListQuery,
  type RowKind,
  type Watts,
} from '../../../contract/lists/list-query.ts'
import { matchesAllWords } from '../../lib/match-words.ts'
import { stateIn, type RowStates } from './row-states.ts'

/** One row of the device list: a device or a hub. */
export interface DeviceRow {
  id: string
  name: string
  kind: RowKind
  HomeID: string
  RoomID: number
  /** The hub itself, or a device's hub; undefined while it is unknown. */
  hub: ThingWithState | undefined
  device: Peripheral | undefined
  type: DeviceType | undefined
}

/** Rows of a snapshot: hubs and devices, without Han modules (§3). */
export function deviceRows(snapshot: Pick<DeviceSnapshot, 'Things' | 'Peripherals'>): DeviceRow[] {
  const hubs = new Map(snapshot.Things.map((hub) => [hub.ThingName, hub]))
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

/** Filter of the device list; stored in the URL. */
export type DeviceFilter = Omit<ListQuery, 'sort' | 'descending'>

const NO_STATES: RowStates = new Map()

/** Rows that match the filter. The search compares words of name, ID and kind. `states` is needed only for a filter by state or power. */
export function filterRows(
  rows: readonly DeviceRow[],
  filter: DeviceFilter,
  kindName: (row: DeviceRow) => string,
  states: RowStates = NO_STATES,
): DeviceRow[] {
  const { search, state, kind, RoomID, hub, watts } = filter
  const isMatch = search.trim() === '' ? undefined : matchesAllWords(search)
  return rows.filter(
    (row) =>
      (kind === undefined || row.kind === kind) &&
      (RoomID === undefined || row.RoomID === RoomID) &&
      (hub === undefined || hubOf(row) === hub) &&
      (state === undefined || stateIn(states, row.id).states.includes(state)) &&
      (watts === undefined || draws(watts, stateIn(states, row.id).watts)) &&
      (!isMatch || isMatch(`${row.name}\n${row.id}\n${kindName(row)}`)),
  )
}

/** ThingName of the row's hub; null for a device without one. */
export const hubOf = ({ id, device }: DeviceRow): string | null => (device ? device.ThingName : id)

const draws = ({ from = -Infinity, through = Infinity }: Watts, watts: number | undefined) =>
  watts !== undefined && from <= watts && watts <= through

/** Number of rows per state, kind, room and hub. Each filter counts the rows that it would show, so its own choice is left out. */
export function countRows(
  rows: readonly DeviceRow[],
  filter: DeviceFilter,
  kindName: (row: DeviceRow) => string,
  states: RowStates,
) {
  const rowsWith = (change: Partial<DeviceFilter>) =>
    filterRows(rows, { ...filter, ...change }, kindName, states)
  const tally = <Key>(of: DeviceRow[], keys: (row: DeviceRow) => readonly Key[]) => {
    const counts = new Map<Key, number>()
    for (const row of of) for (const key of keys(row)) counts.set(key, (counts.get(key) ?? 0) + 1)
    return counts
  }
  const [anyState, anyKind] = [rowsWith({ state: undefined }), rowsWith({ kind: undefined })]
  const anyRoom = rowsWith({ RoomID: undefined })
  return {
    byState: tally(anyState, (row) => stateIn(states, row.id).states),
    byKind: tally(anyKind, (row) => [row.kind]),
    byRoom: tally(anyRoom, (row) => [row.RoomID]),
    byHub: tally(rowsWith({ hub: undefined }), (row) => [hubOf(row)]),
    anyState: anyState.length,
    anyKind: anyKind.length,
    anyRoom: anyRoom.length,
  }
}

/** Order of two rows before the name decides. */
type Compare = (a: DeviceRow, b: DeviceRow) => number

/**
 * Comparison of rows by a sort key; unknown values come last in both directions.
 *
 * states    snapshot of the states, so that rows do not move while the user reads
 */
export function comparing(
  { sort, descending }: Pick<ListQuery, 'sort' | 'descending'>,
  states: RowStates,
  roomName: (row: DeviceRow) => string,
  compare: (a: string, b: string) => number,
): Compare {
  const sign = descending ? -1 : 1
  const byNumber = (of: (row: DeviceRow) => number | undefined): Compare => {
    return (a, b) => {
      const [x, y] = [of(a), of(b)]
      if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined)
      return sign * (x - y)
    }
  }
  switch (sort) {
    case 'name':
      return () => 0
    case 'state':
      return byNumber((row) => {
        const [worstState] = stateIn(states, row.id).states
        // Rows without a state come last.
        return worstState ? LIST_STATES.indexOf(worstState) : LIST_STATES.length
      })
    case 'age':
      // The age grows with an older report; a row that never reported counts as the oldest.
      return byNumber((row) => -(stateIn(states, row.id).reportedAt ?? 0))
    case 'power':
      return byNumber((row) => stateIn(states, row.id).watts)
    case 'kind':
      return byNumber((row) => ROW_KINDS.indexOf(row.kind))
    case 'room':
      return (a, b) => sign * compare(roomName(a), roomName(b))
  }
}

/**
 * Rows in a fixed order.
 *
 * first  comparison by the sort key (`comparing`); name, then ID break ties
 */
export function sortRows(
  rows: readonly DeviceRow[],
  first: Compare,
  { sort, descending }: Pick<ListQuery, 'sort' | 'descending'>,
  compare: (a: string, b: string) => number,
): DeviceRow[] {
  // With a live sort key, ties are always sorted by ascending name.
  const sign = descending && !LIVE_SORT_KEYS.includes(sort) ? -1 : 1
  return [...rows].sort((a, b) => first(a, b) || sign * compare(a.name, b.name) || (a.id < b.id ? -1 : 1))
}

/** Whether the shown rows, or their order, are out of date. */
export function isOutOfOrder(
  shownRows: readonly DeviceRow[],
  passing: readonly DeviceRow[],
  first: Compare,
): boolean {
  if (shownRows.length !== passing.length) return true
  const ids = new Set(passing.map(({ id }) => id))
  return shownRows.some((row, i) => {
    const next = shownRows[i + 1]
    return !ids.has(row.id) || (next !== undefined && first(row, next) > 0)
  })
}
