import { randomUUID } from 'node:crypto'
import { sql } from '../../gateway/kernel/db.ts'
import { liveWindows } from '../../tests/support/guard-windows.ts'
import { createTestDb, startTestPostgres } from '../../tests/support/postgres.ts'
import type { Figure, Options } from '../support/measurement.ts'

/**
 * Simulated quarters of an hour whose crossing is reported 60 s before their end, guarded with a simulated clock: the number
 * that exceed their target without a notification before the end, or have a load confirmed off too late.
 */
export async function guardWindows({ quick }: Options): Promise<Figure[]> {
  const count = quick ? 100 : 1_000
  const server = await startTestPostgres()
  const { db, dropDatabase } = await createTestDb({ max: 10 })
  const tenant = randomUUID()
  await db.query(sql`insert into companies (tenant, company_name, created_at) values (${tenant}, 'c', 0)`)
  const { heldCount, warnedCount, broken, sheds, shedsOnPartialData, lateCount } = await liveWindows(db, {
    tenant,
    count,
  })
  await dropDatabase()
  await server.stop()
  const none = { of: 'value', max: 0 } as const
  return [
    {
      what: `windows exceeded without a word before their end, or with a load off too late, of ${count}`,
      value: broken.length + lateCount,
      unit: 'windows',
      bar: none,
      note: `${heldCount} held, ${warnedCount} said before the end, ${sheds} loads shed`,
    },
    { what: 'loads shed on partial data', value: shedsOnPartialData, unit: 'loads', bar: none, note: '' },
  ]
}
