import type { Capability } from '../capabilities/capability.ts'

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

/**
 * Hours after which a battery sensor that reports changes alone is silent. Zigbee's check-in is an hour, but products stretch it to
 * a day; Zigbee2MQTT takes a device on a battery for offline after 1500 minutes, a day and an hour for the late one.
 */
export const DAILY_CHECK_IN = 25

/**
 * Hours after which a sensor of values that always change is silent: they are reported at least hourly, and Home Assistant (ZHA)
 * takes a device on a battery for unavailable after 6.
 */
export const HOURLY_REPORTS = 6

/** A product family: a list of what each type code can do (§3). */
export interface DeviceKind {
  /** Names it in the locales: `devices.kinds.<kind>`. */
  kind: string
  category: Category
  /** Never listed: the device belongs to its hub and shows nothing of its own (§3, 523 and 524). */
  hidden?: true
  /**
   * Hours without a report after which a device of this kind is silent although its hub is there (rules/device/silence.ts).
   * Left out where nobody can tell: what has mains power and a switch reports only when somebody uses it.
   */
  silentAfter?: number
  /** Capabilities by type code. */
  variants: Readonly<Record<number, readonly Capability[]>>
}
