import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { DeviceSnapshot } from '../../../contract/devices/peripheral.ts'
import { statuses } from '../../data/status-store.ts'
import { useMay } from '../../data/session.ts'
import { useDeviceNotes } from '../../domain/devices/use-device-notes.ts'
import { contentsOf, type RoomSummary } from '../../domain/room/room-summary.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { nextFrame } from '../../lib/next-frame.ts'
import { useConnection } from '../../live/live.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { createRoomStore, type RoomStore } from './room-store.ts'

/** The rooms of a site, summed as its devices report for as long as the page is open. */
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
  // Before the channel has first begun the answers are new.
  const connected = state !== 'reconnecting' && state !== 'offline' && state !== 'error'
  const rooms = useMemo(() => snapshot && contentsOf(snapshot.Peripherals, snapshot.Things), [snapshot])
  useEffect(() => {
    if (rooms) store.show({ rooms, alarms, maintenances, statusOf: statuses.get, connected })
  }, [store, rooms, alarms, maintenances, connected])
  const now = useNow()
  // What was in time may be old by now.
  // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies
  useEffect(() => store.markAll(), [store, now])
  useEffect(() => store.stop, [store])
  return store
}

/** One room; draws again only when its own sum is another one. Undefined for a room in which nothing stands, and before it is summed. */
export function useRoom(store: RoomStore, RoomID: number): RoomSummary | undefined {
  const subscribe = useCallback((tell: () => void) => store.subscribe(RoomID, tell), [store, RoomID])
  return useSyncExternalStore(subscribe, () => store.get(RoomID))
}

/** W of the room that uses most; only who shows power draws again for it. */
export const useHighestPower = (store: RoomStore, isAsked: boolean): number =>
  useSyncExternalStore(store.subscribeAll, () =>
    isAsked ? Math.max(0, ...[...store.all().values()].map(({ watts }) => watts.value ?? 0)) : 0,
  )
