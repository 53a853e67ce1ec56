import type { Deps, Feature } from '../../kernel/deps.ts'
import { allowExternalOnly } from '../../lib/allowed-addresses.ts'
import type { Notify } from '../../domain/notifications/notification-transport.ts'
import { createSealer } from '../../lib/sealer.ts'
import { createAdapters } from './adapters.ts'
import { notificationChannelHandlers } from './notification-channel.ts'
import { createWebhookClient } from './webhook-client.ts'
import { testChannel } from './test-channel.ts'
import { createChannelTransport } from './transport.ts'

/** A company's own ways out for what it is told: LINE, Teams, webhooks. */
export function notificationChannels(deps: Deps, { tell }: { tell: Notify }) {
  const { config } = deps
  const sealer = createSealer(config.secret, 'notification channels')
  const outside = createWebhookClient(allowExternalOnly(config.webhookNetworks ?? ''))
  const adapters = createAdapters(config.lineApi ?? 'https://api.line.me')
  const parts = { ...deps, sealer, outside, adapters, publicUrl: config.publicUrl, tell }
  const feature = {
    handlers: {
      notificationChannel: { ...notificationChannelHandlers(sealer, outside), test: testChannel(parts) },
    },
  } satisfies Feature
  return { ...feature, way: createChannelTransport(parts) }
}
