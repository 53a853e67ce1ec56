import type { RoomContents, RoomFacts, RoomSummary } from '../../domain/room/room-summary.ts'
import { summarizeRoom } from '../../domain/room/room-summary.ts'

/** Rooms that were marked are summed together this often, ms. */
export const UPDATE_INTERVAL_MS = 250
/** So long may one frame be held up by it, ms; what is left waits for the next frame. */
export const FRAME_BUDGET_MS = 4

type Listener = () => void

interface Ports {
  /** Hears a device's reports until the answered function is called. */
  subscribe: (uid: string, listener: Listener) => Listener
  /** The gateway's time, epoch ms. */
  now: () => number
  /** A clock for measuring, ms. */
  elapsed: () => number
  wait: (listener: Listener, ms: number) => void
  nextFrame: (listener: Listener) => void
}

/** What a site's rooms are made of, and what is known beside it. */
export interface Site extends RoomFacts {
  rooms: ReadonlyMap<number, RoomContents>
}

/**
 * The sums of a site's rooms. A report marks the room of its device; marked rooms are summed together, and who looks at one room
 * is told only when the sum of that room is another one.
 */
export function createRoomStore({ subscribe, now, elapsed, wait, nextFrame }: Ports) {
  let site: Site | undefined
  let stops: Listener[] = []
  const sums = new Map<number, RoomSummary>()
  const listeners = new Map<number, Set<Listener>>()
  const everyListeners = new Set<Listener>()
  const marked = new Set<number>()
  /** Counts the sums that became others: for what is said of all rooms together. */
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
    const began = elapsed()
    let hasChanged = false
    for (const RoomID of marked) {
      marked.delete(RoomID)
      hasChanged = sum(RoomID) || hasChanged
      if (elapsed() - began >= FRAME_BUDGET_MS) break
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
    wait(() => nextFrame(sumMarked), UPDATE_INTERVAL_MS)
  }

  function stop() {
    for (const one of stops) one()
    stops = []
  }

  return {
    /** Looks at this site from now on: what is there is summed at once. */
    show(next: Site) {
      const isOther = next.rooms !== site?.rooms
      site = next
      if (!isOther) {
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
    /** Time has passed: what was in time may be old. */
    markAll() {
      for (const RoomID of site?.rooms.keys() ?? []) mark(RoomID)
    },
    get: (RoomID: number): RoomSummary | undefined => sums.get(RoomID),
    all: (): ReadonlyMap<number, RoomSummary> => sums,
    version: () => version,
    subscribe(RoomID: number, listener: Listener): Listener {
      const set = listeners.get(RoomID) ?? new Set()
      listeners.set(RoomID, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(RoomID) === set) listeners.delete(RoomID)
      }
    },
    /** Told after each round of sums in which anything changed. */
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
