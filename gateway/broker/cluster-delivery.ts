import { messageGap } from '../../contract/message-gap.ts'
import { channels } from '../../contract/index.ts'
import type { Bus, BusMessage, BusMessageType } from '../kernel/bus.ts'
import { ALL_HOMES } from '../bus/interests.ts'
import type { Log } from '../kernel/ports.ts'
import type { HubConnections } from './hub-connections.ts'
import type { Broker, BrokerHooks, Client, PublishOptions } from '../kernel/broker.ts'
import { familiesOf, matchTopic } from './topics.ts'

export interface ClusterDeliveryOptions {
  /** The local broker of this gateway. */
  here: Broker
  bus: Bus
  hubs: Pick<HubConnections, 'isHere' | 'whereIs'>
  me: () => string
  log: Log
}

/** Other gateways that may have subscribers of a message. */
type RemoteAudience = { news: BusMessageType } | { hub: string } | { hubs: true } | 'nowhere'

/**
 * Broker for the rest of the gateway: publishes to the subscribers of every gateway, as the contract's subscribers
 * require. A message received from another gateway is published locally only.
 */
export function createClusterDelivery(options: ClusterDeliveryOptions): Broker & {
  /** Publishes a message of another gateway locally. */
  hear(message: BusMessage): void
  /** Notifies the screens of this gateway that messages may be missing, or that the gap is over. */
  tellGap(gap: { since: number; over: boolean }): void
} {
  const { here, bus, log } = options
  /** Number of subscribed filters by company that has screens here. */
  const screenCounts = new Map<string, number>()

  const publishHere = (topic: string, payload: unknown, publish: PublishOptions) =>
    here.publish(topic, payload, publish)

  function countInterest(client: Client, filter: string, isInterested: boolean): Promise<void> | undefined {
    const key = interestOf(client, filter)
    if (!key) return undefined
    const total = (screenCounts.get(key.tenant) ?? 0) + (isInterested ? 1 : -1)
    if (total > 0) screenCounts.set(key.tenant, total)
    else screenCounts.delete(key.tenant)
    return bus.want(key, isInterested)
  }

  function publishGapTo(tenant: string, { since, over: isOver }: { since: number; over: boolean }): void {
    const topic = messageGap.topic({ rootId: tenant })
    publishHere(topic, { Since: since, Over: isOver }, { qos: 1 }).catch((err: unknown) =>
      log.warn({ err }, 'gap notice not published to screens'),
    )
  }

  return {
    ...here,
    start: (hooks: BrokerHooks) =>
      here.start({
        ...hooks,
        subscribing: (client, filter) => countInterest(client, filter, true),
        subscribed(client, filter) {
          hooks.subscribed?.(client, filter)
          const gap = bus.gap()
          if (gap && messageGap.match(filter)) publishGapTo(client.tenant, { since: gap.since, over: false })
        },
        unsubscribed(client, filter) {
          hooks.unsubscribed?.(client, filter)
          void countInterest(client, filter, false)
        },
      }),

    async publish(topic, payload, publish = {}) {
      const audience = publish.reach === 'here' ? 'nowhere' : remoteAudienceOf(topic, publish.tenant)
      if (audience !== 'nowhere')
        sendToOthers(options, audience, { Topic: topic, Payload: payload, Qos: publish.qos ?? 1 })
      await publishHere(topic, payload, publish)
    },

    heard(topic) {
      if (here.heard?.(topic) ?? true) return true
      const audience = remoteAudienceOf(topic, undefined)
      return typeof audience === 'object' && 'news' in audience && bus.wantedElsewhere(audience.news)
    },

    justHeard(topic) {
      const audience = remoteAudienceOf(topic, undefined)
      return typeof audience === 'object' && 'news' in audience && bus.justWanted(audience.news)
    },

    hear({ Topic, Payload, Qos }) {
      publishHere(Topic, Payload, { qos: Qos }).catch((err: unknown) =>
        log.warn({ err, topic: Topic }, 'message from another gateway lost'),
      )
    },

    tellGap(gap) {
      for (const tenant of screenCounts.keys()) publishGapTo(tenant, gap)
    },
  }
}

/** Sends a message to other gateways, without waiting for the result. */
function sendToOthers(
  { bus, hubs, me, log }: ClusterDeliveryOptions,
  audience: Exclude<RemoteAudience, 'nowhere'>,
  message: BusMessage,
): void {
  if ('news' in audience) return bus.news(audience.news, message)
  if ('hubs' in audience) return bus.tell({ toHubs: message })
  const { hub } = audience
  if (hubs.isHere(hub)) return
  hubs.whereIs(hub).then(
    (gateway) => {
      if (gateway !== undefined && gateway !== me()) bus.tell({ toHubs: message }, gateway)
    },
    (err: unknown) => log.warn({ err, thingName: hub }, 'hub connection lookup failed'),
  )
}

/** Other gateways that may have subscribers of a topic, by the contract. */
function remoteAudienceOf(topic: string, tenant: string | undefined): RemoteAudience {
  const match = matchTopic(topic)
  if (!match) return 'nowhere'
  const { subscribers } = channels[match.name] as { subscribers: readonly string[] }
  const { rootId, homeId, thingName } = match.values
  const company = rootId ?? tenant
  if (subscribers.includes('screen') && company !== undefined)
    return { news: { tenant: company, homeId: homeId ?? null } }
  if (!subscribers.includes('hub') && !subscribers.includes('scanner')) return 'nowhere'
  return thingName === undefined ? { hubs: true } : { hub: thingName }
}

/** Bus interest of a screen that subscribes to a filter; undefined for a hub, whose messages go to its gateway directly. */
function interestOf(client: Client, filter: string): BusMessageType | undefined {
  if (client.party !== 'screen') return undefined
  const { tenant } = client
  const parts = filter.split('/')
  const family = familiesOf(parts)[0]
  const index = family?.levels.findIndex(({ name }) => name === 'homeId') ?? -1
  const homeId = index < 0 ? undefined : parts[index]
  if (homeId === undefined) return { tenant, homeId: null }
  return { tenant, homeId: homeId === '+' ? ALL_HOMES : homeId }
}
