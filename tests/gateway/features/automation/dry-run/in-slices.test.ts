import { describe, expect, it } from 'vitest'
import { runInSlices } from '../../../../../gateway/features/automation/dry-run/in-slices.ts'

/** Work of this many steps of equal duration, and the clock that they advance. */
function workOf(steps: number, ms: number) {
  let now = 0
  function* work(): Generator<undefined, string> {
    for (let i = 0; i < steps; i++) {
      now += ms
      yield
    }
    return 'done'
  }
  return { work: work(), time: () => now }
}

describe('work in slices', () => {
  it('yields the thread after each slice of 10 ms', async () => {
    const { work, time } = workOf(30, 4)
    let others = 0
    let isOver = false
    const beside = () => {
      if (isOver) return
      others++
      setImmediate(beside)
    }
    setImmediate(beside)
    expect(await runInSlices(work, () => {}, time)).toBe('done')
    isOver = true
    // Three steps are one slice: ten slices of thirty steps.
    expect(others).toBeGreaterThanOrEqual(9)
  })

  it('continues immediately if little has been done', async () => {
    const { work, time } = workOf(30, 0.1)
    let between = 0
    expect(await runInSlices(work, () => void between++, time)).toBe('done')
    expect(between).toBe(0)
  })

  it('ends with the error thrown between two slices', async () => {
    const { work, time } = workOf(30, 4)
    const late = () => {
      throw new Error('too late')
    }
    await expect(runInSlices(work, late, time)).rejects.toThrow('too late')
  })
})
