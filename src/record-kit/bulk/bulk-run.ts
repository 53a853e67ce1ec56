import { describeRefusal } from '../../data/failure.ts'
import { callErrorIn } from '../../data/post.ts'

/** Outcome of a bulk action for one item. `describeFailure` returns the reason in the current language. */
export type BulkOutcome = 'waiting' | 'done' | { describeFailure: () => string }

export interface BulkItem {
  id: string
  name: string
}

/** Thrown by the work on one item, with the reason for its failure. */
export class ItemFailed extends Error {
  readonly describe: () => string
  constructor(describe: () => string) {
    super('failed')
    this.describe = describe
  }
}

/** A bulk action, and the title of its results. */
export interface BulkAction<I extends BulkItem = BulkItem> {
  title: () => string
  start: (items: readonly I[]) => BulkRun
  /** Restores the items to their state when they were selected. */
  undo?: (items: readonly I[]) => BulkRun
}

/** Interval at which results are batched for rendering, ms. */
const BATCH_MS = 16

/** A running or finished bulk action. */
export interface BulkRun {
  readonly items: readonly BulkItem[]
  outcomeOf(id: string): BulkOutcome
  /** done: succeeded or failed. */
  counts(): { doneCount: number; failedCount: number }
  failedItems(): BulkItem[]
  subscribe(listener: () => void): () => void
  /** Increases with each batch of results. */
  version(): number
  /** Resolves after every item has succeeded or failed; never rejects. */
  readonly finished: Promise<void>
}

/**
 * Runs work for each item, a few at a time, and records the outcomes.
 *
 * work      an ItemFailed states its reason; `whyOf` describes any other error
 * maxConcurrent    maximum number of concurrent items
 */
export function startBulk<I extends BulkItem>(
  items: readonly I[],
  work: (item: I) => Promise<void>,
  { maxConcurrent, whyOf }: { maxConcurrent: number; whyOf: (error: unknown) => string },
): BulkRun {
  const outcomes = new Map<string, BulkOutcome>()
  const listeners = new Set<() => void>()
  let [version, failed, isNotifying] = [0, 0, false]

  function notify() {
    if (isNotifying) return
    isNotifying = true
    setTimeout(() => {
      isNotifying = false
      version++
      for (const listener of [...listeners]) listener()
    }, BATCH_MS)
  }
  async function runItem(item: I) {
    try {
      await work(item)
      outcomes.set(item.id, 'done')
    } catch (error) {
      failed++
      outcomes.set(item.id, {
        describeFailure: error instanceof ItemFailed ? error.describe : () => whyOf(error),
      })
    }
    notify()
  }
  const queue = items.values()
  const finished = Promise.all(
    Array.from({ length: Math.min(maxConcurrent, items.length) }, async () => {
      for (const item of queue) await runItem(item)
    }),
  ).then(() => {})

  const outcomeOf = (id: string) => outcomes.get(id) ?? 'waiting'
  return {
    items,
    outcomeOf,
    counts: () => ({ doneCount: outcomes.size, failedCount: failed }),
    failedItems: () => items.filter(({ id }) => typeof outcomeOf(id) === 'object'),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    version: () => version,
    finished,
  }
}

/** Maximum number of concurrent calls: browsers limit connections per host. */
const MAX_PARALLEL_CALLS = 6

/** Delay in ms, and maximum number of attempts, of a call that exceeds the gateway's rate limit. */
const PAUSE_MS = 1000
const MAX_ATTEMPTS = 30

/** Makes a call for each item. Calls that exceed the gateway's rate limit, as many items do, are retried after a pause. */
export function callEach<I extends BulkItem>(
  items: readonly I[],
  work: (item: I) => Promise<unknown>,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): BulkRun {
  async function callWithRetry(item: I) {
    for (let attempt = 1; ; attempt++)
      try {
        await work(item)
        return
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || callErrorIn(error)?.failure !== 'LIMIT_EXCEEDED') throw error
        await pause(PAUSE_MS)
      }
  }
  const run = startBulk(items, callWithRetry, { maxConcurrent: MAX_PARALLEL_CALLS, whyOf: describeRefusal })
  return run
}
