import pg from 'pg'
import { GatewayError } from '../kernel/errors.ts'

/** Time for which writes count as failing after a failure, in ms: on a full disk, small ones still succeed occasionally. */
const FAILING_FOR_MS = 30_000

/** SQLSTATEs of failing writes: disk full, read-only, I/O error. */
const CANNOT_WRITE = new Set(['53100', '25006', '58030'])

/** Whether a statement writes rows in any of its parts. */
const WRITES = /\b(insert\s+into|update|delete\s+from)\b/i

export interface WriteHealth {
  /** Records a successful statement. */
  onSuccess(text: string): void
  /** Records an error of the database; ignores those that do not concern writes. */
  onFailure(error: unknown): void
  /** True from a failed write until one succeeds and none has failed for half a minute. */
  isFailing(): boolean
}

/**
 * Creates a tracker of writes.
 *
 * now  epoch ms
 */
export function createWriteHealth(now: () => number): WriteHealth {
  let lastFailure: number | undefined
  let hasSucceeded = false
  return {
    onSuccess(text) {
      if (lastFailure !== undefined && !hasSucceeded) hasSucceeded = WRITES.test(text)
    },
    onFailure(error) {
      const cause = error instanceof GatewayError ? error.cause : error
      if (!(cause instanceof pg.DatabaseError) || !CANNOT_WRITE.has(cause.code ?? '')) return
      lastFailure = now()
      hasSucceeded = false
    },
    isFailing() {
      if (lastFailure !== undefined && hasSucceeded && now() - lastFailure >= FAILING_FOR_MS)
        lastFailure = undefined
      return lastFailure !== undefined
    },
  }
}
