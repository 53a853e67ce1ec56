import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSeats, type Seats } from '../../../../gateway/broker/external/seats.ts'
import { sql } from '../../../../gateway/store/db.ts'
import { type HeldClock, holdClock } from '../../../support/clock.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createTestDb, type TestDb } from '../../../support/postgres.ts'

let database: TestDb
let clock: HeldClock
const open = new Set<Seats>()
beforeAll(async () => {
  database = await createTestDb()
})
afterAll(() => database.drop())
beforeEach(() => {
  clock = holdClock()
})
afterEach(async () => {
  for (const seats of open) await seats.close()
  open.clear()
  await held(0)
  await database.db.query(sql`delete from broker_seats`)
})

function seats(time = clock) {
  const made = createSeats({ db: database.db, clock: time, log: createLogBook(), prefix: 'g' })
  open.add(made)
  return made
}
const none = () => {}
/** Ends the connections that hold seats, as a database does that is started again, or a gateway that is killed. */
const cut = () =>
  database.db.query(sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and pid in (select pid from pg_locks where locktype = 'advisory')`)
const locks = async () => {
  const rows = await database.db.query(sql`select 1 from pg_locks where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())`)
  return rows.length
}
/** Resolves when so many seats are held. */
const held = (count: number) => vi.waitFor(async () => expect(await locks()).toBe(count), 10_000)
const cleared = async (one: Seats, left = true) => {
  const names: string[] = []
  await one.clear(async (name) => {
    names.push(name)
    return left
  })
  return names
}

describe('names of sessions at an outside broker', () => {
  it('are different for gateways that live, and go to the next one when they end', async () => {
    const [one, two] = [seats(), seats()]
    expect(await Promise.all([one.take(none), two.take(none)]).then((names) => names.sort())).toEqual([
      'g-1',
      'g-2',
    ])
    const three = seats()
    expect(await three.take(none)).toBe('g-3')
    await two.close()
    await one.close()
    await held(1)
    expect(await seats().take(none)).toBe('g-1')
  })

  it('stay the same when the database was away', async () => {
    const moved: string[] = []
    const one = seats()
    await one.take((name) => void moved.push(name))
    await cut()
    await held(0)
    await vi.waitFor(async () => {
      clock.advance(1_000)
      expect(await locks()).toBe(1)
    }, 10_000)
    expect(await seats().take(none)).toBe('g-2')
    expect(moved).toEqual([])
  })

  it('change for one whose name somebody else took meanwhile', async () => {
    const moved: string[] = []
    const one = seats()
    await one.take((name) => void moved.push(name))
    await cut()
    expect(await seats(holdClock()).take(none)).toBe('g-1')
    await vi.waitFor(() => {
      clock.advance(1_000)
      expect(moved).toEqual(['g-2'])
    }, 10_000)
  })
})

describe('sessions whose gateway is gone', () => {
  it('are cleared by another one after two looks, once', async () => {
    const [stays, goes, alive] = [seats(), seats(), seats()]
    for (const one of [stays, goes, alive]) await one.take(none)
    expect(await cleared(stays)).toEqual([])
    await goes.close()
    await held(2)
    expect(await cleared(stays)).toEqual([])
    expect(await cleared(stays)).toEqual(['g-2'])
    expect(await cleared(stays)).toEqual([])
  })

  it('are looked at again when something is left', async () => {
    const [stays, goes] = [seats(), seats()]
    for (const one of [stays, goes]) await one.take(none)
    await goes.close()
    await held(1)
    await cleared(stays)
    expect(await cleared(stays, false)).toEqual(['g-2'])
    expect(await cleared(stays)).toEqual(['g-2'])
  })

  it('can be taken by nobody while they are cleared', async () => {
    const [stays, goes] = [seats(), seats()]
    for (const one of [stays, goes]) await one.take(none)
    await goes.close()
    await held(1)
    await cleared(stays)
    let name = ''
    await stays.clear(async () => {
      name = await seats().take(none)
      return true
    })
    expect(name).toBe('g-3')
  })
})
