import { describe, expect, it } from 'vitest'
import { nextAttempt, type RetryPolicy } from '../../../gateway/deliveries/worker.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 0, 5)
const POLICY: RetryPolicy = { leaseMs: MINUTE, firstDelayMs: MINUTE, maxDelayMs: 10 * MINUTE }
const attempted = (attempts: number, given: { createdAt?: number; expiresAt?: number } = {}) => ({
  attempts,
  createdAt: NOW,
  expiresAt: null,
  ...given,
})
const minutes = (at: number | 'giveUp') => (at === 'giveUp' ? at : (at - NOW) / MINUTE)

describe('the next attempt', () => {
  it('doubles its delay up to the maximum', () => {
    const delays = [1, 2, 3, 4, 5, 6, 2_000].map((attempts) =>
      minutes(nextAttempt(POLICY, attempted(attempts), NOW)),
    )
    expect(delays).toEqual([1, 2, 4, 8, 10, 10, 10])
  })

  it('is when the receiver requests it', () => {
    expect(minutes(nextAttempt(POLICY, attempted(5), NOW, 3 * MINUTE))).toBe(3)
    expect(minutes(nextAttempt(POLICY, attempted(1), NOW, 60 * MINUTE))).toBe(60)
    expect(minutes(nextAttempt(POLICY, attempted(1), NOW, 0))).toBe(0)
  })

  it('is given up after the maximum number of attempts', () => {
    const policy = { ...POLICY, maxAttempts: 3 }
    expect(minutes(nextAttempt(policy, attempted(2), NOW))).toBe(2)
    expect(nextAttempt(policy, attempted(3), NOW)).toBe('giveUp')
    expect(nextAttempt(policy, attempted(3), NOW, MINUTE)).toBe('giveUp')
  })

  it('is given up at the maximum age', () => {
    const policy = { ...POLICY, giveUpAfterMs: 60 * MINUTE }
    const createdAt = NOW - 60 * MINUTE
    expect(minutes(nextAttempt(policy, attempted(1, { createdAt: createdAt + 1 }), NOW))).toBe(1)
    expect(nextAttempt(policy, attempted(1, { createdAt }), NOW)).toBe('giveUp')
  })

  it('is given up if the delivery expires before', () => {
    expect(minutes(nextAttempt(POLICY, attempted(1, { expiresAt: NOW + MINUTE + 1 }), NOW))).toBe(1)
    expect(nextAttempt(POLICY, attempted(1, { expiresAt: NOW + MINUTE }), NOW)).toBe('giveUp')
  })
})
