import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { POLL_DURING_GAP_MS, createGapRecovery } from '../../../src/live/gap-recovery.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const setUp = () => {
  const [askStatuses, askAll] = [vi.fn(), vi.fn()]
  return { gap: createGapRecovery({ requestStatuses: askStatuses, refetchAll: askAll, random: () => 0.5 }), askStatuses, askAll }
}

it('polls statuses while messages may be missing, and reloads everything once after that', () => {
  const { gap, askStatuses, askAll } = setUp()
  gap.handleGap({ Over: false })
  gap.handleGap({ Over: false })
  vi.advanceTimersByTime(3 * POLL_DURING_GAP_MS)
  expect(askStatuses).toHaveBeenCalledTimes(3)
  gap.handleGap({ Over: true })
  expect(askAll).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(askAll).toHaveBeenCalledOnce()
  expect(askStatuses).toHaveBeenCalledTimes(3)
})

it('requests nothing more once another connection has reloaded everything', () => {
  const { gap, askStatuses, askAll } = setUp()
  gap.handleGap({ Over: false })
  gap.handleGap({ Over: true })
  gap.stop()
  vi.advanceTimersByTime(60_000)
  expect(askStatuses).not.toHaveBeenCalled()
  expect(askAll).not.toHaveBeenCalled()
})
