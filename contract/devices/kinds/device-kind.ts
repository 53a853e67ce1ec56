import type { Capability } from '../capabilities/capability.ts'

/** Categories by which menu and routes group devices (§3, derived categories; the last four: decision 0018). */
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
 * Hours after which a battery sensor that reports only changes is silent. Zigbee's check-in interval is an hour, but products
 * extend it to a day; Zigbee2MQTT treats battery devices as offline after 1500 minutes: a day, and an hour of tolerance.
 */
export const DAILY_CHECK_IN = 25

/**
 * Hours after which a sensor of continuously changing values is silent. It reports at least hourly, and Home Assistant (ZHA) treats
 * battery devices as unavailable after 6 hours.
 */
export const HOURLY_REPORTS = 6

/** Product family with the capabilities of each type code (§3). */
export interface DeviceKind {
  /** Key of its name in the locales: `devices.kinds.<kind>`. */
  kind: string
  category: Category
  /** Never listed: the device belongs to its hub and shows nothing of its own (§3, 523 and 524). */
  hidden?: true
  /**
   * Hours without a report after which a device of this kind is silent although its hub is online (contract/devices/device-health.ts).
   * Omitted if unknown: mains-powered devices with a switch report only when they are used.
   */
  silentAfter?: number
  /** By type code. */
  variants: Readonly<Record<number, readonly Capability[]>>
}
