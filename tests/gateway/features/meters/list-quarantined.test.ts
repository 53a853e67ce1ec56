import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QuarantinedReading } from '../../../../contract/meters/correction-calls.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { withReadingsBefore } from '../../../../gateway/features/meters/list-quarantined.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { rowsRead } from '../../../support/rows-read.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'
import { store } from '../energy/rollup/meters.ts'

/** Midnight in Taipei. */
const START = Date.UTC(2026, 0, 2, 16)
let world: World
let root: Caller
let HomeID: string
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
})
afterAll(() => world.close())

/** Meter with readings every quarter of which all but the first few are quarantined as jumps. */
async function addJumped(uid: string, counted: number, jumps: number): Promise<number> {
  const [row] = await world.db.query<{ id: number }>(sql`insert into meters (tenant, home_id, peripheral_uid)
    values (${root.tenant}, ${HomeID}, ${uid}) returning meter_id as id`)
  const meterId = row?.id ?? 0
  const readings = Array.from({ length: counted + jumps }, (_, i) => ({
    timestamp: START + i * QUARTER_MS,
    kwh: i < counted ? i : 1e6 + i,
  }))
  await store(world.db, meterId, readings)
  await world.db.query(sql`delete from meter_dirty where meter_id = ${meterId}`)
  await world.db.query(sql`insert into quarantined_readings (meter_id, timestamp, value, reason)
    select meter_id, timestamp, accumulate_power, 'jump' from readings where meter_id = ${meterId} and accumulate_power >= 1e6`)
  return meterId
}

describe('the list of quarantined readings', () => {
  it('reads a long run once, not again for each row', async () => {
    const readOf = async (uid: string, jumps: number) => {
      const meterId = await addJumped(uid, 2, jumps)
      const page = sql`select q.meter_id, q.timestamp, q.value, q.reason, q.timestamp as "placeBy", q.meter_id as "placeId"
        from quarantined_readings q where q.meter_id = ${meterId} order by q.timestamp desc limit 100`
      return rowsRead(world.db, 'readings', withReadingsBefore(page))
    }
    expect(await readOf('long', 300)).toBeLessThanOrEqual(400)
    expect(await readOf('longer', 600)).toBeLessThanOrEqual(700)
  })

  it('is paged, and each row has the last counted reading before it', async () => {
    const PeripheralUID = 'paged'
    const meterId = await addJumped(PeripheralUID, 3, 5)
    // The third of the run was accepted, the fourth rejected.
    await world.db.query(sql`update quarantined_readings
      set decision = case when timestamp = ${START + 5 * QUARTER_MS} then 'accepted' else 'dropped' end
      where meter_id = ${meterId} and timestamp in (${START + 5 * QUARTER_MS}, ${START + 6 * QUARTER_MS})`)
    const pageAt = async (Cursor?: string) =>
      (
        await root.post('/ListQuarantinedReading', {
          HomeID,
          PeripheralUID,
          Limit: 2,
          ...(Cursor !== undefined && { Cursor }),
        })
      ).results
    const first = await pageAt()
    const second = await pageAt(first.NextCursor)
    expect([first.Total, second.Total, second.NextCursor]).toEqual([3, 3, null])
    const rows: QuarantinedReading[] = [...first.Rows, ...second.Rows]
    const before = (quarter: number, kWh: number) => ({ Timestamp: START + quarter * QUARTER_MS, kWh })
    expect(rows.map(({ Timestamp, Before }) => ({ Timestamp, Before }))).toEqual([
      { Timestamp: START + 7 * QUARTER_MS, Before: before(5, 1e6 + 5) },
      { Timestamp: START + 4 * QUARTER_MS, Before: before(2, 2) },
      { Timestamp: START + 3 * QUARTER_MS, Before: before(2, 2) },
    ])
  })
})
