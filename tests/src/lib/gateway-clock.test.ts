import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gatewayNow, syncGatewayClock, updateGatewayClock } from '../../../src/lib/gateway-clock.ts'

const HERE = Date.UTC(2026, 4, 6, 12)
const DAY = 86_400_000
const dateOf = (at: number) => new Date(at).toUTCString()

beforeEach(() => vi.useFakeTimers({ now: HERE }))
afterEach(() => {
  vi.advanceTimersByTime(DAY)
  updateGatewayClock(dateOf(Date.now() + DAY), Date.now())
  updateGatewayClock(dateOf(Date.now()), Date.now())
  vi.useRealTimers()
})

it.each([
  ['a day ahead', HERE - DAY],
  ['a day behind', HERE + DAY],
])('knows the time on a device whose clock is %s', (_, there) => {
  updateGatewayClock(dateOf(there), HERE)
  expect(gatewayNow()).toBe(there)
  vi.advanceTimersByTime(5_000)
  expect(gatewayNow()).toBe(there + 5_000)
})

it('uses its own clock again once that is right', () => {
  updateGatewayClock(dateOf(HERE - DAY), HERE)
  updateGatewayClock(dateOf(HERE - 20_000), HERE)
  expect(gatewayNow()).toBe(HERE)
})

it.each([
  ['nothing', null, HERE],
  ['no date', 'soon', HERE],
  ['the time before a sleep', dateOf(HERE - DAY), HERE - DAY],
])('ignores an answer with %s', (_, date, askedAt) => {
  updateGatewayClock(date, askedAt)
  expect(gatewayNow()).toBe(HERE)
})

it('knows the time to the millisecond if the answer has that, minus half the round trip', () => {
  vi.advanceTimersByTime(800)
  syncGatewayClock(HERE + 12_345, HERE)
  expect(gatewayNow()).toBe(HERE + 12_345 + 400)
  // The header of a response has whole seconds.
  updateGatewayClock(dateOf(gatewayNow() - 1_500), Date.now())
  expect(gatewayNow()).toBe(HERE + 12_345 + 400)
})

it('uses the header of an answer after its own clock was set', () => {
  syncGatewayClock(HERE, HERE)
  vi.setSystemTime(HERE - DAY)
  updateGatewayClock(dateOf(HERE + 1_000), Date.now())
  expect(gatewayNow()).toBe(HERE + 1_000)
})
