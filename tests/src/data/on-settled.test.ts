import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../../../src/data/api.ts'
import { onQueriesSettled } from '../../../src/data/on-settled.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
})

/** Pending query, and a function that answers it. */
function asking(key: string) {
  let answer = () => {}
  const queryFn = () => new Promise<string>((resolve) => (answer = () => resolve('data')))
  const done = queryClient.fetchQuery({ queryKey: [key], queryFn })
  done.catch(() => {})
  return { answer: () => (answer(), done) }
}

describe('work deferred until the screen settles', () => {
  it('waits for the data of the screen', async () => {
    const work = vi.fn()
    const [rooms, devices] = [asking('rooms'), asking('devices')]
    onQueriesSettled(work)
    await rooms.answer()
    await vi.advanceTimersByTimeAsync(10)
    expect(work).not.toHaveBeenCalled()
    await devices.answer()
    await vi.advanceTimersByTimeAsync(10)
    expect(work).toHaveBeenCalledTimes(1)
  })

  it('does not wait forever for a hanging call', async () => {
    const work = vi.fn()
    asking('hangs')
    onQueriesSettled(work)
    await vi.advanceTimersByTimeAsync(2_900)
    expect(work).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(200)
    expect(work).toHaveBeenCalledTimes(1)
  })

  it('is not run if cancelled', async () => {
    const work = vi.fn()
    const rooms = asking('rooms')
    onQueriesSettled(work)()
    await rooms.answer()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(work).not.toHaveBeenCalled()
  })
})
