import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { dayOf } from '../../../contract/time/periods.ts'
import { ratedLimit } from './meter-limit.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { sql } from '../../kernel/db.ts'
import { upsertFact } from './meter-facts.ts'

/**
 * Records the limit from a device's rating from tomorrow on, in local time, so that each day has a single limit. The caller holds the
 * lock of `lockMeterFacts`.
 */
export async function rateMeter(
  { db, actor, clock }: SignedIn,
  { before, after }: { before: Peripheral; after: Peripheral },
): Promise<void> {
  const [was, now] = [ratedLimit(before), ratedLimit(after)]
  if (was === now) return
  const { HomeID, PeripheralUID: MeterID } = after
  const [home] = await db.query<{ zone: string }>(
    sql`select time_zone as zone from homes where tenant = ${actor.tenant} and home_id = ${HomeID}`,
  )
  const at = clock.now()
  const from = dayOf(at, home?.zone ?? 'UTC') + 1
  await upsertFact(
    db,
    { tenant: actor.tenant, HomeID, MeterID },
    'rated',
    { from, value: now },
    { by: actor.name, at },
  )
}
