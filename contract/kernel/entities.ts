/**
 * Subjects of data-change events (§7): records, and facts of a home that results are computed from. Reads declare the entities they
 * show, mutations those they change.
 */
export const ENTITIES = [
  'home',
  'room',
  'floor',
  'thing',
  'peripheral',
  'discovery',
  'user',
  'department',
  'modbusTable',
  'conferenceRoom',
  'virtualMeter',
  'tariff',
  'pricing',
  'metering',
  'quarantinedReading',
  'firmware',
  'visitor',
  'employee',
  'scanner',
  'scanEvent',
  'company',
  'group',
  'scene',
  'automation',
  'automationPause',
  'alarm',
  'maintenance',
  'notificationChannel',
  'shedding',
  'finding',
  'reportPlan',
  'report',
  'utilityBill',
  'dashboard',
] as const
export type Entity = (typeof ENTITIES)[number]

/**
 * Entities that calls show and change, but that have no data-change event: other channels publish their changes, only their owner sees
 * them, or their reads are always refetched.
 */
export const ENTITIES_WITHOUT_EVENTS = [
  'session',
  'bookingLink',
  'personalConfig',
  'command',
  'run',
  'notification',
  'pushSubscription',
  'firmwareUpdate',
  'importProfile',
] as const
export type ShownEntity = Entity | (typeof ENTITIES_WITHOUT_EVENTS)[number]

/** Entities that energy, cost and carbon figures are computed from; `home` because its time zone decides when days begin. */
export const ENERGY = [
  'home',
  'peripheral',
  'virtualMeter',
  'metering',
  'tariff',
  'pricing',
] as const satisfies readonly Entity[]
