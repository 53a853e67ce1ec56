import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createIntake, type Lane } from '../../../../gateway/broker/intake.ts'
import { createRetries, MOST } from '../../../../gateway/broker/external/retries.ts'
import { holdClock, type HeldClock } from '../../../support/clock.ts'
import { createLogBook } from '../../../support/log-book.ts'

let clock: HeldClock
let intake: ReturnType<typeof createIntake>
let retries: ReturnType<typeof createRetries>
let refused: string[]
let acknowledged: Set<string>
let fails: boolean

beforeEach(() => {
  clock = holdClock()
  refused = []
  acknowledged = new Set()
  fails = true
  intake = createIntake({
    clock,
    log: createLogBook(),
    onSlowed: () => {},
    limits: {
      concurrent: 10_000,
      concurrentPerClient: 10_000,
      held: 10_000,
      rate: { hub: 10_000, screen: 10_000, burstSeconds: 1 },
    },
  })
  retries = createRetries(intake, clock, (reason) => void refused.push(reason))
  return () => {
    retries.close()
    intake.close()
  }
})

function take(lane: Lane, id: string): void {
  retries.take({
    id,
    lane,
    topic: 't',
    qos: 1,
    run: async () => {
      if (fails) throw new Error('a fault of ours')
    },
    acknowledge: () => void acknowledged.add(id),
    tried: () => {},
  })
}
const refusals = (reason: string) => refused.filter((one) => one === reason).length
const settles = (check: () => void) => vi.waitFor(check, 10_000)

describe('messages that could not be stored', () => {
  it('are acknowledged when they are, and no earlier', async () => {
    const lane = intake.lane(10_000)
    for (let i = 0; i < MOST.ofLane; i++) take(lane, `m${i}`)
    await settles(() => expect(refusals('failed')).toBe(MOST.ofLane))
    expect([acknowledged.size, refusals('overload')]).toEqual([0, 0])
    fails = false
    clock.advance(1_000)
    await settles(() => expect(acknowledged.size).toBe(MOST.ofLane))
  })

  it('are dropped and counted only when so many wait that others would be held up', async () => {
    const lanes = [0, 1, 2, 3].map(() => intake.lane(10_000))
    for (const [i, lane] of lanes.entries()) for (let n = 0; n <= MOST.ofLane; n++) take(lane, `${i}-${n}`)
    await settles(() => expect(refusals('failed')).toBe(lanes.length * (MOST.ofLane + 1)))
    const over = lanes.length * (MOST.ofLane + 1) - MOST.ofAll
    expect([refusals('overload'), acknowledged.size]).toEqual([over, over])
    fails = false
    clock.advance(1_000)
    await settles(() => expect(acknowledged.size).toBe(lanes.length * (MOST.ofLane + 1)))
  })
})
