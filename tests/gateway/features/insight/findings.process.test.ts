import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { parseDay, startOfDay } from '../../../../contract/time/periods.ts'
import { detectFindings } from '../../../../gateway/features/insight/findings/find-in-home.ts'
import type { Db } from '../../../../gateway/kernel/db.ts'
import { createBuilding } from '../../../support/building.ts'
import { holdClock } from '../../../support/clock.ts'
import { findingPorts } from '../../../support/finding-ports.ts'
import { createKillPoints, points } from '../../../support/kill-points.ts'
import { OFFICE_BEGAN, officeDay } from '../../../support/made-office.ts'
import { createTestDb, silentLog, type TestDb } from '../../../support/postgres.ts'
import { addMeter } from '../energy/rollup/meters.ts'
import { storeEnergy } from '../../../support/stored-energy.ts'
import type { World } from '../../../support/world.ts'

const zone = 'Asia/Taipei'
const DAY = OFFICE_BEGAN + 69
const faults = { night: { from: DAY - 9, kw: 3 } }
/** Interval of the statements after which the gateway ends. */
const STEP = 7

const databases: TestDb[] = []
afterAll(async () => {
  for (const { dropDatabase } of databases) await dropDatabase()
})

/** Home of one meter whose nights have risen, without prices. */
async function fill(db: Db): Promise<{ tenant: string; HomeID: string }> {
  const building = await createBuilding(db)
  await building.addDevice('kitchen', '514')
  const meterId = await addMeter(db, building, 'kitchen')
  const days = [startOfDay(OFFICE_BEGAN, zone), startOfDay(DAY + 1, zone)] as const
  await storeEnergy({ db } as World, { zone }, meterId, days, (at) => {
    const day = Math.floor((at + 8 * 3_600_000) / 86_400_000)
    return officeDay(1, day, faults).kitchen[(at - startOfDay(day, zone)) / 900_000] as number
  })
  return { tenant: building.tenant, HomeID: building.homeId }
}

async function database() {
  const made = await createTestDb({ max: 20 })
  databases.push(made)
  const clock = holdClock(startOfDay(DAY + 1, zone) + 6 * 3_600_000)
  const home = await fill(made.db)
  const look = () =>
    made.db.transaction((tx) =>
      detectFindings(
        tx,
        { db: made.db, log: silentLog, ports: findingPorts(made.db, clock), now: clock.now() },
        home.tenant,
        { HomeID: home.HomeID, zone },
        DAY,
      ),
    )
  /** Results without random identifiers. */
  const content = async () => {
    const of = (what: string) => made.db.pool.query(what).then(({ rows }) => rows)
    return {
      findings:
        await of(`select kind, meter_id, kwh, why, evidence, memory, state, first_seen, last_seen, version
        from findings order by 1, 2`),
      claims: await of('select meter_id, from_day, kwh from finding_claims order by 1'),
      savings: await of('select day, partly from home_savings'),
      due: await of('select reason from insight_due'),
    }
  }
  return { made, look, content }
}

describe('looking for findings, killed at any statement', () => {
  it('writes all or nothing, and ends with the same result', { timeout: 300_000 }, async () => {
    expect(parseDay('2026-01-05')).toBe(OFFICE_BEGAN)
    const whole = await database()
    expect(await whole.look()).toBe('done')
    const expected = await whole.content()
    expect(expected.findings).toHaveLength(1)
    expect(expected.claims).toHaveLength(1)

    const broken = await database()
    const nothing = await broken.content()
    const kills = createKillPoints(broken.made)
    let [ended, last] = [0, '' as string | undefined]
    const halves: unknown[] = []
    for (const point of points(STEP)) {
      let did: string | undefined
      const reached = await kills.kill(point, async () => {
        did = await broken.look().catch(() => undefined)
      })
      last = did
      if (!reached) break
      const now = await broken.content()
      // A kind of finding whose connection failed is searched again; no other result is partial.
      if (now.savings.length === 0 && !isDeepStrictEqual(now, nothing)) halves.push({ point, now })
      ended += 1
      for (const table of ['findings', 'home_savings', 'insight_due'])
        await broken.made.db.pool.query(`delete from ${table}`)
    }
    expect(halves).toEqual([])
    expect(last).toBe('done')
    expect(ended).toBeGreaterThan(5)
    expect(await broken.content()).toEqual(expected)
    await kills.close()
  })
})
