import type { Db } from '../../../kernel/db.ts'
import type { Clock } from '../../../kernel/ports.ts'
import type { PricingOf } from './prices.ts'

/** Dependencies of reading energy. */
export interface EnergyOptions {
  db: Db
  clock: Pick<Clock, 'now'>
  /** Rolls up changed readings of these meters, so that reads are never stale; false if that would take too long for a call. */
  settle(db: Db, meterIds: readonly number[]): Promise<boolean>
  pricingOf: PricingOf
}
