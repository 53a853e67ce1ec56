import { describe, expect, it, vi } from 'vitest'
import { CallError } from '../../../../src/data/post.ts'
import { callEach } from '../../../../src/record-kit/bulk/bulk-run.ts'

const items = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, name: `person ${i}` }))

describe('calls for many items', () => {
  it('wait while the gateway is rate-limiting, and are all made', async () => {
    const made: string[] = []
    let left = 8
    const work = async ({ id }: { id: string }) => {
      if (left === 0) throw new CallError('LIMIT_EXCEEDED', 'too many')
      left--
      made.push(id)
    }
    const pause = vi.fn(async () => {
      left = 8
    })
    const run = callEach(items, work, pause)
    await run.finished
    expect(run.counts()).toEqual({ doneCount: 20, failedCount: 0 })
    expect(made.toSorted((a, b) => Number(a) - Number(b))).toEqual(items.map(({ id }) => id))
    expect(pause).toHaveBeenCalled()
  })

  it('end with the reason if the limit persists, and retry no other failure', async () => {
    const work = vi.fn(async ({ id }: { id: string }) => {
      throw new CallError(id === '0' ? 'LIMIT_EXCEEDED' : 'CONFLICT', 'refused')
    })
    const run = callEach(items.slice(0, 2), work, async () => {})
    await run.finished
    expect(run.counts()).toEqual({ doneCount: 2, failedCount: 2 })
    expect(work.mock.calls.filter(([{ id }]) => id === '1')).toHaveLength(1)
  })
})
