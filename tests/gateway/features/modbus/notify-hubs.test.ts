import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_DEVICES_PER_BATCH, createTableNotifier } from '../../../../gateway/features/modbus/tables.ts'
import { holdClock, type HeldClock } from '../../../support/clock.ts'
import { createLogBook, type LogBook } from '../../../support/log-book.ts'
import { PATIENT } from '../../../support/patient.ts'

let clock: HeldClock
let told: { tenant: string; uids: readonly string[] }[]
let fails: boolean
let log: LogBook
let telling: ReturnType<typeof createTableNotifier>

const devices = (count: number) => Array.from({ length: count }, (_, i) => `m${i}`)
const sizes = () => told.map(({ uids }) => uids.length)
const settles = (check: () => void) => vi.waitFor(check, PATIENT)

beforeEach(() => {
  clock = holdClock()
  told = []
  fails = false
  log = createLogBook()
  telling = createTableNotifier({ clock, log }, async (tenant, uids) => {
    if (fails) throw new Error('away')
    told.push({ tenant, uids })
  })
  return () => telling.close()
})

describe('notifying hubs of many devices', () => {
  it('starts immediately and spreads the rest over time', async () => {
    telling.ask('t', devices(MAX_DEVICES_PER_BATCH + 15))
    await settles(() => expect(sizes()).toEqual([MAX_DEVICES_PER_BATCH]))
    clock.advance(200)
    await settles(() => expect(sizes()).toEqual([MAX_DEVICES_PER_BATCH, 10]))
    clock.advance(200)
    await settles(() => expect(sizes()).toEqual([MAX_DEVICES_PER_BATCH, 10, 5]))
    expect(told.flatMap(({ uids }) => uids)).toEqual(devices(MAX_DEVICES_PER_BATCH + 15))
  })

  it('continues when the clock is set back', async () => {
    telling.close()
    let behind = 0
    const setBack = { now: () => clock.now() - behind, after: clock.after }
    telling = createTableNotifier(
      { clock: setBack, log },
      async (tenant, uids) => void told.push({ tenant, uids }),
    )
    telling.ask('t', devices(MAX_DEVICES_PER_BATCH + 5))
    await settles(() => expect(sizes()).toEqual([MAX_DEVICES_PER_BATCH]))
    behind = 3_600_000
    for (let i = 0; i < 3; i++) {
      clock.advance(200)
      await new Promise(setImmediate)
    }
    await settles(() => expect(sizes()).toEqual([MAX_DEVICES_PER_BATCH, 5]))
  })

  it('sends a waiting device once, however often it changes', async () => {
    telling.ask('t', devices(MAX_DEVICES_PER_BATCH + 1))
    await settles(() => expect(told).toHaveLength(1))
    telling.ask('t', [`m${MAX_DEVICES_PER_BATCH}`])
    telling.ask('t', [`m${MAX_DEVICES_PER_BATCH}`])
    clock.advance(1_000)
    await settles(() => expect(told).toHaveLength(2))
    clock.advance(10_000)
    telling.ask('t', ['last'])
    await settles(() => expect(told.at(-1)?.uids).toEqual(['last']))
    expect(told[1]?.uids).toEqual([`m${MAX_DEVICES_PER_BATCH}`])
    expect(told).toHaveLength(3)
  })

  it('alternates between companies', async () => {
    telling.ask('big', devices(2 * MAX_DEVICES_PER_BATCH))
    telling.ask('small', ['one'])
    await settles(() => expect(told).toHaveLength(1))
    clock.advance(200)
    await settles(() => expect(told).toHaveLength(2))
    clock.advance(200)
    await settles(() => expect(told.map(({ tenant }) => tenant)).toEqual(['big', 'big', 'small', 'big']))
  })

  it('retries what failed', async () => {
    fails = true
    telling.ask('t', ['a', 'b'])
    await settles(() => expect(log.lines).toHaveLength(1))
    fails = false
    clock.advance(5_000)
    await settles(() => expect(told).toEqual([{ tenant: 't', uids: ['a', 'b'] }]))
  })
})
