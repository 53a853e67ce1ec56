import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import {
  type RoomContents,
  type RoomFacts,
  type RoomSummary,
  summarizeRoom,
  contentsOf,
} from '../../domain/room/room-summary.ts'
import type { DeviceSnapshot } from '../../../contract/devices/peripheral.ts'
import { statuses } from '../../data/status-store.ts'
import { useMay } from '../../data/session.ts'
import { useDeviceNotes } from '../../domain/devices/use-device-notes.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { nextFrame } from '../../lib/next-frame.ts'
import { useConnection } from '../../live/channel.ts'
import { useNow } from '../../ui/page/use-now.ts'

/** Delay after which marked rooms are summarized together. */
export const UPDATE_INTERVAL_MS = 250
/** Maximum time per frame for summaries; the rest continues in the next frame. */
const FRAME_BUDGET_MS = 4

type Listener = () => void

interface Ports {
  /** Subscribes to a device's reports; returns the unsubscribe function. */
  subscribe: (uid: string, listener: Listener) => Listener
  /** Time of the gateway, epoch ms. */
  now: () => number
  /** Monotonic clock, ms. */
  elapsed: () => number
  listenIn: (listener: Listener, ms: number) => void
  nextFrame: (listener: Listener) => void
}

/** Rooms of a site, with the facts that their summaries need. */
export interface Site extends RoomFacts {
  rooms: ReadonlyMap<number, RoomContents>
}

/**
 * Summaries of a site's rooms. A report marks the room of its device; marked rooms are summarized together, and a room's listeners are
 * called only if its summary has changed.
 */
export function createRoomStore({ subscribe, now, elapsed, listenIn, nextFrame }: Ports) {
  let site: Site | undefined
  let stops: Listener[] = []
  const sums = new Map<number, RoomSummary>()
  const listeners = new Map<number, Set<Listener>>()
  const everyListeners = new Set<Listener>()
  const marked = new Set<number>()
  /** Counts changes, for consumers of all rooms together. */
  let version = 0
  let isPlanned = false

  function sum(RoomID: number): boolean {
    const contents = site?.rooms.get(RoomID)
    if (!site || !contents) return false
    const next = summarizeRoom(contents, site, now())
    if (JSON.stringify(next) === JSON.stringify(sums.get(RoomID))) return false
    sums.set(RoomID, next)
    for (const listener of listeners.get(RoomID) ?? []) listener()
    return true
  }

  function sumMarked() {
    const startMs = elapsed()
    let hasChanged = false
    for (const RoomID of marked) {
      marked.delete(RoomID)
      hasChanged = sum(RoomID) || hasChanged
      if (elapsed() - startMs >= FRAME_BUDGET_MS) break
    }
    isPlanned = marked.size > 0
    if (isPlanned) nextFrame(sumMarked)
    if (!hasChanged) return
    version++
    for (const listener of everyListeners) listener()
  }

  function mark(RoomID: number) {
    marked.add(RoomID)
    if (isPlanned) return
    isPlanned = true
    listenIn(() => nextFrame(sumMarked), UPDATE_INTERVAL_MS)
  }

  function stop() {
    for (const unsubscribe of stops) unsubscribe()
    stops = []
  }

  return {
    /** Switches to this site; new contents and the first alarms are summarized at once, otherwise its rooms are marked. */
    show(next: Site) {
      const isOther = next.rooms !== site?.rooms
      const hasFirstAlarms = !site?.alarms && next.alarms !== undefined
      site = next
      if (!isOther && !hasFirstAlarms) {
        for (const RoomID of next.rooms.keys()) mark(RoomID)
        return
      }
      stop()
      for (const RoomID of sums.keys()) if (!next.rooms.has(RoomID)) sums.delete(RoomID)
      for (const [RoomID, { devices }] of next.rooms) {
        stops.push(...devices.map(({ PeripheralUID }) => subscribe(PeripheralUID, () => mark(RoomID))))
        sum(RoomID)
      }
      version++
      for (const listener of everyListeners) listener()
    },
    /** Marks all rooms, because readings may have become stale. */
    markAll() {
      for (const RoomID of site?.rooms.keys() ?? []) mark(RoomID)
    },
    get: (RoomID: number): RoomSummary | undefined => sums.get(RoomID),
    all: (): ReadonlyMap<number, RoomSummary> => sums,
    version: () => version,
    /** Whether the summaries include alarms. */
    hasAlarms: () => site?.alarms !== undefined,
    subscribe(RoomID: number, listener: Listener): Listener {
      const set = listeners.get(RoomID) ?? new Set()
      listeners.set(RoomID, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(RoomID) === set) listeners.delete(RoomID)
      }
    },
    /** Subscribes to each round of summaries in which anything changed. */
    subscribeAll(listener: Listener): Listener {
      everyListeners.add(listener)
      return () => void everyListeners.delete(listener)
    },
    stop() {
      stop()
      site = undefined
    },
  }
}
export type RoomStore = ReturnType<typeof createRoomStore>

export interface RoomCommand {
  RunID: string
  /** Text, e.g. "All lights off". */
  description: string
}

/** Summaries of a site's rooms, updated from device reports while the page is open. */
export function useRooms(snapshot: DeviceSnapshot | undefined): RoomStore {
  const [store] = useState(() =>
    createRoomStore({
      subscribe: statuses.subscribe,
      now: gatewayNow,
      elapsed: () => performance.now(),
      listenIn: (listener, ms) => void setTimeout(listener, ms),
      nextFrame,
    }),
  )
  const { alarms, maintenances } = useDeviceNotes(useMay('device', 'Read'))
  const state = useConnection()
  // During the first connection the fetched data is recent.
  const connected = state !== 'reconnecting' && state !== 'offline' && state !== 'error'
  const rooms = useMemo(() => snapshot && contentsOf(snapshot.Peripherals, snapshot.Things), [snapshot])
  useEffect(() => {
    if (rooms) store.show({ rooms, alarms, maintenances, statusOf: statuses.get, connected })
  }, [store, rooms, alarms, maintenances, connected])
  const now = useNow()
  // Readings may have become stale.
  // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies
  useEffect(() => store.markAll(), [store, now])
  useEffect(() => store.stop, [store])
  return store
}

/** Summary of one room; renders only when it changes. Undefined for an empty room, and before it is computed. */
export function useRoom(store: RoomStore, RoomID: number): RoomSummary | undefined {
  const subscribe = useCallback((listener: () => void) => store.subscribe(RoomID, listener), [store, RoomID])
  return useSyncExternalStore(subscribe, () => store.get(RoomID))
}

/** Power of the room that uses most, W; renders for changes only if requested. */
export const useHighestPower = (store: RoomStore, isEnabled: boolean): number =>
  useSyncExternalStore(store.subscribeAll, () =>
    isEnabled ? Math.max(0, ...[...store.all().values()].map(({ watts }) => watts.value ?? 0)) : 0,
  )

/** Severity of each state, the worst first. */
const SEVERITY: Readonly<Record<RoomSummary['state'], number>> = {
  critical: 0,
  warning: 1,
  unknown: 2,
  well: 3,
  bare: 4,
}

/** Rooms with the most urgent first, in the given order otherwise; renders only when the order changes. */
export function useByAttention<Room extends { RoomID: number }>(
  store: RoomStore,
  rooms: readonly Room[],
): readonly Room[] {
  const rankOf = ({ RoomID }: Room) => SEVERITY[store.get(RoomID)?.state ?? 'bare']
  const countOf = ({ RoomID }: Room) => store.get(RoomID)?.attentionCount ?? 0
  const sort = () => rooms.toSorted((a, b) => rankOf(a) - rankOf(b) || countOf(b) - countOf(a))
  const order = useSyncExternalStore(store.subscribeAll, () =>
    sort()
      .map(({ RoomID }) => RoomID)
      .join(),
  )
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the order stands for the summaries in the store
  return useMemo(sort, [order, rooms])
}

/** State of a room and its number of items that need attention; renders only when one of them changes. */
export function useAttention(
  store: RoomStore,
  RoomID: number,
): Pick<RoomSummary, 'state' | 'attentionCount'> {
  const subscribe = useCallback((listener: () => void) => store.subscribe(RoomID, listener), [store, RoomID])
  const text = useSyncExternalStore(subscribe, () => {
    const room = store.get(RoomID)
    return room ? `${room.state} ${room.attentionCount}` : 'bare 0'
  })
  const [state, count] = text.split(' ')
  return { state: state as RoomSummary['state'], attentionCount: Number(count) }
}

/** Floor whose rooms have most items that need attention, then most unknown rooms; the first one of equals. */
export function mostUrgent<F extends { Shapes: readonly { RoomID: number }[] }>(
  store: RoomStore,
  floors: readonly F[],
): F | undefined {
  const weightOf = ({ Shapes }: F) =>
    Shapes.reduce((sum, { RoomID }) => {
      const room = store.get(RoomID)
      return sum + (room?.attentionCount ?? 0) + (room?.state === 'unknown' ? 1 / (Shapes.length + 1) : 0)
    }, 0)
  return floors.toSorted((a, b) => weightOf(b) - weightOf(a))[0]
}
