import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { GatewayError } from '../../../../../gateway/kernel/errors.ts'
import { createEvents } from '../../../../../gateway/kernel/events.ts'
import { createIngest, type ReportIngest } from '../../../../../gateway/features/status/ingest/ingest.ts'
import { updateStateAlarms } from '../../../../support/note-states.ts'
import { quarantineReading } from '../../../../../gateway/features/meters/quarantine.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { type Building, createBuilding, encode } from '../../../../support/building.ts'
import { holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'
import { createTestDb } from '../../../../support/postgres.ts'

let db: Db
let drop: () => Promise<void>
let building: Building
let ingest: ReportIngest
/** Error of the next storing statements; undefined while the database works. */
let failure: ((values: unknown[]) => Error | undefined) | undefined
let refusedTimes: number
let refused: (() => void)[]

const clock = holdClock()
beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
  await building.addDevice('m1', '514')
  await building.addDevice('m2', '514')
  failure = undefined
  refusedTimes = 0
  refused = []
  const fragile: Db = {
    ...db,
    async query(query) {
      const error =
        'name' in query && query.name.startsWith('ingest-store') ? failure?.(query.values) : undefined
      if (!error) return db.query(query)
      refusedTimes += 1
      for (const wake of refused.splice(0)) wake()
      throw error
    },
  }
  const events = createEvents((error) => {
    throw error
  })
  ingest = createIngest({
    quarantineReading,
    updateStateAlarms,
    db: fragile,
    events,
    clock,
    log: createLogBook(),
    metrics: new Registry(),
  })
  return () => ingest.close()
})

const away = () => new GatewayError('UNAVAILABLE', 'The database cannot be reached')
const send = (uid: string, AccumulatePower: number) =>
  ingest.receive({
    match: { name: 'meterReport', values: { rootId: building.tenant, homeId: building.homeId } },
    payload: encode({
      ThingName: building.thingName,
      Readings: [{ PeripheralUID: uid, Timestamp: clock.now(), AccumulatePower }],
    }),
    client: building.hub,
  })
const refusals = async (count: number) => {
  const enough = () => refusedTimes >= count
  while (!enough()) await new Promise<void>((resolve) => refused.push(resolve))
}
const stored = () =>
  db.query<{ uid: string }>(sql`
    select m.peripheral_uid as uid from readings r join meters m using (meter_id)
    where m.tenant = ${building.tenant} order by 1`)

it('waits for an unavailable database, and stores everything once it is back', async () => {
  failure = away
  const sent = [send('m1', 1), send('m2', 2)]
  await refusals(3)
  expect(await stored()).toEqual([])
  failure = undefined
  await Promise.all(sent)
  expect(await stored()).toEqual([{ uid: 'm1' }, { uid: 'm2' }])
})

it('returns unstored messages when it is closed meanwhile, without acknowledging them', async () => {
  failure = away
  const outcome = Promise.allSettled([send('m1', 1)])
  await refusals(1)
  await ingest.close()
  expect(await outcome).toMatchObject([{ status: 'rejected', reason: { code: 'UNAVAILABLE' } }])
  expect(await stored()).toEqual([])
})

it('rejects the one message that cannot be stored, and stores the others of its batch', async () => {
  // The counter 13 stands for any value that the database rejects.
  failure = (values) => (String(values[2]).includes('13') ? new Error('will not do') : undefined)
  const outcomes = await Promise.allSettled([send('m1', 13), send('m2', 2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(await stored()).toEqual([{ uid: 'm2' }])
})
