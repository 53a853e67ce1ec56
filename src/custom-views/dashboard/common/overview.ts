import { notifyManager, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { deviceEvents } from '../../../../contract/devices/event-calls.ts'
import type { DeviceSnapshot } from '../../../../contract/devices/peripheral.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { callQuery, queryClient, refetchAnswer } from '../../../data/api.ts'
import { attentionQuery, devicesKey, devicesQuery } from '../../../data/homes.ts'
import { me, useMay } from '../../../data/session.ts'
import { statuses } from '../../../data/status-store.ts'
import { deviceRows, type DeviceRow } from '../../../domain/devices/device-rows.ts'
import { DEVICE_NOTES_KEYS } from '../../../domain/devices/use-device-notes.ts'
import { connection } from '../../../live/channel.ts'
import { refreshTopics, useLiveHomes } from '../../../live/subscriptions.ts'
import { clock } from '../../../ui/page/use-now.ts'
import { createEmptyTracker, summarize, type Summary } from './summarize.ts'
import { createLiveValues, type LiveValue } from './live-values.ts'

export interface HomeOverview {
  /** Hubs and devices; undefined like the summary. */
  snapshot: DeviceSnapshot | undefined
  /** Undefined while the devices load, after an error, or without the right to read devices. */
  summary: Summary | undefined
  error: unknown
}

/** Since when each motion sensor has detected no one, as long as a screen shows it. */
let emptySince = createEmptyTracker()

/** First elements of the keys of the queries from which the values are computed. */
const QUERIES: ReadonlySet<unknown> = new Set(
  [devicesKey(''), attentionQuery.queryKey, ...DEVICE_NOTES_KEYS].map(([path]) => path),
)

/** Notifies of changed answers together with the components that use them, so that both render at once. */
function subscribeToQueries(listener: () => void): () => void {
  let isScheduled = false
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (isScheduled || (type !== 'updated' && type !== 'removed') || !QUERIES.has(query.queryKey[0])) return
    isScheduled = true
    notifyManager.schedule(() => {
      isScheduled = false
      listener()
    })
  })
}

/** Values of the dashboard that follow the statuses of devices, at most once per second, and answers of the gateway at once. */
export const liveValue = createLiveValues({
  frequent: statuses.subscribeAll,
  immediate(listener) {
    const stops = [
      subscribeToQueries(listener),
      connection.state.subscribe(listener),
      me.subscribe(listener),
      clock.subscribe(listener),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  },
  onIdle: () => (emptySince = createEmptyTracker()),
})

export const useLive = <T>({ subscribe, get }: LiveValue<T>): T => useSyncExternalStore(subscribe, get)

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

const summaryOf = (rows: readonly DeviceRow[]): Summary =>
  summarize(rows, statuses.get, clock.get(), emptySince)

const overviews = new WeakMap<HomeWithRooms, LiveValue<HomeOverview>>()

/** Devices of a home and their summary. Homes load and fail independently. */
export function overviewOf(home: HomeWithRooms): LiveValue<HomeOverview> {
  let value = overviews.get(home)
  if (!value) {
    value = liveValue(() => {
      const state = queryClient.getQueryState<DeviceSnapshot>(devicesKey(home.HomeID))
      const snapshot = state?.data
      return {
        snapshot,
        summary: snapshot && summaryOf(linesOf(snapshot)),
        error: snapshot ? undefined : (state?.error ?? undefined),
      }
    })
    overviews.set(home, value)
  }
  return value
}

export const useHomeOverview = (home: HomeWithRooms): HomeOverview => useLive(overviewOf(home))

/** Devices of a home; unlike its summary they change rarely. Undefined while they load, and without a home. */
export function useSnapshot(home: HomeWithRooms | undefined): DeviceSnapshot | undefined {
  const value = home ? overviewOf(home) : NO_OVERVIEW
  return useSyncExternalStore(value.subscribe, () => value.get().snapshot)
}

const NO_OVERVIEW: LiveValue<HomeOverview> = {
  get: () => NO_OVERVIEW_DATA,
  subscribe: () => () => {},
}
const NO_OVERVIEW_DATA: HomeOverview = { snapshot: undefined, summary: undefined, error: undefined }

/** Summaries of several homes, in their order; undefined for one whose devices are not known. */
export const useSummaries = (homes: readonly HomeWithRooms[]): readonly (Summary | undefined)[] =>
  useLive(useMemo(() => liveValue(() => homes.map((home) => overviewOf(home).get().summary)), [homes]))

/** Devices of several homes, in their order, or the error. */
export const useSnapshots = (
  homes: readonly HomeWithRooms[],
): readonly Pick<HomeOverview, 'snapshot' | 'error'>[] =>
  useLive(
    useMemo(
      () =>
        liveValue(() =>
          homes.map((home) => {
            const { snapshot, error } = overviewOf(home).get()
            return { snapshot, error }
          }),
        ),
      [homes],
    ),
  )

/** Rows of the devices in rooms, without meters that only sum up others, because those may be in other rooms. */
function rowsInRooms(snapshot: DeviceSnapshot): readonly DeviceRow[] {
  const rows = linesOf(snapshot)
  const parents = new Set(rows.map(({ device }) => device?.ParentMeter))
  return rows.filter(({ device }) => device && !parents.has(device.PeripheralUID))
}

/** Ids of the rooms that have devices; empty while the devices load, and without a home. */
export function useOccupiedRooms(home: HomeWithRooms | undefined): ReadonlySet<number> {
  const snapshot = useSnapshot(home)
  return useMemo(() => new Set(snapshot && rowsInRooms(snapshot).map(({ RoomID }) => RoomID)), [snapshot])
}

/** Summary of a room; undefined while its devices load. */
export function useRoomSummary(home: HomeWithRooms, RoomID: number): Summary | undefined {
  return useLive(
    useMemo(
      () =>
        liveValue(() => {
          const { snapshot } = overviewOf(home).get()
          return snapshot && summaryOf(rowsInRooms(snapshot).filter((row) => row.RoomID === RoomID))
        }),
      [home, RoomID],
    ),
  )
}

/** Fetches the devices of a home again, after an error. */
export const refetchDevices = ({ HomeID }: HomeWithRooms): void => refetchAnswer(devicesKey(HomeID))

/** Fetches the devices of all homes, and follows their changes while it is mounted. */
export function useLiveOverview(homes: readonly HomeWithRooms[]): void {
  const may = useMay('device', 'Read')
  const { isSettled, hubs } = useQueries({
    queries: homes.map(({ HomeID }) => ({ ...devicesQuery(HomeID), enabled: may })),
    combine: (queries) => ({
      isSettled: queries.every(({ isPending }) => !isPending),
      hubs: queries.flatMap(({ data }) => data?.Things.map((thing) => thing.ThingName) ?? []).join(' '),
    }),
  })
  // Starts after all have loaded: the channel then knows every hub and fetches missed changes once.
  useLiveHomes(may && isSettled ? homes.map(({ HomeID }) => HomeID) : [])
  useEffect(() => {
    // Subscribes to hubs that are added while the overview is open.
    if (isSettled && hubs) void refreshTopics()
  }, [isSettled, hubs])
  // The gateway's last motion changes, after everything else has loaded.
  const { data } = useQuery({
    ...callQuery(deviceEvents.listLastChange, { Field: 'MotionState' }),
    enabled: may && isSettled,
    refetchOnWindowFocus: true,
  })
  useEffect(() => {
    if (data) emptySince.applyChanges(data)
  }, [data])
}
