/** How one of those that a bulk action is done to fared. A failure says why, in the language of the moment. */
export type BulkOutcome = 'waiting' | 'done' | { why: () => string }

export interface BulkItem {
  id: string
  name: string
}

/** Thrown by the work on one item: it failed, and why. */
export class ItemFailed extends Error {
  readonly why: () => string
  constructor(why: () => string) {
    super('failed')
    this.why = why
  }
}

/** What is done to the chosen ones, and the words above its results. */
export interface BulkAction<I extends BulkItem = BulkItem> {
  title: () => string
  start: (items: readonly I[]) => BulkRun
  /** Puts those it was done to back as they were when they were chosen. */
  undo?: (items: readonly I[]) => BulkRun
}

/** How long results are gathered before they are drawn, ms. */
const GATHER_MS = 16

/** A bulk action that is under way or over. */
export interface BulkRun {
  readonly items: readonly BulkItem[]
  outcomeOf(id: string): BulkOutcome
  /** done: came to an end either way. */
  counts(): { done: number; failed: number }
  failedItems(): BulkItem[]
  subscribe(listener: () => void): () => void
  /** Changes whenever results came in. */
  version(): number
  /** Resolves when every item has come to its end; never rejects. */
  readonly finished: Promise<void>
}

/**
 * Does some work for each item, a few at a time, and keeps how each one fared.
 *
 * work      an ItemFailed says why; `whyOf` puts any other error into words
 * atOnce    items under way together
 */
export function startBulk<I extends BulkItem>(
  items: readonly I[],
  work: (item: I) => Promise<void>,
  { atOnce, whyOf }: { atOnce: number; whyOf: (error: unknown) => string },
): BulkRun {
  const outcomes = new Map<string, BulkOutcome>()
  const listeners = new Set<() => void>()
  let [version, failed, telling] = [0, 0, false]

  function tell() {
    if (telling) return
    telling = true
    setTimeout(() => {
      telling = false
      version++
      for (const listener of [...listeners]) listener()
    }, GATHER_MS)
  }
  async function one(item: I) {
    try {
      await work(item)
      outcomes.set(item.id, 'done')
    } catch (error) {
      failed++
      outcomes.set(item.id, { why: error instanceof ItemFailed ? error.why : () => whyOf(error) })
    }
    tell()
  }
  const rest = items.values()
  const finished = Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const item of rest) await one(item)
    }),
  ).then(() => {})

  const outcomeOf = (id: string) => outcomes.get(id) ?? 'waiting'
  return {
    items,
    outcomeOf,
    counts: () => ({ done: outcomes.size, failed }),
    failedItems: () => items.filter(({ id }) => typeof outcomeOf(id) === 'object'),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    version: () => version,
    finished,
  }
}
