import { RateLimited } from './response.ts'

interface TenantQueue {
  running: number
  waiting: (() => void)[]
}

export type TenantLimit = ReturnType<typeof createTenantLimit>

/**
 * Limits the number of concurrent calls per company; further calls of the company are queued. A company that floods the gateway fills
 * only its own queue, not that of the database.
 *
 * running  maximum number of concurrent calls per company
 * waiting  maximum number of queued calls per company; beyond it RateLimited
 */
export function createTenantLimit({ running, waiting }: { running: number; waiting: number }) {
  const queues = new Map<string, TenantQueue>()
  return {
    /** Starts a call now, or returns a promise of its turn. */
    acquire(tenant: string): Promise<void> | undefined {
      let queue = queues.get(tenant)
      if (!queue) queues.set(tenant, (queue = { running: 0, waiting: [] }))
      if (queue.running < running) {
        queue.running++
        return undefined
      }
      if (queue.waiting.length >= waiting) throw new RateLimited(1000)
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
