import type { SignedIn } from '../../kernel/context.ts'
import type { PricingOf } from './query/rates.ts'

/** Ports to other features. */
export interface EnergyPorts {
  readPricing: PricingOf
  /** Updates the automations that refer to a virtual meter that was just deleted. */
  onVirtualMeterDeleted(context: SignedIn, VirtualMeterID: string): Promise<void>
}
