import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { POLL_DURING_GAP_MS, createGapRecovery } from '../../../src/live/gap-recovery.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const setUp = () => {
  const [requestStatuses, refetchAll] = [vi.fn(), vi.fn()]
  return {
    gap: createGapRecovery({ requestStatuses, refetchAll, random: () => 0.5 }),
    requestStatuses,
    refetchAll,
  }
}

it('polls statuses while messages may be missing, and reloads everything once after that', () => {
  const { gap, requestStatuses, refetchAll } = setUp()
  gap.handleGap({ Over: false })
  gap.handleGap({ Over: false })
  vi.advanceTimersByTime(3 * POLL_DURING_GAP_MS)
  expect(requestStatuses).toHaveBeenCalledTimes(3)
  gap.handleGap({ Over: true })
  expect(refetchAll).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(refetchAll).toHaveBeenCalledOnce()
  expect(requestStatuses).toHaveBeenCalledTimes(3)
})

it('requests nothing more once another connection has reloaded everything', () => {
  const { gap, requestStatuses, refetchAll } = setUp()
  gap.handleGap({ Over: false })
  gap.handleGap({ Over: true })
  gap.stop()
  vi.advanceTimersByTime(60_000)
  expect(requestStatuses).not.toHaveBeenCalled()
  expect(refetchAll).not.toHaveBeenCalled()
})
