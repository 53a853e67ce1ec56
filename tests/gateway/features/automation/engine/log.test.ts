import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readLog } from '../../../../../gateway/features/automation/engine/log.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { createPartitions } from '../../../../../gateway/store/partitions.ts'
import { type Building, createBuilding } from '../../../../support/building.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { monthsRead, recordStatements } from '../../../../support/months-read.ts'
import { createTestDb } from '../../../../support/postgres.ts'

const DAY = 86_400_000
const DEVICES = ['a', 'b']

let db: Db
let drop: () => Promise<void>
let building: Building
/** Current time by the clock of the database, which decides whether a change is late. */
let now: number
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
  now = Date.now()
  const months = Array.from({ length: 8 }, (_, month) => now - month * 31 * DAY)
  await createPartitions(db, createLogBook(), { table: 'device_events', unit: 1 }).prepare(months, now)
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
  for (const uid of DEVICES) await building.addDevice(uid, '516')
})

interface Written {
  uid: string
  /** Days before today. */
  age: number
  late: boolean
}
/** Stores changes one after the other; returns their numbers. */
async function write(changes: readonly Written[]): Promise<number[]> {
  const seqs: number[] = []
  for (const { uid, age, late } of changes) {
    const [row] = await db.query<{ seq: number }>(sql`
      insert into device_events (tenant, peripheral_uid, timestamp, field, before, value, late)
      values (${building.tenant}, ${uid}, ${now - age * DAY}, 'Switch', 0, 1, ${late}) returning seq`)
    seqs.push(row?.seq ?? 0)
  }
  return seqs
}
/** Numbers of the changes that rules act on. */
const read = async (of: Db, positions: Record<string, number>, replayedAt: number) =>
  (await readLog(of, building.tenant, positions, replayedAt))
    .filter(({ late }) => !late)
    .map(({ seq }) => seq)

describe('replaying a log partitioned by month', () => {
  it('returns all entries that rules act on, whatever their time and the last replay', async () => {
    const change = fc.record({
      uid: fc.constantFrom(...DEVICES),
      age: fc.constantFrom(0, 1, 29, 30, 33, 40, 100, 300, -1),
      late: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 12 }),
        fc.nat(12),
        fc.constantFrom(0, now - 60 * DAY, now),
        async (changes, seen, replayedAt) => {
          const before = changes.slice(0, seen)
          const first = await write(before)
          const after = changes.slice(seen)
          const second = await write(after)
          const positions = Object.fromEntries(
            DEVICES.map((uid) => [uid, Math.max(0, ...first.filter((_, i) => before[i]?.uid === uid))]),
          )
          const expected = second.filter((_, i) => after[i]?.late === false)
          // Earlier changes of a device that has a position are already known.
          const unseen = first.filter(
            (_, i) => before[i]?.late === false && (positions[before[i].uid] ?? 0) === 0,
          )
          expect(unseen).toEqual([])
          expect(await read(db, positions, replayedAt)).toEqual(expected)
          await db.query(sql`delete from device_events where tenant = ${building.tenant}`)
          await db.query(sql`delete from aged_events where tenant = ${building.tenant}`)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('reads the last two months, and all months only if entries were stored long after their time', async () => {
    const monthsOf = async () => {
      const noting = recordStatements(db)
      const seqs = await read(noting, { a: 0, b: 0 }, now)
      const months: string[] = []
      for (const each of noting.statements) months.push(...(await monthsRead(db, 'device_events', each)))
      return { seqs, months: months.filter((name) => name !== 'device_events_default').length }
    }
    await write([{ uid: 'a', age: 1, late: false }, { uid: 'a', age: 200, late: true }]) // prettier-ignore
    const recent = await monthsOf()
    expect(recent.seqs).toHaveLength(1)
    // In some runs a month began within the last days, and the next one has its partition.
    expect(recent.months).toBeLessThanOrEqual(3)
    await write([{ uid: 'b', age: 200, late: false }])
    const all = await monthsOf()
    expect(all.seqs).toHaveLength(2)
    expect(all.months).toBeGreaterThan(8)
  })
})
