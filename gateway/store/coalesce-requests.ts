import { GatewayError } from '../kernel/errors.ts'

/** Maximum number of concurrent batches per group, so that a stuck one does not block the others. */
const MAX_CONCURRENT = 2
const BATCH_SIZE = 200

interface PendingItem<Item, Answer> {
  item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

interface Group<Item, Answer> {
  queue: PendingItem<Item, Answer>[]
  running: number
  isScheduled: boolean
}

/**
 * Combines concurrent requests into one statement: a single request runs immediately, those that arrive during a statement are batched.
 *
 * groupOf  items of different groups never share a statement, so that they do not wait for each other's locks
 * keyOf    items of one key never share a statement; if omitted, any items may
 * run      returns a result for each item, in order; if it fails with any error but UNAVAILABLE, each item is retried alone
 */
export function createRequestCoalescer<Item, Answer>(options: {
  groupOf: (item: Item) => string
  keyOf?: (item: Item) => string
  run: (items: Item[]) => Promise<Answer[]>
}): (item: Item) => Promise<Answer> {
  const { groupOf, keyOf, run } = options
  const groups = new Map<string, Group<Item, Answer>>()

  function schedule(name: string, group: Group<Item, Answer>) {
    if (group.isScheduled || group.running >= MAX_CONCURRENT || group.queue.length === 0) return
    group.isScheduled = true
    const runBatch = () => {
      group.isScheduled = false
      group.running++
      void runItems(takeBatch(group)).then(() => {
        group.running--
        if (group.running === 0 && group.queue.length === 0) groups.delete(name)
        else schedule(name, group)
      })
      schedule(name, group)
    }
    // A single request is not delayed.
    if (group.running === 0) queueMicrotask(runBatch)
    else setImmediate(runBatch)
  }

  function takeBatch(group: Group<Item, Answer>): PendingItem<Item, Answer>[] {
    const keys = new Set<string>()
    const batch: PendingItem<Item, Answer>[] = []
    const remaining: PendingItem<Item, Answer>[] = []
    for (const pending of group.queue) {
      const key = keyOf?.(pending.item)
      const isIncluded = batch.length < BATCH_SIZE && (key === undefined || !keys.has(key))
      if (key !== undefined) keys.add(key)
      ;(isIncluded ? batch : remaining).push(pending)
    }
    group.queue = remaining
    return batch
  }

  async function runItems(batch: PendingItem<Item, Answer>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, i) => resolve(answers[i] as Answer))
    } catch (error) {
      const isUnavailable = error instanceof GatewayError && error.code === 'UNAVAILABLE'
      if (isUnavailable || batch.length === 1) for (const { reject } of batch) reject(error)
      // One item that the database rejects must not fail the others.
      else for (const pending of batch) await runItems([pending])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const name = groupOf(item)
      const group = groups.get(name) ?? { queue: [], running: 0, isScheduled: false }
      groups.set(name, group)
      group.queue.push({ item, resolve, reject })
      schedule(name, group)
    })
}
