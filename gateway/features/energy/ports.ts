import type { SignedIn } from '../../kernel/context.ts'
import type { Db } from '../../store/db.ts'
import type { Pricing } from './query/prices.ts'

/** Reads the prices and emission factors of a home from its tariffs. */
export type PricingOf = (db: Db, tenant: string, HomeID: string) => Promise<Pricing>

/** Ports to other features. */
export interface EnergyPorts {
  pricingOf: PricingOf
  /** Updates the automations that refer to a virtual meter that was just deleted. */
  virtualMeterGone(context: SignedIn, VirtualMeterID: string): Promise<void>
}
