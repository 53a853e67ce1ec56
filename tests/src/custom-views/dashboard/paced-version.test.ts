import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { throttledVersion } from '../../../../src/custom-views/dashboard/common/use-overview.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function busySource() {
  const listeners = new Set<() => void>()
  const change = () => listeners.forEach((listener) => listener())
  const source = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { source, change, listeners }
}

describe('throttled updates', () => {
  it('show the first change at once and all others of the interval together at its end', () => {
    const { source, change } = busySource()
    const paced = throttledVersion(source, 1000)
    const told = vi.fn<() => void>()
    paced.subscribe(told)
    for (let i = 0; i < 60; i++) change()
    expect(told).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(999)
    expect(told).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(told).toHaveBeenCalledTimes(2)
    expect(paced.get()).toBe(2)
  })

  it('are idle without changes, and prompt again after that', () => {
    const { source, change } = busySource()
    const paced = throttledVersion(source, 1000)
    const told = vi.fn<() => void>()
    paced.subscribe(told)
    change()
    vi.advanceTimersByTime(10_000)
    expect(told).toHaveBeenCalledTimes(1)
    change()
    expect(told).toHaveBeenCalledTimes(2)
  })

  it('release the source and the timer without subscribers', () => {
    const { source, change, listeners } = busySource()
    const paced = throttledVersion(source, 1000)
    const stop = paced.subscribe(() => {})
    change()
    change()
    stop()
    expect(listeners.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
