import type { Capability } from './capability.ts'

/** Categories devices are grouped by in menu and routes (§3, derived categories). */
export const CATEGORIES = ['LightSwitch', 'ClampMeter', 'DryContact', 'Motion', 'Door'] as const
export type Category = (typeof CATEGORIES)[number]

/** A product family: a list of what each type code can do (§3). */
export interface DeviceKind {
  /** Names it in the locales: `devices.kinds.<kind>`. */
  kind: string
  category: Category
  /** Capabilities by type code. */
  variants: Readonly<Record<number, readonly Capability[]>>
}
