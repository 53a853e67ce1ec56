import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { Millis } from '../kernel/scalars.ts'
import { ThingKey } from '../devices/thing.ts'
import { SetupLine } from './steps.ts'

/**
 * Source of an address offered to hubs: `set` is configured by the operator of the gateway, `page` is the host that the dashboard
 * is opened at, `lan` a private address of the machine, `container` an address that only containers on that machine can reach.
 */
export const HOST_KINDS = ['set', 'page', 'lan', 'container'] as const

/**
 * Reason for which the gateway last rejected a hub: wrong secret; topics of another site or company; unknown topics; a message that
 * was not JSON or had too many levels or values.
 */
export const HUB_REJECTION_REASONS = ['wrongPassword', 'otherHome', 'unknownTopic', 'malformed'] as const

/** Calls for getting started: progress of the setup, and where hubs connect. */
export const setup = {
  getSetupState: defineEndpoint({
    path: '/GetSetupState',
    summary: 'How far the company is set up: a line for each step that the person may do.',
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
      'What helps to bring a hub back: from which address it last signed in, and why it was turned away since; as far as the gateway that answers has seen it since it was started.',
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
      'Where hubs connect over MQTT, the likeliest address first; none where the broker listens on the server’s own machine alone.',
    access: right('device', 'Create'),
    input: z.object({}),
    results: z.object({
      Hosts: z.array(z.object({ Address: z.string(), Kind: z.enum(HOST_KINDS) })),
      Port: z.number().int(),
      Tls: z.boolean(),
      Reachable: z.enum(['all', 'thisComputer']),
    }),
    shows: [],
    why: 'Where hubs connect is decided when the gateway starts.',
    freshFor: 60_000,
  }),
}
