import { z } from 'zod'
import { right } from '../../features.ts'
import { defineEndpoint } from '../../kernel/define-endpoint.ts'
import { SetupLine } from './steps.ts'

/**
 * Why an address is offered: `set` by whoever runs the gateway, `page` is the one that the dashboard is opened at, `lan` one of the
 * machine's private addresses, `container` one that only other containers of that machine reach.
 */
export const HOST_KINDS = ['set', 'page', 'lan', 'container'] as const

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
