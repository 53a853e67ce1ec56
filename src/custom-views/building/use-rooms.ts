import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { DeviceSnapshot } from '../../../contract/devices/peripheral.ts'
import { statuses } from '../../data/status-store.ts'
import { useMay } from '../../data/session.ts'
import { useDeviceNotes } from '../../domain/devices/use-device-notes.ts'
import { contentsOf, type RoomSummary } from '../../domain/room/room-summary.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { nextFrame } from '../../lib/next-frame.ts'
import { useConnection } from '../../live/channel.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { createRoomStore, type RoomStore } from './room-store.ts'

/** Summaries of a site's rooms, updated from device reports while the page is open. */
export function useRooms(snapshot: DeviceSnapshot | undefined): RoomStore {
  const [store] = useState(() =>
    createRoomStore({
      subscribe: statuses.subscribe,
      now: gatewayNow,
      elapsed: () => performance.now(),
      wait: (listener, ms) => void setTimeout(listener, ms),
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
  const subscribe = useCallback((tell: () => void) => store.subscribe(RoomID, tell), [store, RoomID])
  return useSyncExternalStore(subscribe, () => store.get(RoomID))
}

/** Power of the room that uses most, W; renders for changes only if requested. */
export const useHighestPower = (store: RoomStore, isAsked: boolean): number =>
  useSyncExternalStore(store.subscribeAll, () =>
    isAsked ? Math.max(0, ...[...store.all().values()].map(({ watts }) => watts.value ?? 0)) : 0,
  )
