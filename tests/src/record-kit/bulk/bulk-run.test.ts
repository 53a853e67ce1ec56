import { describe, expect, it, vi } from 'vitest'
import { ItemFailed, startBulk } from '../../../../src/record-kit/bulk/bulk-run.ts'

const items = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `${i}`, name: `lamp ${i}` }))
const options = { maxConcurrent: 4, whyOf: (error: unknown) => `other: ${String(error)}` }

describe('a bulk action', () => {
  it('returns the result of each item, in order and with its reason', async () => {
    const run = startBulk(
      items(3),
      async ({ id }) => {
        if (id === '1') throw new ItemFailed(() => 'the hub is offline')
        if (id === '2') throw new Error('boom')
      },
      options,
    )
    await run.finished
    expect(run.outcomeOf('0')).toBe('done')
    const why = (id: string) => (run.outcomeOf(id) as { describeFailure: () => string }).describeFailure()
    expect(why('1')).toBe('the hub is offline')
    expect(why('2')).toBe('other: Error: boom')
    expect(run.counts()).toEqual({ doneCount: 3, failedCount: 2 })
    expect(run.failedItems().map(({ id }) => id)).toEqual(['1', '2'])
  })

  it('limits concurrency, and runs none twice', async () => {
    let now = 0
    let most = 0
    const seen: string[] = []
    const run = startBulk(
      items(25),
      async ({ id }) => {
        seen.push(id)
        most = Math.max(most, ++now)
        await Promise.resolve()
        now--
      },
      options,
    )
    await run.finished
    expect(most).toBe(4)
    expect(seen).toEqual(items(25).map(({ id }) => id))
  })

  it('publishes results as they arrive, batched by frame', async () => {
    vi.useFakeTimers()
    const ends: (() => void)[] = []
    const run = startBulk(items(2), () => new Promise<void>((resolve) => void ends.push(resolve)), options)
    const told = vi.fn()
    run.subscribe(told)
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(20)
    expect(told).toHaveBeenCalledTimes(1)
    expect(run.outcomeOf('0')).toBe('done')
    expect(run.outcomeOf('1')).toBe('waiting')
    ends[1]?.()
    await vi.advanceTimersByTimeAsync(20)
    expect(run.counts()).toEqual({ doneCount: 2, failedCount: 0 })
    vi.useRealTimers()
  })
})
