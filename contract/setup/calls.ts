import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { Millis, PeripheralUID } from '../kernel/scalars.ts'
import { ThingKey } from '../devices/thing.ts'
import { UNMAPPED_REASONS } from '../devices/channels/hub-setup.ts'
import { SetupLine } from './steps.ts'

/**
 * Source of an address offered to hubs: `set` is configured by the operator of the gateway, `page` is the host that the dashboard
 * is opened at, `lan` a private address of the machine, `container` an address that only containers on that machine can reach.
 */
const HOST_KINDS = ['set', 'page', 'lan', 'container'] as const

/**
 * Reason for which the gateway last rejected a hub: wrong secret; topics of another site or company; unknown topics; a message that
 * was not JSON or had too many levels or values.
 */
export const HUB_REJECTION_REASONS = ['wrongPassword', 'otherHome', 'unknownTopic', 'malformed'] as const

/** Calls for getting started: progress of the setup, and where hubs connect. */
export const setup = {
  getSetupState: defineEndpoint({
    path: '/GetSetupState',
    summary: 'Setup progress of the company: an entry for each step that the caller may perform.',
    access: 'signed-in',
    sites: 'mixed',
    input: z.object({}),
    results: z.array(SetupLine),
    shows: [
      'home',
      'room',
      'thing',
      'peripheral',
      'metering',
      'pricing',
      'user',
      'automation',
      'pushSubscription',
      'notificationChannel',
    ],
    freshFor: 60_000,
  }),
  getHubTrouble: defineEndpoint({
    path: '/GetHubTrouble',
    summary:
      'Diagnostics for a hub that does not connect: the address of its last sign-in, and its last rejection since then; limited to what the answering gateway has seen since its start.',
    access: right('device', 'Read'),
    input: ThingKey,
    results: z.object({
      /** Start time of this gateway; rejections before it are unknown. */
      Since: Millis,
      Address: z.string().nullable(),
      /** Last rejection since the hub last reported; null if there was none. */
      Refused: z
        .object({
          Reason: z.enum(HUB_REJECTION_REASONS),
          /** Number of consecutive rejections, at most 99. */
          Count: z.number().int(),
          /** Address of the hub, if the broker reports it. */
          From: z.string().nullable(),
          Timestamp: Millis,
        })
        .nullable(),
    }),
    errors: ['NOT_FOUND'],
    shows: ['thing'],
    freshFor: 10_000,
  }),
  getHubAddress: defineEndpoint({
    path: '/GetHubAddress',
    summary:
      "MQTT addresses for hubs, the most likely first; empty if the broker listens only on the server's loopback interface.",
    access: right('device', 'Create'),
    sites: 'company',
    input: z.object({}),
    results: z.object({
      Hosts: z.array(z.object({ Address: z.string(), Kind: z.enum(HOST_KINDS) })),
      Port: z.number().int(),
      Tls: z.boolean(),
      Reachable: z.enum(['all', 'thisComputer']),
    }),
    shows: [],
    why: 'The address for hubs is fixed when the gateway starts.',
    freshFor: 60_000,
  }),
}

/** Topic or value that a hub receives and does not map to a device. */
export const UnmappedValue = z.object({
  Topic: z.string(),
  /** Null if the hub reports none. */
  Name: z.string().nullable(),
  Reason: z.enum(UNMAPPED_REASONS),
  /** Reason as text from the hub; null if it reports none. */
  Detail: z.string().nullable(),
  /** Time of the first report that contains it with this reason; restarts after a report without it. */
  Since: Millis,
})
export type UnmappedValue = z.infer<typeof UnmappedValue>

export const unmapped = {
  listUnmapped: defineEndpoint({
    path: '/ListUnmapped',
    summary: 'Data that a hub last reported as received but not mapped: topic, reason and since when.',
    access: right('device', 'Read'),
    input: ThingKey,
    results: z.object({
      /** Null if the hub has never reported unmapped values, e.g. because it bridges none. */
      ReportedAt: Millis.nullable(),
      /** Number of all unmapped values; Entries are the first 200. */
      Total: z.number().int(),
      Entries: z.array(UnmappedValue),
    }),
    errors: ['NOT_FOUND'],
    shows: ['thing'],
    freshFor: 10_000,
  }),
}

/**
 * Reason for which the gateway could not use what a hub sent: a value of the wrong type or outside its limits; a missing required
 * value; a number that JSON rounds; a clock that is ahead or behind; a message that is not JSON or has another shape; a reading of
 * a device that is not a meter; a device of another hub or of an unknown type.
 */
const FAULT_REASONS = [
  'value',
  'missing',
  'inexact',
  'clockAhead',
  'clockBehind',
  'malformed',
  'notAMeter',
  'foreignDevice',
  'unknownType',
] as const
export type FaultReason = (typeof FAULT_REASONS)[number]

/**
 * Message that contained the value: a status or meter report, a shadow, an acknowledgement, a step of a firmware update, or a
 * report of unmapped values.
 */
const FAULT_MESSAGES = ['status', 'meter', 'registration', 'info', 'control', 'ota', 'unmapped'] as const
export type FaultMessage = (typeof FAULT_MESSAGES)[number]

export const MAX_FAULT_VALUE = 64
export const MAX_FAULT_FIELD = 128
/** Retention of a report fault in days, from its last occurrence. */
export const FAULT_DAYS = 7

/** Field from a hub that could not be used, with the last value received. */
export const ReportFault = z.object({
  /** Null for the hub itself. */
  PeripheralUID: PeripheralUID.nullable(),
  Message: z.enum(FAULT_MESSAGES),
  /** Path of the field, e.g. `ModbusValues.power`; empty for the whole message, or the whole part about the device. */
  Field: z.string(),
  Reason: z.enum(FAULT_REASONS),
  /** Value as text, shortened; null if there was none. For a clock, its offset in ms. */
  Came: z.string().nullable(),
  Count: z.number().int(),
  Since: Millis,
  LastAt: Millis,
  /** Time of the first valid value after the fault; null until then. */
  EndedAt: Millis.nullable(),
})
export type ReportFault = z.infer<typeof ReportFault>

export const reportFaults = {
  listReportFault: defineEndpoint({
    path: '/ListReportFault',
    summary:
      'Unusable fields in reports of a hub in the last 7 days: field, last value, count and first occurrence; ongoing ones first.',
    access: right('device', 'Read'),
    input: ThingKey,
    results: z.array(ReportFault),
    errors: ['NOT_FOUND'],
    shows: ['thing', 'peripheral'],
    freshFor: 10_000,
  }),
}
