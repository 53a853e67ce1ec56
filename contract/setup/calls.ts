import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { Millis } from '../kernel/scalars.ts'
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
