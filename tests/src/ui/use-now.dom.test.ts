import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useNow } from '../../../src/ui/page/use-now.ts'

const MORNING = Date.UTC(2026, 4, 6, 1)

beforeEach(() => vi.useFakeTimers({ now: MORNING }))
afterEach(() => vi.useRealTimers())

it('updates every quarter of a minute', () => {
  const { result, unmount } = renderHook(() => useNow())
  expect(result.current).toBe(MORNING)
  act(() => vi.advanceTimersByTime(14_000))
  expect(result.current).toBe(MORNING)
  act(() => vi.advanceTimersByTime(1_000))
  expect(result.current).toBe(MORNING + 15_000)
  unmount()
})

it('is right as soon as a page that slept is visible', () => {
  const { result, unmount } = renderHook(() => useNow())
  vi.setSystemTime(MORNING + 3_600_000)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(result.current).toBe(MORNING + 3_600_000)
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})

it('is the same for everything in one render, however long that takes', () => {
  vi.useRealTimers()
  let time = Date.now()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => (time += 5))
  const seen: number[] = []
  const { unmount } = renderHook(() => void seen.push(useNow(), useNow()))
  expect(new Set(seen).size).toBe(1)
  expect(seen).toHaveLength(2)
  unmount()
  clock.mockRestore()
})
