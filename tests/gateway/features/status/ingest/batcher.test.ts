import { expect, it } from 'vitest'
import { createBatcher } from '../../../../../gateway/features/status/ingest/batcher.ts'

interface Message {
  name: number
  size: number
  maxWaitMs: number
}

/** Store that completes a batch when the test says so. */
function heldStore() {
  const batches: { names: number[]; finish(errors?: unknown[]): void }[] = []
  const arrived: (() => void)[] = []
  return {
    batches,
    write: (batch: Message[]) =>
      new Promise<unknown[]>((resolve) => {
        const names = batch.map(({ name }) => name)
        batches.push({ names, finish: (errors) => resolve(errors ?? batch.map(() => undefined)) })
        for (const wake of arrived.splice(0)) wake()
      }),
    /** The n-th batch, once it exists. */
    async batch(n: number) {
      while (batches.length < n) await new Promise<void>((resolve) => arrived.push(resolve))
      return batches[n - 1] as (typeof batches)[number]
    },
  }
}
const message = (name: number, size = 1, patience = 60_000): Message => ({ name, size, maxWaitMs: patience })
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('writes immediately after a pause, including messages of the same tick', async () => {
  const store = heldStore()
  const batcher = createBatcher(store.write)
  const added = [batcher.add(message(1)), batcher.add(message(2))]
  const first = await store.batch(1)
  expect(first.names).toEqual([1, 2])
  first.finish()
  await Promise.all(added)
})

it('collects messages while a batch is written, and waits until the next is full', async () => {
  const store = heldStore()
  const batcher = createBatcher(store.write)
  const first = batcher.add(message(0))
  const held = await store.batch(1)
  const rest = Array.from({ length: 499 }, (_, i) => batcher.add(message(i + 1)))
  held.finish()
  await first
  await turn()
  await turn()
  expect(store.batches).toHaveLength(1)
  rest.push(batcher.add(message(500)))
  const second = await store.batch(2)
  expect(second.names).toEqual(Array.from({ length: 500 }, (_, i) => i + 1))
  second.finish()
  await Promise.all(rest)
})

it('does not delay an urgent message for one that can wait', async () => {
  const store = heldStore()
  const batcher = createBatcher(store.write)
  const first = batcher.add(message(0))
  ;(await store.batch(1)).finish()
  await first
  const patient = batcher.add(message(1))
  const impatient = batcher.add(message(2, 1, 1))
  const second = await store.batch(2)
  expect(second.names).toEqual([1, 2])
  second.finish()
  await Promise.all([patient, impatient])
})

it('writes batches in sequence, and settles each message separately', async () => {
  const store = heldStore()
  const batcher = createBatcher(store.write)
  const added = [1, 2, 3].map((name) => batcher.add(message(name, 300)))
  const outcomes = Promise.allSettled(added)
  const first = await store.batch(1)
  expect(first.names).toEqual([1])
  first.finish([new Error('bad')])
  const second = await store.batch(2)
  second.finish()
  void batcher.flush()
  ;(await store.batch(3)).finish()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(store.batches.map(({ names }) => names)).toEqual([[1], [2], [3]])
})

it('applies backpressure beyond the maximum queue length', async () => {
  const store = heldStore()
  const batcher = createBatcher(store.write)
  const added = Array.from({ length: 30 }, (_, i) => batcher.add(message(i, 1_000)))
  await store.batch(1)
  await turn()
  expect(batcher.countQueued()).toBeLessThanOrEqual(20_000)
  for (let n = 1; n <= 30; n++) (await store.batch(n)).finish()
  await Promise.all(added)
  expect(store.batches.flatMap(({ names }) => names)).toEqual(Array.from({ length: 30 }, (_, i) => i))
})

it('writes everything before it is closed, and rejects new messages', async () => {
  const store = heldStore()
  const batcher = createBatcher(store.write)
  const first = batcher.add(message(1))
  ;(await store.batch(1)).finish()
  await first
  const waiting = batcher.add(message(2))
  const closed = batcher.close()
  ;(await store.batch(2)).finish()
  await Promise.all([waiting, closed])
  await expect(batcher.add(message(3))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
