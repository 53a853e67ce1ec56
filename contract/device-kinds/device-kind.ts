import type { Capability } from './capability.ts'

/** Categories devices are grouped by in menu and routes (§3, derived categories; the last four: decision 0018). */
export const CATEGORIES = [
  'LightSwitch',
  'Dimmer',
  'ClampMeter',
  'SmartMeter',
  'IOController',
  'ModBus',
  'DryContact',
  'LightHouse',
  'Thermostat',
  'TaiSEIA',
  'Motion',
  'Presence',
  'Door',
  'Smoke',
  'Shock',
  'PM25',
  'IPCamera',
  'IRRemote',
  'Cover',
  'Button',
  'Siren',
  'Sensor',
] as const
export type Category = (typeof CATEGORIES)[number]

/** A product family: a list of what each type code can do (§3). */
export interface DeviceKind {
  /** Names it in the locales: `devices.kinds.<kind>`. */
  kind: string
  category: Category
  /** Never listed: the device belongs to its hub and shows nothing of its own (§3, 523 and 524). */
  hidden?: true
  /** Capabilities by type code. */
  variants: Readonly<Record<number, readonly Capability[]>>
}
