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
  localBroker: Broker
  bus: Bus
  hubs: Pick<HubConnections, 'isHere' | 'findGateway'>
  readGatewayId: () => string
  log: Log
}

/** Other gateways that may have subscribers of a message. */
type RemoteAudience = { interest: BusMessageType } | { hub: string } | { hubs: true } | 'nowhere'

/**
 * Broker for the rest of the gateway: publishes to the subscribers of every gateway, as the contract's subscribers
 * require. A message received from another gateway is published locally only.
 */
export function createClusterDelivery(options: ClusterDeliveryOptions): Broker & {
  /** Publishes a message of another gateway locally. */
  publishLocally(message: BusMessage): void
  /** Notifies the screens of this gateway that messages may be missing, or that the gap is over. */
  publishGap(gap: { since: number; isOver: boolean }): void
} {
  const { localBroker, bus, log } = options
  /** Number of subscribed filters by company that has screens here. */
  const screenCounts = new Map<string, number>()

  const publishHere = (topic: string, payload: unknown, publish: PublishOptions) =>
    localBroker.publish(topic, payload, publish)

  function countInterest(client: Client, filter: string, isInterested: boolean): Promise<void> | undefined {
    const key = interestOf(client, filter)
    if (!key) return undefined
    const total = (screenCounts.get(key.tenant) ?? 0) + (isInterested ? 1 : -1)
    if (total > 0) screenCounts.set(key.tenant, total)
    else screenCounts.delete(key.tenant)
    return bus.setInterest(key, isInterested)
  }

  function publishGapTo(tenant: string, { since, isOver }: { since: number; isOver: boolean }): void {
    const topic = messageGap.topic({ rootId: tenant })
    publishHere(topic, { Since: since, Over: isOver }, { qos: 1 }).catch((err: unknown) =>
      log.warn({ err }, 'gap notice not published to screens'),
    )
  }

  return {
    ...localBroker,
    start: (hooks: BrokerHooks) =>
      localBroker.start({
        ...hooks,
        beforeSubscribe: (client, filter) => countInterest(client, filter, true),
        onSubscribed(client, filter) {
          hooks.onSubscribed?.(client, filter)
          const gap = bus.currentGap()
          if (gap && messageGap.match(filter))
            publishGapTo(client.tenant, { since: gap.since, isOver: false })
        },
        onUnsubscribed(client, filter) {
          hooks.onUnsubscribed?.(client, filter)
          void countInterest(client, filter, false)
        },
      }),

    async publish(topic, payload, publish = {}) {
      const audience = publish.scope === 'local' ? 'nowhere' : remoteAudienceOf(topic, publish.tenant)
      if (audience !== 'nowhere')
        sendToOthers(options, audience, { Topic: topic, Payload: payload, Qos: publish.qos ?? 1 })
      await publishHere(topic, payload, publish)
    },

    hasSubscribers(topic) {
      if (localBroker.hasSubscribers?.(topic) ?? true) return true
      const audience = remoteAudienceOf(topic, undefined)
      return (
        typeof audience === 'object' && 'interest' in audience && bus.isWantedElsewhere(audience.interest)
      )
    },

    hasRecentSubscriber(topic) {
      const audience = remoteAudienceOf(topic, undefined)
      return typeof audience === 'object' && 'interest' in audience && bus.isNewInterest(audience.interest)
    },

    publishLocally({ Topic, Payload, Qos }) {
      publishHere(Topic, Payload, { qos: Qos }).catch((err: unknown) =>
        log.warn({ err, topic: Topic }, 'message from another gateway lost'),
      )
    },

    publishGap(gap) {
      for (const tenant of screenCounts.keys()) publishGapTo(tenant, gap)
    },
  }
}

/** Sends a message to other gateways, without waiting for the result. */
function sendToOthers(
  { bus, hubs, readGatewayId, log }: ClusterDeliveryOptions,
  audience: Exclude<RemoteAudience, 'nowhere'>,
  message: BusMessage,
): void {
  if ('interest' in audience) return bus.publish(audience.interest, message)
  if ('hubs' in audience) return bus.sendNotice({ toHubs: message })
  const { hub } = audience
  if (hubs.isHere(hub)) return
  hubs.findGateway(hub).then(
    (gateway) => {
      if (gateway !== undefined && gateway !== readGatewayId()) bus.sendNotice({ toHubs: message }, gateway)
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
    return { interest: { tenant: company, homeId: homeId ?? null } }
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
