import { dayOf, startOfDay } from '../../../contract/time/periods.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { deleteFact, lockMeterFacts, historyOfFact, upsertFact } from '../../domain/meters/meter-facts.ts'
import { sql } from '../../store/db.ts'
import type { Rollup } from './ports.ts'

/** Readings of one meter, and the most that it may pass from the day of the earliest on, in kW. */
interface Raised {
  HomeID: string
  Readings: readonly { PeripheralUID: string; Timestamp: number }[]
  LimitKw: number
}

/** Lets a meter pass more, whatever was said of later days; its readings are judged again from then on. */
export async function setMeterLimit(
  rollup: Rollup,
  { db, actor, clock }: SignedIn,
  { HomeID, Readings, LimitKw }: Raised,
): Promise<void> {
  const { zone } = await lockMeterFacts(db, actor.tenant, HomeID)
  const MeterID = Readings[0]?.PeripheralUID ?? ''
  const key = { tenant: actor.tenant, HomeID, MeterID }
  const from = dayOf(Math.min(...Readings.map(({ Timestamp }) => Timestamp)), zone)
  for (const later of await historyOfFact(db, key, 'limit'))
    if (later.from > from) await deleteFact(db, key, 'limit', later.from)
  await upsertFact(db, key, 'limit', { from, value: LimitKw }, { by: actor.name, at: clock.now() })
  const meters = await db.query<{ meterId: number }>(sql`select meter_id as "meterId" from meters
    where tenant = ${actor.tenant} and home_id = ${HomeID} and peripheral_uid = ${MeterID}`)
  await rollup.markDirty(
    db,
    meters.map(({ meterId }) => ({ meterId, from: startOfDay(from, zone), through: 8.64e15 })),
  )
}
