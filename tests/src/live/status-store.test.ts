import { describe, expect, it, vi } from 'vitest'
import { createStatusStore } from '../../../src/data/status-store.ts'

const status = (Timestamp: number, values: Record<string, unknown> = {}, PeripheralUID = 'p1') => ({
  PeripheralUID,
  PeripheralType: '516',
  Timestamp,
  updateAt: Timestamp,
  ...values,
})

function setUp() {
  const frames: (() => void)[] = []
  const store = createStatusStore((flush) => frames.push(flush))
  return { store, frame: () => frames.splice(0).forEach((flush) => flush()), frames }
}

describe('live status', () => {
  it('ignores a report older than the stored one', () => {
    const { store } = setUp()
    store.report(status(2000, { Switch: 1 }))
    store.report(status(1999, { Switch: 0 }))
    expect(store.get('p1')).toMatchObject({ Timestamp: 2000, Switch: 1 })
  })

  it('accepts an older report if the stored one came from a clock that was ahead', () => {
    const { store } = setUp()
    store.report({ ...status(9_000, { Power: 1 }), updateAt: 1_000 })
    store.report({ ...status(2_000, { Power: 2 }), updateAt: 2_000 })
    store.report({ ...status(1_900, { Power: 3 }), updateAt: 2_000 })
    expect(store.get('p1')).toMatchObject({ Timestamp: 2_000, Power: 2 })
  })

  it('merges a partial report into the stored status', () => {
    const { store } = setUp()
    store.report(status(1, { Switch1: 0, Switch2: 1 }))
    store.report(status(2, { Switch1: 1 }))
    expect(store.get('p1')).toMatchObject({ Switch1: 1, Switch2: 1 })
  })

  it('removes values that are now unknown, including zones', () => {
    const { store } = setUp()
    store.report(
      status(1, { Temperature: 21, Humidity: 40, ThermostatTable: [{ NodeID: 1, Temperature: 20 }] }),
    )
    store.report(
      status(2, { Temperature: null, Humidity: 41, ThermostatTable: [{ NodeID: 1, Temperature: null }] }),
    )
    expect(store.get('p1')).toEqual(status(2, { Humidity: 41, ThermostatTable: [{ NodeID: 1 }] }))
  })

  it('merges thermostat tables by NodeID', () => {
    const { store } = setUp()
    store.report(
      status(1, {
        ThermostatTable: [
          { NodeID: 1, Mode: 0, Set: 24 },
          { NodeID: 2, Mode: 1 },
        ],
      }),
    )
    store.report(status(2, { ThermostatTable: [{ NodeID: 1, Set: 26 }] }))
    expect(store.get('p1')?.['ThermostatTable']).toEqual([
      { NodeID: 1, Mode: 0, Set: 26 },
      { NodeID: 2, Mode: 1 },
    ])
  })

  it('notifies once per frame for a thousand reports of one device', () => {
    const { store, frame, frames } = setUp()
    const told = vi.fn()
    store.subscribe('p1', told)
    for (let i = 1; i <= 1000; i++) store.report(status(i))
    expect(frames).toHaveLength(1)
    expect(told).not.toHaveBeenCalled()
    frame()
    expect(told).toHaveBeenCalledTimes(1)
    expect(store.get('p1')?.Timestamp).toBe(1000)
  })

  it('notifies only subscribers of the device', () => {
    const { store, frame } = setUp()
    const [mine, other, sum] = [vi.fn(), vi.fn(), vi.fn()]
    store.subscribe('p1', mine)
    store.subscribe('p2', other)
    store.subscribeAll(sum)
    store.report(status(1))
    frame()
    expect([mine, other, sum].map((fn) => fn.mock.calls.length)).toEqual([1, 0, 1])
  })

  it('does not notify after unsubscribe', () => {
    const { store, frame } = setUp()
    const told = vi.fn()
    store.subscribe('p1', told)()
    store.report(status(1))
    frame()
    expect(told).not.toHaveBeenCalled()
  })

  it('clears everything at sign-out, and notifies', () => {
    const { store, frame } = setUp()
    store.report(status(1))
    frame()
    const told = vi.fn()
    store.subscribe('p1', told)
    store.clear()
    frame()
    expect(store.get('p1')).toBeUndefined()
    expect(told).toHaveBeenCalledTimes(1)
  })

  it('does not notify for an old report without effect', () => {
    const { store, frame, frames } = setUp()
    store.report(status(5))
    frame()
    store.report(status(4))
    expect(frames).toHaveLength(0)
  })
})
