import { beforeEach, describe, expect, it } from 'vitest'
import { startRebalancing } from '../../../gateway/cluster/cluster.ts'
import { holdClock, type HeldClock } from '../../support/clock.ts'

let clock: HeldClock
/** Hub counts of this gateway and of the others. */
let mine: number
let others: number[] | undefined
/** Number of hubs released by each check that releases any. */
let gone: number[]
/** Receives the number of released hubs. */
let go: (count: number) => void

beforeEach(() => {
  clock = holdClock()
  gone = []
  go = (count) => {
    mine -= count
    others = others?.map((one, i) => (i === 0 ? one + count : one))
  }
  startRebalancing({
    clock,
    countLocal: () => mine,
    readRemoteCounts: () => others,
    release(count) {
      gone.push(count)
      go(count)
    },
  })
})
const pass = (seconds: number) => clock.advance(seconds * 1_000)

describe('a gateway with many more hubs than the others', () => {
  it('releases a hundredth of its surplus per second after a minute, until within a tenth of the mean', () => {
    mine = 1_500
    others = [0, 1_500]
    pass(60)
    expect(gone).toEqual([])
    pass(2)
    expect(gone[0]).toBe(5)
    pass(600)
    expect(mine).toBeLessThanOrEqual(1_100)
    expect(mine).toBeGreaterThan(1_090)
    expect(mine + (others[0] as number)).toBe(1_500)
    const before = gone.length
    pass(600)
    expect(gone).toHaveLength(before)
  })

  it('releases none for a surplus that lasts less than a minute', () => {
    mine = 1_500
    others = [1_000]
    pass(50)
    others = [1_500]
    pass(5)
    others = [600]
    pass(55)
    expect(gone).toEqual([])
  })

  it('releases none while the numbers of others are unknown, or when it is alone', () => {
    mine = 1_500
    others = undefined
    pass(300)
    others = []
    pass(300)
    expect(gone).toEqual([])
  })

  it('stops if released hubs come back because no one else takes them, and retries later', () => {
    mine = 300
    others = [0]
    go = () => {}
    pass(60 + 200)
    const tried = gone.reduce((sum, count) => sum + count, 0)
    expect(tried).toBe(150)
    pass(500)
    expect(gone.reduce((sum, count) => sum + count, 0)).toBe(tried)
    pass(200)
    expect(gone.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(tried)
  })

  it('releases none for the remainder of an uneven division', () => {
    mine = 2
    others = [1, 1]
    pass(300)
    expect(gone).toEqual([])
  })
})
