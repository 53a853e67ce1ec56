import { LRUCache } from 'lru-cache'
import { networkKeyOf } from '../lib/network.ts'
import type { Clock } from '../kernel/ports.ts'
import { RateLimited } from './response.ts'

/** A token bucket: `burst` calls at once, refilled at `perSecond`; 0 for no limit. */
export interface Limit {
  perSecond: number
  burst: number
}

/** The buckets of the gateway, each counted apart. */
export interface Limits {
  /** Everything but health checks, per caller's address. */
  address: Limit
  /** Signed-in calls, per person. */
  user: Limit
  /** Signed-in calls, per company. */
  tenant: Limit
  /** Sign-in, sign-up and forgotten passwords, per caller's address. */
  auth: Limit
}

export type RateLimits = { [L in keyof Limits]: (key: string) => void }

interface Bucket {
  left: number
  at: number
}

const REMEMBERED = 50_000

/** Rate limits in memory; an IPv6 caller, who has as many addresses as they like, counts by network. Each function counts one call and throws TooManyCalls when there were too many. */
export function createRateLimits(limits: Limits, clock: Clock): RateLimits {
  const [address, auth] = [limiter(limits.address, clock), limiter(limits.auth, clock)]
  return {
    address: (ip) => address(networkKeyOf(ip)),
    user: limiter(limits.user, clock),
    tenant: limiter(limits.tenant, clock),
    auth: (ip) => auth(networkKeyOf(ip)),
  }
}

/** Counts calls by a key of any kind; throws TooManyCalls when there were too many. */
export function limiter({ perSecond, burst }: Limit, clock: Clock): (key: string) => void {
  if (perSecond <= 0) return () => {}
  const buckets = new LRUCache<string, Bucket>({ max: REMEMBERED })
  return (key) => {
    const now = clock.now()
    const bucket = buckets.get(key)
    if (!bucket) return void buckets.set(key, { left: burst - 1, at: now })
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    if (bucket.left < 1) throw new RateLimited(((1 - bucket.left) / perSecond) * 1000)
    bucket.left--
  }
}
