import { expect, it } from 'vitest'
import { contentsOf } from '../../../../src/domain/room/room-summary.ts'
import { createRoomStore, UPDATE_INTERVAL_MS } from '../../../../src/custom-views/building/room-store.ts'
import { createStatusStore } from '../../../../src/data/status-store.ts'
import { aPeripheral } from '../../../support/peripheral.ts'

const NOW = 1_790_000_000_000

/** Rooms 1 to `count` with one light each, and a clock controlled by the test. */
function site(count: number, cost = 0) {
  const waits: { listener: () => void; ms: number }[] = []
  const frames: (() => void)[] = []
  const flushes: (() => void)[] = []
  let elapsed = 0
  const statuses = createStatusStore((flush) => flushes.push(flush))
  const store = createRoomStore({
    subscribe: statuses.subscribe,
    now: () => NOW,
    elapsed: () => (elapsed += cost),
    listenIn: (listener, ms) => waits.push({ listener, ms }),
    nextFrame: (listener) => frames.push(listener),
  })
  const devices = Array.from({ length: count }, (_, i) =>
    aPeripheral({ PeripheralUID: `light${i + 1}`, PeripheralType: '534', RoomID: i + 1 }),
  )
  const hub = { ThingName: 'hub', DeviceName: 'hub', HomeID: 'h1', RoomID: 0, Online: true, SeenAt: NOW }
  store.show({ rooms: contentsOf(devices, [hub]), statusOf: statuses.get, connected: true })
  const take = (from: (() => void)[]) => from.splice(0).forEach((one) => one())
  return {
    store,
    waits,
    frames,
    report(room: number, Switch1: number) {
      const status = { PeripheralType: '534', Timestamp: NOW, updateAt: NOW, Switch1, Switch2: 0 }
      statuses.report({ PeripheralUID: `light${room}`, ...status })
      take(flushes)
    },
    /** Ends the pause between two summaries. */
    pass: () => waits.splice(0).forEach(({ listener }) => listener()),
    frame: () => take(frames),
  }
}

it('summarizes a room once per batch of reports and notifies only its subscribers', () => {
  const { store, waits, report, pass, frame } = site(2)
  const told: number[] = []
  store.subscribe(1, () => told.push(1))
  store.subscribe(2, () => told.push(2))
  report(1, 0)
  report(1, 1)
  expect(waits.map(({ ms }) => ms)).toEqual([UPDATE_INTERVAL_MS])
  expect(store.get(1)?.lights.unknown).toBe(1)
  pass()
  frame()
  expect(store.get(1)?.lights).toEqual({ count: 1, total: 1, unknown: 0 })
  expect(told).toEqual([1])
  report(1, 1)
  pass()
  frame()
  expect(told).toEqual([1])
})

it('defers what does not fit in a frame, and processes it later', () => {
  const { store, report, pass, frame, frames } = site(5, 3)
  for (const room of [1, 2, 3, 4, 5]) report(room, 1)
  pass()
  frame()
  const known = () => [1, 2, 3, 4, 5].filter((room) => store.get(room)?.lights.count === 1)
  expect(known()).toEqual([1, 2])
  frame()
  expect(known()).toEqual([1, 2, 3, 4])
  frame()
  expect(known()).toEqual([1, 2, 3, 4, 5])
  expect(frames).toEqual([])
})

it('ignores reports after it is stopped', () => {
  const { store, report, waits } = site(1)
  store.stop()
  report(1, 1)
  expect(waits).toEqual([])
})
