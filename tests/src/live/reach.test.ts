import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createStore } from '../../../src/lib/store.ts'
import type { ConnectionState } from '../../../src/live/connection-machine.ts'
import { followReach, SHORT_BREAK_MS } from '../../../src/live/reach.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('is unreachable once the channel is down for longer than a short break, regardless of its attempts', () => {
  const state = createStore<ConnectionState>('connected')
  const isCutOff = followReach(state)
  state.set('reconnecting')
  vi.advanceTimersByTime(SHORT_BREAK_MS - 1)
  expect(isCutOff.get()).toBe(false)
  state.set('offline')
  vi.advanceTimersByTime(1)
  expect(isCutOff.get()).toBe(true)
  state.set('error')
  expect(isCutOff.get()).toBe(true)
  state.set('connected')
  expect(isCutOff.get()).toBe(false)
})

it('is not unreachable in a short break, nor while a page first connects', () => {
  const state = createStore<ConnectionState>('idle')
  const isCutOff = followReach(state)
  state.set('connecting')
  vi.advanceTimersByTime(10 * SHORT_BREAK_MS)
  state.set('connected')
  state.set('reconnecting')
  vi.advanceTimersByTime(SHORT_BREAK_MS / 2)
  state.set('connected')
  vi.advanceTimersByTime(10 * SHORT_BREAK_MS)
  expect(isCutOff.get()).toBe(false)
})
