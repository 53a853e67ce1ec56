import { LRUCache } from 'lru-cache'
import { networkKeyOf } from '../lib/network.ts'
import type { Clock } from '../kernel/ports.ts'
import { RateLimited } from './response.ts'

/** Token bucket: up to `burst` calls at once, refilled at `perSecond`; 0 for no limit. */
interface Limit {
  perSecond: number
  burst: number
}

/** Independent rate limits of the gateway. */
export interface Limits {
  /** All requests except health checks, per caller address. */
  address: Limit
  /** Signed-in calls, per user. */
  user: Limit
  /** Signed-in calls, per company. */
  tenant: Limit
  /** Sign-in, sign-up and password resets, per caller address. */
  auth: Limit
}

export type RateLimits = { [L in keyof Limits]: (key: string) => void }

interface Bucket {
  tokens: number
  refilledAt: number
}

const MAX_BUCKETS = 50_000

/**
 * Creates in-memory rate limits. IPv6 callers count by network, because each has many addresses. Each function counts one call and throws
 * RateLimited if there are too many.
 */
export function createRateLimits(limits: Limits, clock: Clock): RateLimits {
  const [address, auth] = [createLimiter(limits.address, clock), createLimiter(limits.auth, clock)]
  return {
    address: (ip) => address(networkKeyOf(ip)),
    user: createLimiter(limits.user, clock),
    tenant: createLimiter(limits.tenant, clock),
    auth: (ip) => auth(networkKeyOf(ip)),
  }
}

/** Creates a rate limit by arbitrary keys; throws RateLimited if there are too many calls. */
export function createLimiter({ perSecond, burst }: Limit, clock: Clock): (key: string) => void {
  if (perSecond <= 0) return () => {}
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS })
  return (key) => {
    const now = clock.now()
    const bucket = buckets.get(key)
    if (!bucket) return void buckets.set(key, { tokens: burst - 1, refilledAt: now })
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.refilledAt) / 1000) * perSecond)
    bucket.refilledAt = now
    if (bucket.tokens < 1) throw new RateLimited(((1 - bucket.tokens) / perSecond) * 1000)
    bucket.tokens--
  }
}

interface TenantQueue {
  running: number
  waiting: (() => void)[]
}

export type TenantLimit = ReturnType<typeof createTenantLimit>

/**
 * Limits the number of concurrent calls per company; further calls of the company are queued. A company that floods the gateway fills
 * only its own queue, not that of the database.
 *
 * maxRunning  maximum number of concurrent calls per company
 * maxWaiting  maximum number of queued calls per company; beyond it RateLimited
 */
export function createTenantLimit({
  running: maxRunning,
  waiting: maxWaiting,
}: {
  running: number
  waiting: number
}) {
  const queues = new Map<string, TenantQueue>()
  return {
    /** Starts a call now, or returns a promise of its turn. */
    acquire(tenant: string): Promise<void> | undefined {
      let queue = queues.get(tenant)
      if (!queue) queues.set(tenant, (queue = { running: 0, waiting: [] }))
      if (queue.running < maxRunning) {
        queue.running++
        return undefined
      }
      if (queue.waiting.length >= maxWaiting) throw new RateLimited(1000)
      return new Promise((resolve) => queue.waiting.push(resolve))
    },

    /** Ends a call and starts the next in the queue. */
    release(tenant: string): void {
      const queue = queues.get(tenant)
      if (!queue) return
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) queues.delete(tenant)
    },
  }
}
