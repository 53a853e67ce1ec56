import type { Clock } from '../../kernel/ports.ts'
import { ACK_TIMEOUT_MS } from './command.ts'

/** Before the database is asked again, in ms. */
const RETRY_MS = 1_000

/**
 * Commands of which the database did not say whether it has them: its answer was lost. Who asked may ask again, and then
 * knows by `take` that the stored command is theirs and was never sent; otherwise `settle` ends it when its time is over.
 *
 * settle  rejects while the database is away, and is tried again
 */
export function createUnacknowledgedWrites(clock: Clock) {
  const waiting = new Map<string, () => void>()

  function settleAfter(ms: number, key: string, settle: () => Promise<void>) {
    const cancel = clock.after(ms, () => {
      settle().then(
        () => waiting.get(key) === cancel && waiting.delete(key),
        () => waiting.get(key) === cancel && settleAfter(RETRY_MS, key, settle),
      )
    })
    waiting.set(key, cancel)
  }

  return {
    add(key: string, settle: () => Promise<void>): void {
      waiting.get(key)?.()
      settleAfter(ACK_TIMEOUT_MS, key, settle)
    },
    /** Whether the write of this command was unacknowledged; it is no longer awaited. */
    take(key: string): boolean {
      waiting.get(key)?.()
      return waiting.delete(key)
    },
    close(): void {
      for (const cancel of waiting.values()) cancel()
      waiting.clear()
    },
  }
}
