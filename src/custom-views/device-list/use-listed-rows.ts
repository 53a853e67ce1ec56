import { useCallback, useDeferredValue, useMemo, useEffect, useReducer, useState } from 'react'
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
import { useKindName } from '../../domain/devices/kind-name.tsx'
import { useLanguage } from '../../lib/i18n/i18n.ts'
import type { ListAddress } from './use-list-address.ts'
import type { DeviceSnapshot } from '../../../contract/devices/peripheral.ts'
import { onQueriesSettled } from '../../data/on-settled.ts'
import { rowStates, type RowStates } from '../../domain/devices/row-states.ts'
import { useDeviceNotes } from '../../domain/devices/use-device-notes.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useMay } from '../../data/session.ts'
import { useNow } from '../../ui/page/use-now.ts'

/** Minimum interval between updates of the counts. */
const UPDATE_INTERVAL_MS = 1_000

interface StatesOptions {
  HomeID: string
  rows: readonly DeviceRow[]
  snapshot: DeviceSnapshot | undefined
  /** Whether the list is filtered or sorted by state, so that alarms are loaded immediately. */
  isImmediate: boolean
}

/** Function that returns the present states of the rows; its identity changes with hubs, devices and alarms. */
function useStatesNow({ HomeID, rows, snapshot, isImmediate }: StatesOptions): () => RowStates {
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => onQueriesSettled(() => setIsSettled(true)), [])
  const mayRead = useMay('device', 'Read')
  const { alarms, maintenances } = useDeviceNotes(mayRead && (isImmediate || isSettled))
  return useCallback(
    () =>
      snapshot
        ? rowStates(
            rows,
            snapshot,
            statuses.get,
            {
              alarms: alarms?.filter((alarm) => alarm.HomeID === HomeID),
              maintenances,
              homes: [HomeID],
            },
            gatewayNow(),
          )
        : new Map(),
    [HomeID, rows, snapshot, alarms, maintenances],
  )
}

/**
 * States at the time when the filters or the order were last chosen; the list uses them, so that rows do not move by themselves. New
 * rows get their state on arrival.
 *
 * choice   filters and order
 * returns  the states, and a function that updates them
 */
function useHeldStates(
  statesNow: () => RowStates,
  rows: readonly DeviceRow[],
  choice: string,
): { heldStates: RowStates; refresh: () => void } {
  const [version, refresh] = useReducer((count: number) => count + 1, 0)
  const key = `${version} ${choice}`
  const [frozen, setFrozen] = useState(() => ({ key, states: statesNow() }))
  if (frozen.key !== key) setFrozen({ key, states: statesNow() })
  else if (rows.some(({ id }) => !frozen.states.has(id)))
    setFrozen({ key, states: new Map([...statesNow(), ...frozen.states]) })
  return { heldStates: frozen.states, refresh }
}

function useLiveStates(statesNow: () => RowStates): RowStates {
  const now = useNow()
  const [tick, reevaluate] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = statuses.subscribeAll(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        reevaluate()
      }, UPDATE_INTERVAL_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  // `tick` changes with reports, `now` with silence.
  // oxlint-disable-next-line react/memo-dependencies, react/exhaustive-deps, react-hooks/exhaustive-deps
  return useMemo(() => statesNow(), [statesNow, now, tick])
}

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
  const [from, upTo] = [watts?.from, watts?.through]
  const filter = useMemo(
    (): DeviceFilter => ({
      search,
      state,
      kind: fixed.kind ?? kind,
      RoomID: fixed.RoomID ?? RoomID,
      hub,
      watts:
        from === undefined && upTo === undefined
          ? undefined
          : { ...(from !== undefined && { from }), ...(upTo !== undefined && { through: upTo }) },
    }),
    [search, state, fixed.kind, kind, fixed.RoomID, RoomID, hub, from, upTo],
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
    refresh,
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
