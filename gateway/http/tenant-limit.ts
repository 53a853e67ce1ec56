import { RateLimited } from './response.ts'

interface Line {
  running: number
  waiting: (() => void)[]
}

export type TenantLimit = ReturnType<typeof createTenantLimit>

/**
 * Lets each company have so many calls at work at a time; the rest of its calls queue. A company that floods the gateway
 * therefore fills its own line and not the database's, and everybody else waits for at most that many calls.
 *
 * running  calls at work per company
 * waiting  calls in line per company; beyond that TooManyCalls
 */
export function createTenantLimit({ running, waiting }: { running: number; waiting: number }) {
  const lines = new Map<string, Line>()
  return {
    /** Lets a call begin now, or answers a promise of its turn. */
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

    /** Gives the turn to the next in line. */
    release(tenant: string): void {
      const line = lines.get(tenant)
      if (!line) return
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.running === 0) lines.delete(tenant)
    },
  }
}
