import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { Millis } from '../kernel/scalars.ts'
import { ThingKey } from '../devices/thing.ts'
import { SetupLine } from './steps.ts'

/**
 * Why an address is offered: `set` by whoever runs the gateway, `page` is the one that the dashboard is opened at, `lan` one of the
 * machine's private addresses, `container` one that only other containers of that machine reach.
 */
export const HOST_KINDS = ['set', 'page', 'lan', 'container'] as const

/**
 * Why a hub was last turned away: its secret was wrong, or it sent to topics of another site or company, or to ones that mean nothing
 * here, or its message was not JSON or had too many levels or values.
 */
export const HUB_REJECTION_REASONS = ['wrongPassword', 'otherHome', 'unknownTopic', 'malformed'] as const

/** What somebody needs who begins: how far they are, and where hubs connect. */
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
      /** When this gateway was started: nothing before is known. */
      Since: Millis,
      Address: z.string().nullable(),
      /** The last one since it was last heard; null where it was not turned away. */
      Refused: z
        .object({
          Reason: z.enum(HUB_REJECTION_REASONS),
          /** How often one after the other, at most 99. */
          Count: z.number().int(),
          /** From which address, as far as the broker says it. */
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
