import fc from 'fast-check'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEvents } from '../../../../../gateway/kernel/events.ts'
import { createIngest } from '../../../../../gateway/features/status/ingest/ingest.ts'
import { updateStateAlarms } from '../../../../support/note-states.ts'
import { quarantineReading } from '../../../../../gateway/features/meters/quarantine.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { createBuilding, encode } from '../../../../support/building.ts'
import { holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb } from '../../../../support/postgres.ts'

let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())

/** Report of one device: minutes after the start, and its content. */
type Item =
  | { kind: 'status'; uid: string; minute: number; values: Record<string, 0 | 1> }
  | { kind: 'reading'; uid: string; minute: number; values: Record<string, number> }

/** Stores groups of messages that arrive together, and returns the final content. */
async function outcome(groups: Item[][]) {
  const building = await createBuilding(db)
  for (const uid of ['a', 'b']) await building.addDevice(uid, '535')
  for (const uid of ['x', 'y']) await building.addDevice(uid, '514')
  const clock = holdClock()
  const start = clock.now() - 86_400_000
  const events = createEvents((error) => {
    throw error
  })
  const ingest = createIngest({
    quarantineReading,
    updateStateAlarms,
    db,
    events,
    clock,
    log: createLogBook(),
    metrics: new Registry(),
  })
  const levels = { rootId: building.tenant, homeId: building.homeId }
  const send = ({ kind, uid, minute, values }: Item) => {
    const part = { PeripheralUID: uid, Timestamp: start + minute * 60_000, ...values }
    return ingest.receive({
      match: { name: kind === 'status' ? 'statusReport' : 'meterReport', values: levels },
      payload: encode({
        ThingName: building.thingName,
        Timestamp: start,
        [kind === 'status' ? 'Peripherals' : 'Readings']: [part],
      }),
      client: building.hub,
    })
  }
  for (const group of groups) await Promise.all(group.map(send))
  await ingest.close()
  const statuses = await db.query(sql`
    select peripheral_uid, timestamp, values from device_status where tenant = ${building.tenant} order by 1`)
  const readings = await db.query(sql`
    select m.peripheral_uid, r.timestamp, r.accumulate_power, r.power from readings r join meters m using (meter_id)
    where m.tenant = ${building.tenant} order by 1, 2`)
  return { statuses, readings }
}

/** The rules themselves, report by report: older ones change no status, one reading per meter and time counts. */
function expected(items: Item[]) {
  const start = holdClock().now() - 86_400_000
  const statuses = new Map<string, { peripheral_uid: string; timestamp: number; values: object }>()
  const readings = new Map<string, object>()
  for (const { kind, uid, minute, values } of items) {
    const timestamp = start + minute * 60_000
    const key = `${uid} ${timestamp}`
    if (kind === 'reading' && readings.has(key)) continue
    if (kind === 'reading') {
      const { AccumulatePower, Power } = values
      readings.set(key, { peripheral_uid: uid, timestamp, accumulate_power: AccumulatePower, power: Power })
    }
    const before = statuses.get(uid)
    if (before && timestamp < before.timestamp) continue
    statuses.set(uid, { peripheral_uid: uid, timestamp, values: { ...before?.values, ...values } })
  }
  const sorted = <T>(map: Map<string, T>) =>
    [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, v]) => v)
  return { statuses: sorted(statuses), readings: sorted(readings) }
}

const onOff = fc.constantFrom<0 | 1>(0, 1)
const minute = fc.integer({ min: 0, max: 30 })
const status = (fields: fc.Arbitrary<Record<string, 0 | 1>>): fc.Arbitrary<Item> =>
  fc.record({ kind: fc.constant('status' as const), uid: fc.constantFrom('a', 'b'), minute, values: fields })
/** A meter's value is a function of time, as with a counter that only rises. */
const reading: fc.Arbitrary<Item> = fc
  .record({ uid: fc.constantFrom('x', 'y'), minute })
  .map(({ uid, minute }) => ({
    kind: 'reading',
    uid,
    minute,
    values: { AccumulatePower: minute * 1.5, Power: minute },
  }))
const full = status(fc.record({ Switch1: onOff, Switch2: onOff, Switch3: onOff }))
const partial = status(
  fc.record({ Switch1: onOff, Switch2: onOff, Switch3: onOff }, { requiredKeys: [] }) as fc.Arbitrary<
    Record<string, 0 | 1>
  >,
)

/** Cuts a list into consecutive groups. */
const cut = <T>(items: T[], lengths: number[]): T[][] => {
  const groups: T[][] = []
  for (let from = 0, i = 0; from < items.length; i++) {
    const length = lengths[i % lengths.length] ?? 1
    groups.push(items.slice(from, from + length))
    from += length
  }
  return groups
}
const lengths = fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 1, maxLength: 5 })

it('stores the same statuses and readings in any order, duplication and batches of reports', async () => {
  const sameReports = fc
    .tuple(
      // One status per device and time: with two at the same time, only their order decides which is last.
      fc.uniqueArray(full, {
        maxLength: 12,
        selector: ({ uid, minute }) => `${uid} ${minute}`,
      }),
      fc.uniqueArray(reading, { maxLength: 12, selector: ({ uid, minute }) => `${uid} ${minute}` }),
    )
    .map(([statuses, readings]) => [...statuses, ...readings])
  const arrivals = sameReports.chain((items) =>
    fc.record({
      items: fc.constant(items),
      order: fc
        .tuple(
          fc.shuffledSubarray(items, { minLength: items.length }),
          fc.shuffledSubarray(items),
          fc.shuffledSubarray(items),
        )
        .map(([all, again, more]) => [...all, ...again, ...more]),
      lengths,
    }),
  )
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ items, order, lengths }) => {
      expect(await outcome(cut(order, lengths))).toEqual(
        expected(items.toSorted((a, b) => a.minute - b.minute)),
      )
    }),
    { numRuns: 20 },
  )
})

it('stores the same as one report after another, in any batches', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(partial, reading), { minLength: 1, maxLength: 25 }),
      lengths,
      async (items, lengths) => {
        expect(await outcome(cut(items, lengths))).toEqual(expected(items))
      },
    ),
    { numRuns: 20 },
  )
})
