import { expect, it } from 'vitest'
import { createDueClock } from '../../../../../gateway/features/automation/engine/clock.ts'
import type { Db } from '../../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'

const START = Date.UTC(2026, 0, 5, 1) + 57

/** Wake-ups of a clock, as ms after START. */
function wakesOf() {
  const clock = holdClock(START)
  const wakes: number[] = []
  const db = { query: async () => [] } as unknown as Db
  const due = createDueClock({ db, clock, log: createLogBook() }, async (now) => void wakes.push(now - START))
  return { clock, due, wakes }
}

it('wakes within 100 ms of the due time, never before', async () => {
  const { clock, due, wakes } = wakesOf()
  due.dueAt(START + 5_000)
  clock.advance(4_999)
  expect(wakes).toEqual([])
  clock.advance(10_000)
  await due.idle()
  expect(wakes).toHaveLength(1)
  expect(wakes[0]).toBeLessThanOrEqual(5_100)
  await due.close()
})

it('wakes once for several timers that are due at about the same time', async () => {
  const { clock, due, wakes } = wakesOf()
  for (const ms of [5_010, 5_020, 5_030]) due.dueAt(START + ms)
  clock.advance(10_000)
  await due.idle()
  expect(wakes).toHaveLength(1)
  await due.close()
})
