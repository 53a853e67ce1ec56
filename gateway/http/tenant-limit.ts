import { RateLimited } from './response.ts'

interface Line {
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
  const lines = new Map<string, Line>()
  return {
    /** Starts a call now, or returns a promise of its turn. */
    acquire(tenant: string): Promise<void> | undefined {
      let line = lines.get(tenant)
      if (!line) lines.set(tenant, (line = { running: 0, waiting: [] }))
      if (line.running < running) {
        line.running++
        return undefined
      }
      if (line.waiting.length >= waiting) throw new RateLimited(1000)
      return new Promise((resolve) => line.waiting.push(resolve))
    },

    /** Ends a call and starts the next in the queue. */
    release(tenant: string): void {
      const line = lines.get(tenant)
      if (!line) return
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.running === 0) lines.delete(tenant)
    },
  }
}
