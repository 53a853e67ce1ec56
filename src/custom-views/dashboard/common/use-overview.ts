import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { deviceEvents } from '../../../../contract/devices/event-calls.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import type { DeviceSnapshot } from '../../../../contract/devices/peripheral.ts'
import { callQuery } from '../../../data/api.ts'
import { devicesQuery } from '../../../data/homes.ts'
import { refreshTopics, useLiveHomes } from '../../../live/subscriptions.ts'
import { statuses } from '../../../data/status-store.ts'
import { useMay } from '../../../data/session.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { deviceRows, type DeviceRow } from '../../../domain/devices/device-rows.ts'
import { createEmptyTracker, type EmptyTracker } from './empty-since.ts'
import { summarize, type Summary } from './summarize.ts'

/** Minimum interval between updates of company figures: sums that change with every frame are unreadable. */
const PACE_MS = 1000

/**
 * A version for `useSyncExternalStore`, throttled: the first change after a quiet time counts at once, further changes within the pace
 * count together at its end.
 */
export function throttledVersion(source: (listener: () => void) => () => void, pace = PACE_MS) {
  const listeners = new Set<() => void>()
  let version = 0
  let stop: (() => void) | undefined
  let rest: ReturnType<typeof setTimeout> | undefined
  let missed = false

  function tell() {
    version++
    missed = false
    rest = setTimeout(() => {
      rest = undefined
      if (missed) tell()
    }, pace)
    for (const listener of listeners) listener()
  }

  return {
    get: () => version,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      stop ??= source(() => {
        if (rest === undefined) tell()
        else missed = true
      })
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
        clearTimeout(rest)
        rest = undefined
        missed = false
      }
    },
  }
}

export interface HomeOverview {
  home: HomeWithRooms
  /** Its hubs and devices; undefined like its summary. */
  snapshot: DeviceSnapshot | undefined
  /** Undefined while its devices load, after an error, or without the right to read devices. */
  summary: Summary | undefined
  /** Summaries of its rooms; only if it is the company's single home. */
  rooms: ReadonlyMap<number, Summary>
  error: unknown
  retry: () => void
}

const rowsOf = new WeakMap<DeviceSnapshot, readonly DeviceRow[]>()

/** Rows of a snapshot; memoized per snapshot. */
export function linesOf(snapshot: DeviceSnapshot): readonly DeviceRow[] {
  let rows = rowsOf.get(snapshot)
  if (!rows) {
    rows = deviceRows(snapshot)
    rowsOf.set(snapshot, rows)
  }
  return rows
}

const paced = throttledVersion(statuses.subscribeAll)

/** Every home with its figures, live while the overview is open. Each home loads and fails independently. */
export function useOverview(homes: readonly HomeWithRooms[]): readonly HomeOverview[] {
  const may = useMay('device', 'Read')
  const queries = useQueries({
    queries: homes.map(({ HomeID }) => ({ ...devicesQuery(HomeID), enabled: may })),
  })
  const settled = queries.every(({ isPending }) => !isPending)
  // Starts after all have loaded: the channel then knows every hub and fetches missed changes once.
  useLiveHomes(may && settled ? homes.map(({ HomeID }) => HomeID) : [])
  const hubs = queries.flatMap(({ data }) => data?.Things.map((thing) => thing.ThingName) ?? []).join(' ')
  useEffect(() => {
    // Subscribes to hubs that are added while the overview is open.
    if (settled && hubs) void refreshTopics()
  }, [settled, hubs])

  const now = useNow()
  const [emptySince] = useState(createEmptyTracker)
  useLastMotion(may && settled, emptySince)
  // Renders again as statuses change, throttled.
  useSyncExternalStore(paced.subscribe, paced.get)
  return homes.map((home, i) => {
    const query = queries[i]
    return {
      home,
      snapshot: query?.data,
      summary: query?.data && summarize(linesOf(query.data), statuses.get, now, emptySince),
      rooms: query?.data && homes.length === 1 ? roomsOf(linesOf(query.data), now, emptySince) : NO_ROOMS,
      error: query?.data ? undefined : (query?.error ?? undefined),
      retry: () => void query?.refetch(),
    }
  })
}

/** Feeds the gateway's last motion changes into `emptySince`, after everything else has loaded. */
function useLastMotion(wanted: boolean, emptySince: ReturnType<typeof createEmptyTracker>): void {
  const { data } = useQuery({
    ...callQuery(deviceEvents.listLastChange, { Field: 'MotionState' }),
    enabled: wanted,
    refetchOnWindowFocus: true,
  })
  useEffect(() => {
    if (data) emptySince.know(data)
  }, [data, emptySince])
}

const NO_ROOMS: ReadonlyMap<number, Summary> = new Map()

/** Summary of each room that has a device. Meters that only sum up other meters are left out of their room. */
function roomsOf(lines: readonly DeviceRow[], now: number, emptySince: EmptyTracker): Map<number, Summary> {
  const parents = new Set(lines.map(({ device }) => device?.ParentMeter))
  const byRoom = groupBy(
    lines.filter(({ device }) => device && !parents.has(device.PeripheralUID)),
    ({ RoomID }) => RoomID,
  )
  return new Map([...byRoom].map(([id, rows]) => [id, summarize(rows, statuses.get, now, emptySince)]))
}

function groupBy<K, T>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const row of rows) {
    const same = groups.get(keyOf(row))
    if (same) same.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}
