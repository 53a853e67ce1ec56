import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLiveValues } from '../../../../../src/custom-views/dashboard/common/live-values.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function createSource() {
  const listeners = new Set<() => void>()
  const change = () => listeners.forEach((listener) => listener())
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { subscribe, change, listeners }
}

function setUp() {
  const [frequent, rare] = [createSource(), createSource()]
  const onIdle = vi.fn<() => void>()
  const liveValue = createLiveValues(
    { frequent: frequent.subscribe, immediate: rare.subscribe, onIdle },
    1_000,
  )
  const data = { power: 1, rooms: { first: { lights: 2 }, second: { lights: 0 } } }
  const value = liveValue(() => structuredClone(data))
  const listener = vi.fn<() => void>()
  return { frequent, rare, onIdle, liveValue, data, value, listener }
}

describe('a live value', () => {
  it('shows the first change at once and all others of the interval together at its end', () => {
    const { frequent, data, value, listener } = setUp()
    value.subscribe(listener)
    for (let i = 0; i < 60; i++) {
      data.power++
      frequent.change()
    }
    expect(listener).toHaveBeenCalledTimes(1)
    expect(value.get().power).toBe(2)
    vi.advanceTimersByTime(999)
    expect(listener).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(listener).toHaveBeenCalledTimes(2)
    expect(value.get().power).toBe(61)
  })

  it('is idle without changes, and prompt again after that', () => {
    const { frequent, data, value, listener } = setUp()
    value.subscribe(listener)
    data.power++
    frequent.change()
    vi.advanceTimersByTime(10_000)
    expect(listener).toHaveBeenCalledTimes(1)
    data.power++
    frequent.change()
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('shows rare changes at once, even within the interval', () => {
    const { frequent, rare, data, value, listener } = setUp()
    value.subscribe(listener)
    data.power++
    frequent.change()
    data.power++
    rare.change()
    expect(listener).toHaveBeenCalledTimes(2)
    expect(value.get().power).toBe(3)
  })

  it('notifies nobody if the result is equal, and keeps the identity of unchanged parts', () => {
    const { frequent, rare, data, value, listener } = setUp()
    value.subscribe(listener)
    const before = value.get()
    frequent.change()
    rare.change()
    expect(listener).not.toHaveBeenCalled()
    expect(value.get()).toBe(before)
    data.rooms.first.lights = 1
    rare.change()
    expect(listener).toHaveBeenCalledTimes(1)
    expect(value.get().rooms.first).not.toBe(before.rooms.first)
    expect(value.get().rooms.second).toBe(before.rooms.second)
  })

  it('that is computed from another one never sees its older result', () => {
    const { rare, liveValue, data, value, listener } = setUp()
    const derived = liveValue(() => value.get().power * 10)
    derived.subscribe(listener)
    const ofSource = vi.fn<() => void>()
    value.subscribe(ofSource)
    data.power = 7
    rare.change()
    expect(derived.get()).toBe(70)
    expect(listener).toHaveBeenCalledTimes(1)
    expect(ofSource).toHaveBeenCalledTimes(1)
  })

  it('is current without listeners, and stays the same while it is equal', () => {
    const { data, value } = setUp()
    const before = value.get()
    expect(value.get()).toBe(before)
    data.power++
    expect(value.get().power).toBe(2)
  })

  it('releases the sources and the timer without listeners', () => {
    const { frequent, rare, onIdle, data, value, listener } = setUp()
    const stop = value.subscribe(listener)
    data.power++
    frequent.change()
    frequent.change()
    expect(onIdle).not.toHaveBeenCalled()
    stop()
    expect(frequent.listeners.size + rare.listeners.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
    expect(onIdle).toHaveBeenCalledTimes(1)
  })
})
