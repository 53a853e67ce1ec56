import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createContractCapacityCache } from '../../../../gateway/features/contract-guard/feature.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import type { Listener } from '../../../../gateway/kernel/db.ts'
import type { TestDb } from '../../../support/postgres.ts'
import { createBuilding, HOME, TENANT } from '../automation/engine/support.ts'

const QUARTER = 900_000
const NOON = Date.UTC(2026, 6, 6, 4)
const OTHER = '00000000-0000-4000-8000-00000000000f'

describe('the cached contract capacity', () => {
  let asked: string[]
  let listener: Listener
  let allowed: ReturnType<typeof createContractCapacityCache>
  let answer: () => Promise<{ Limit: number; billed: null }>
  beforeEach(() => {
    asked = []
    answer = async () => ({ Limit: 100, billed: null })
    allowed = createContractCapacityCache(
      { listen: (_, heard) => void (listener = heard) },
      (tenant, homeId) => {
        asked.push(`${tenant}/${homeId}`)
        return answer()
      },
    )
  })
  const ask = (at = NOON, tenant = TENANT) => allowed(tenant, HOME, at, false)

  it('is queried once per quarter-hour and company', async () => {
    for (const at of [NOON, NOON + 5_000, NOON + QUARTER - 1])
      expect(await ask(at)).toMatchObject({ Limit: 100 })
    expect(asked).toHaveLength(1)
    await ask(NOON + QUARTER)
    await ask(NOON + QUARTER, OTHER)
    expect(asked).toHaveLength(3)
  })

  it('is queried again when a tariff of the company changes, or may have changed', async () => {
    await ask()
    listener.onPayload(OTHER)
    await ask()
    expect(asked).toHaveLength(1)
    listener.onPayload(TENANT)
    await ask()
    listener.onMissed()
    await ask()
    expect(asked).toHaveLength(3)
  })

  it('never contains a value read before a change, or a failure', async () => {
    const reading = ask()
    listener.onPayload(TENANT)
    answer = async () => ({ Limit: 200, billed: null })
    expect(await ask()).toMatchObject({ Limit: 200 })
    await reading
    expect(await ask()).toMatchObject({ Limit: 200 })
    listener.onMissed()
    answer = () => Promise.reject(new Error('away'))
    await expect(ask()).rejects.toThrow('away')
    answer = async () => ({ Limit: 300, billed: null })
    expect(await ask()).toMatchObject({ Limit: 300 })
  })
})

describe('the database', () => {
  let database: TestDb
  beforeAll(async () => {
    database = await createBuilding([], { max: 3 })
  })
  afterAll(() => database.dropDatabase())

  it('notifies every gateway of the company whose tariff, contract or off-peak day changed', async () => {
    const { db } = database
    const heard: string[] = []
    await new Promise<void>((ready) =>
      db.listen('pricing_changed', {
        onPayload: (tenant) => void heard.push(tenant),
        onMissed: () => ready(),
      }),
    )
    let count = 0
    for (const change of [
      sql`insert into off_peak_days (tenant, date, is_off_peak) values (${TENANT}, '2026-07-07', true)`,
      sql`delete from off_peak_days`,
      sql`insert into tariffs (tenant, tariff_id, tariff_name, versions) values (${TENANT}, 't', 't', '[]')`,
      sql`update tariffs set versions = '[]'`,
      sql`insert into home_tariffs (tenant, home_id, valid_from, plan_id, capacities, phases, billing_day, billing_months, first_month)
        values (${TENANT}, ${HOME}, '2026-01-01', 't', '{}', 'three', 1, 1, 1)`,
      sql`delete from home_tariffs`,
    ]) {
      await db.query(change)
      count += 1
      await expect.poll(() => heard.length).toBe(count)
    }
    expect(new Set(heard)).toEqual(new Set([TENANT]))
  })
})
