/** Rules by which deliveries of one kind are claimed and retried. */
export interface RetryPolicy {
  /** Lease of a claimed delivery in ms; longer than any attempt takes. */
  leaseMs: number
  /** Delay after the first failed attempt in ms; doubled after each further one. */
  firstDelayMs: number
  maxDelayMs: number
  /** Unlimited if omitted. */
  maxAttempts?: number
  /** Age in ms from which a failed delivery is given up; unlimited if omitted. */
  giveUpAfterMs?: number
}

/** A delivery after an attempt, the failed one included in `attempts`. */
export interface AttemptedDelivery {
  attempts: number
  /** Epoch ms. */
  createdAt: number
  /** Epoch ms; null if it never expires. */
  expiresAt: number | null
}

/**
 * Time of the next attempt after a failed one, epoch ms.
 *
 * requestedDelayMs  delay that the receiver requests; null if none
 */
export function nextAttempt(
  { firstDelayMs, maxDelayMs, maxAttempts = Infinity, giveUpAfterMs = Infinity }: RetryPolicy,
  { attempts, createdAt, expiresAt }: AttemptedDelivery,
  now: number,
  requestedDelayMs: number | null = null,
): number | 'giveUp' {
  const at = now + (requestedDelayMs ?? Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1)))
  const isOver =
    attempts >= maxAttempts || now - createdAt >= giveUpAfterMs || (expiresAt !== null && at >= expiresAt)
  return isOver ? 'giveUp' : at
}
