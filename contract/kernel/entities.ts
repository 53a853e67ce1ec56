/**
 * What data-change events are about (§7): records, and facts of a home that calls compute from. A call that reads names
 * those its answer shows, a call that mutates those it changes.
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
 * What calls show and change as well, and no data-change event tells of: what other channels tell of, and what only the
 * person sees whose it is.
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
] as const
export type ShownEntity = Entity | (typeof ENTITIES_WITHOUT_EVENTS)[number]

/** What every figure of energy, cost and carbon is computed from; a home says when its days begin. */
export const ENERGY = [
  'home',
  'peripheral',
  'virtualMeter',
  'metering',
  'tariff',
  'pricing',
] as const satisfies readonly Entity[]
