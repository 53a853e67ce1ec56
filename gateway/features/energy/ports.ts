import type { Db } from '../../store/db.ts'
import type { Pricing } from './query/prices.ts'

/** What the energy of a home costs and emits, by its tariffs. */
export type PricingOf = (db: Db, tenant: string, HomeID: string) => Promise<Pricing>
