import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { POLL_DURING_GAP_MS, createGapRecovery } from '../../../src/live/gap-recovery.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const setUp = () => {
  const [askStatuses, askAll] = [vi.fn(), vi.fn()]
  return { gap: createGapRecovery({ askStatuses, askAll, random: () => 0.5 }), askStatuses, askAll }
}

it('asks for statuses now and then while news may be missing, and once for everything when that is over', () => {
  const { gap, askStatuses, askAll } = setUp()
  gap.hear({ Over: false })
  gap.hear({ Over: false })
  vi.advanceTimersByTime(3 * POLL_DURING_GAP_MS)
  expect(askStatuses).toHaveBeenCalledTimes(3)
  gap.hear({ Over: true })
  expect(askAll).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(askAll).toHaveBeenCalledOnce()
  expect(askStatuses).toHaveBeenCalledTimes(3)
})

it('asks nothing more once another connection has asked for everything', () => {
  const { gap, askStatuses, askAll } = setUp()
  gap.hear({ Over: false })
  gap.hear({ Over: true })
  gap.stop()
  vi.advanceTimersByTime(60_000)
  expect(askStatuses).not.toHaveBeenCalled()
  expect(askAll).not.toHaveBeenCalled()
})
