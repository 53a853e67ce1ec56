import { useCallback, useDeferredValue, useMemo } from 'react'
import { LIVE_SORT_KEYS, ROW_KINDS, type RowKind } from '../../../contract/lists/list-query.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { statuses } from '../../data/status-store.ts'
import {
  comparing,
  countRows,
  deviceRows,
  filterRows,
  isOutOfOrder,
  sortRows,
  type DeviceFilter,
  type DeviceRow,
} from '../../domain/devices/device-rows.ts'
import { useKindName } from '../../domain/devices/use-kind-name.ts'
import { useLanguage } from '../../lib/i18n/i18n.ts'
import type { ListAddress } from './use-list-address.ts'
import { useHeldStates, useLiveStates, useStatesNow } from './use-row-states.ts'

/** Conditions from the path, which are not filters. */
export interface PathFilter {
  kind: RowKind | undefined
  /** Undefined if the path names no room. */
  RoomID: number | undefined
}

/**
 * Filtered and sorted rows of the list. An order by reported values is computed when it is chosen, and then rows keep their places;
 * `refresh` sorts them again.
 */
export function useListedRows(
  HomeID: string,
  Category: string | undefined,
  fixed: PathFilter,
  address: ListAddress,
) {
  const language = useLanguage()
  const home = useHomes()?.find((entry) => entry.HomeID === HomeID)
  const query = useDevices(HomeID)
  const kindName = useKindName()
  const kindOf = useCallback((row: DeviceRow) => kindName(row, statuses.get(row.id)), [kindName])
  const roomNames = useMemo(() => new Map(home?.RoomList.map((room) => [room.RoomID, room.RoomName])), [home])
  const roomName = useCallback((id: number) => roomNames.get(id) ?? '', [roomNames])
  const search = useDeferredValue(address.search)
  const { state, kind, RoomID, hub, watts, sort, descending } = address
  const [from, through] = [watts?.from, watts?.through]
  const filter = useMemo(
    (): DeviceFilter => ({
      search,
      state,
      kind: fixed.kind ?? kind,
      RoomID: fixed.RoomID ?? RoomID,
      hub,
      watts:
        from === undefined && through === undefined
          ? undefined
          : { ...(from !== undefined && { from }), ...(through !== undefined && { through }) },
    }),
    [search, state, fixed.kind, kind, fixed.RoomID, RoomID, hub, from, through],
  )
  const all = useMemo(() => {
    const rows = query.data ? deviceRows(query.data) : []
    return rows.filter(
      (row) =>
        (fixed.RoomID === undefined || row.RoomID === fixed.RoomID) &&
        (Category === undefined || row.kind === (fixed.kind ?? '')),
    )
  }, [query.data, fixed.RoomID, fixed.kind, Category])

  const isLive = state !== undefined || filter.watts !== undefined || LIVE_SORT_KEYS.includes(sort)
  const statesNow = useStatesNow({ HomeID, rows: all, snapshot: query.data, isImmediate: isLive })
  const choice = JSON.stringify([HomeID, filter, sort, descending])
  const { heldStates, refresh } = useHeldStates(statesNow, all, choice)
  const { rows, compare } = useMemo(() => {
    const { compare } = new Intl.Collator(language, { numeric: true })
    const order = { sort, descending }
    const first = comparing(order, heldStates, (row) => roomName(row.RoomID), compare)
    return { rows: sortRows(filterRows(all, filter, kindOf, heldStates), first, order, compare), compare }
  }, [all, filter, kindOf, heldStates, sort, descending, roomName, language])

  const live = useLiveStates(statesNow)
  const counts = useMemo(() => countRows(all, filter, kindOf, live), [all, filter, kindOf, live])
  const hasMoved = useMemo(() => {
    if (!isLive) return false
    const first = comparing({ sort, descending }, live, (row) => roomName(row.RoomID), compare)
    return isOutOfOrder(rows, filterRows(all, filter, kindOf, live), first)
  }, [isLive, sort, descending, live, roomName, compare, rows, all, filter, kindOf])
  return {
    query,
    home,
    all,
    rows,
    counts,
    hasMoved,
    refresh: refresh,
    roomName,
    isFiltered:
      address.search !== '' ||
      [state, kind, RoomID, hub, watts].some((filterValue) => filterValue !== undefined),
  }
}

export type ListedRows = ReturnType<typeof useListedRows>

/** Kind that a path names; undefined for none, and for one that this version does not know. */
export const kindInPath = (Category: string | undefined): RowKind | undefined =>
  ROW_KINDS.find((kind) => kind === Category)
