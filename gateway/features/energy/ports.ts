import type { SignedIn } from '../../kernel/context.ts'
import type { Db } from '../../store/db.ts'
import type { Pricing } from './query/prices.ts'

/** What the energy of a home costs and emits, by its tariffs. */
export type PricingOf = (db: Db, tenant: string, HomeID: string) => Promise<Pricing>

/** What energy needs of others. */
export interface EnergyPorts {
  pricingOf: PricingOf
  /** Sees to the automations that name a virtual meter which was just deleted. */
  virtualMeterGone(context: SignedIn, VirtualMeterID: string): Promise<void>
}
