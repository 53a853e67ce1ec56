import { useQueries } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { HomeWithRooms } from '../../../contract/resources/home.ts'
import type { DeviceSnapshot } from '../../../contract/resources/peripheral.ts'
import { devicesQuery } from '../../data/homes.ts'
import { refreshTopics, useLiveHomes } from '../../live/live.ts'
import { useDeviceNotes } from '../../domain/device/use-device-notes.ts'
import { statuses } from '../../data/status-store.ts'
import { useMay } from '../../data/session.ts'
import { whenSettled } from '../../data/when-settled.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { deviceRows, type DeviceRow } from '../../domain/device/device-rows.ts'
import { pacedVersion } from './paced-version.ts'
import { summarize, type HomeSummary } from './summarize.ts'

/** What the overview knows of one home. */
export interface HomeOverview {
  home: HomeWithRooms
  /** Undefined while its devices load, when they could not be loaded, or without the right to read devices. */
  summary: HomeSummary | undefined
  /** Why its devices could not be loaded. */
  error: unknown
  retry: () => void
}

const rowsOf = new WeakMap<DeviceSnapshot, readonly DeviceRow[]>()

/** A snapshot's lines; the same array for the same snapshot. */
export function linesOf(snapshot: DeviceSnapshot): readonly DeviceRow[] {
  let rows = rowsOf.get(snapshot)
  if (!rows) {
    rows = deviceRows(snapshot)
    rowsOf.set(snapshot, rows)
  }
  return rows
}

const paced = pacedVersion(statuses.subscribeAll)

/** Every home with its figures, live for as long as the overview is open. Each home loads, and fails, by itself. */
export function useOverview(homes: readonly HomeWithRooms[]): readonly HomeOverview[] {
  const may = useMay('device', 'Read')
  const queries = useQueries({
    queries: homes.map(({ HomeID }) => ({ ...devicesQuery(HomeID), enabled: may })),
  })
  const settled = queries.every(({ isPending }) => !isPending)
  // Once all have loaded: the channel then knows every hub, and asks for what was missed just once.
  useLiveHomes(may && settled ? homes.map(({ HomeID }) => HomeID) : [])
  const hubs = queries.flatMap(({ data }) => data?.Things.map((thing) => thing.ThingName) ?? []).join(' ')
  useEffect(() => {
    // A hub that was added while the overview is open.
    if (settled && hubs) void refreshTopics()
  }, [settled, hubs])

  const now = useNow()
  // Asked for once the page can be used: until then an alarm counts as devices report it.
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => whenSettled(() => setDrawn(true)), [])
  const notes = useDeviceNotes(may && isDrawn)
  // Draws again as the statuses move; nothing else of the page does.
  useSyncExternalStore(paced.subscribe, paced.get)
  return homes.map((home, i) => {
    const query = queries[i]
    return {
      home,
      summary: query?.data && summarize(linesOf(query.data), statuses.get, now, notes),
      error: query?.data ? undefined : (query?.error ?? undefined),
      retry: () => void query?.refetch(),
    }
  })
}
