import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { dayOf } from '../../../contract/time/periods.ts'
import { ratedLimit } from './meter-limit.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { sql } from '../../store/db.ts'
import { upsertFact } from './meter-facts.ts'

/**
 * What a device may pass by its rating holds from tomorrow on, by the home's clock, so that no day is judged by two limits.
 * Whoever calls holds the facts of the home (`holdFacts`).
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
