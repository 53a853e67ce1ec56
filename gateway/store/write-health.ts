import pg from 'pg'
import { GatewayError } from '../kernel/errors.ts'

/** Writes count as failing for so long after one failed, in ms: while a disk is full a small one still succeeds now and then. */
const FAILING_FOR_MS = 30_000

/** What a database that answers says when it cannot write: disk full, read-only, input or output error. */
const CANNOT_WRITE = new Set(['53100', '25006', '58030'])

/** Whether a statement writes rows, in whatever part of it. */
const WRITES = /\b(insert\s+into|update|delete\s+from)\b/i

/** Whether what is written reaches the disk, by the last statements that tried. */
export interface WriteHealth {
  /** Hears of a statement that succeeded. */
  succeeded(text: string): void
  /** Hears of an error of the database, whatever it says. */
  failed(error: unknown): void
  /** True from a write that the database could not make until one succeeds and none has failed for half a minute. */
  failing(): boolean
}

/** now  epoch ms */
export function createWriteHealth(now: () => number): WriteHealth {
  let lastFailure: number | undefined
  let hasSucceeded = false
  return {
    succeeded(text) {
      if (lastFailure !== undefined && !hasSucceeded) hasSucceeded = WRITES.test(text)
    },
    failed(error) {
      const cause = error instanceof GatewayError ? error.cause : error
      if (!(cause instanceof pg.DatabaseError) || !CANNOT_WRITE.has(cause.code ?? '')) return
      lastFailure = now()
      hasSucceeded = false
    },
    failing() {
      if (lastFailure !== undefined && hasSucceeded && now() - lastFailure >= FAILING_FOR_MS)
        lastFailure = undefined
      return lastFailure !== undefined
    },
  }
}
