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
type Elsewhere = { news: BusMessageType } | { hub: string } | { hubs: true } | 'nowhere'

/**
 * Broker for the rest of the gateway: publishes to the subscribers of every gateway, as the contract's subscribers
 * require. A message received from another gateway is published locally only.
 */
export function createClusterDelivery(options: ClusterDeliveryOptions): Broker & {
  /** Publishes a message of another gateway locally. */
  hear(news: BusMessage): void
  /** Notifies the screens of this gateway that messages may be missing, or that the gap is over. */
  tellGap(gap: { since: number; over: boolean }): void
} {
  const { here, bus, log } = options
  /** Number of subscribed filters by company that has screens here. */
  const companies = new Map<string, number>()

  const sendHere = (topic: string, payload: unknown, publish: PublishOptions) =>
    here.publish(topic, payload, publish)

  function count(client: Client, filter: string, on: boolean): Promise<void> | undefined {
    const key = wantOf(client, filter)
    if (!key) return undefined
    const now = (companies.get(key.tenant) ?? 0) + (on ? 1 : -1)
    if (now > 0) companies.set(key.tenant, now)
    else companies.delete(key.tenant)
    return bus.want(key, on)
  }

  function gapNews(tenant: string, { since, over }: { since: number; over: boolean }): void {
    const topic = messageGap.topic({ rootId: tenant })
    sendHere(topic, { Since: since, Over: over }, { qos: 1 }).catch((err: unknown) =>
      log.warn({ err }, 'gap notice not published to screens'),
    )
  }

  return {
    ...here,
    start: (hooks: BrokerHooks) =>
      here.start({
        ...hooks,
        subscribing: (client, filter) => count(client, filter, true),
        subscribed(client, filter) {
          hooks.subscribed?.(client, filter)
          const gap = bus.gap()
          if (gap && messageGap.match(filter)) gapNews(client.tenant, { since: gap.since, over: false })
        },
        unsubscribed(client, filter) {
          hooks.unsubscribed?.(client, filter)
          void count(client, filter, false)
        },
      }),

    async publish(topic, payload, publish = {}) {
      const elsewhere = publish.reach === 'here' ? 'nowhere' : reachOf(topic, publish.tenant)
      if (elsewhere !== 'nowhere')
        sendAway(options, elsewhere, { Topic: topic, Payload: payload, Qos: publish.qos ?? 1 })
      await sendHere(topic, payload, publish)
    },

    heard(topic) {
      if (here.heard?.(topic) ?? true) return true
      const elsewhere = reachOf(topic, undefined)
      return typeof elsewhere === 'object' && 'news' in elsewhere && bus.wantedElsewhere(elsewhere.news)
    },

    justHeard(topic) {
      const elsewhere = reachOf(topic, undefined)
      return typeof elsewhere === 'object' && 'news' in elsewhere && bus.justWanted(elsewhere.news)
    },

    hear({ Topic, Payload, Qos }) {
      sendHere(Topic, Payload, { qos: Qos }).catch((err: unknown) =>
        log.warn({ err, topic: Topic }, 'message from another gateway lost'),
      )
    },

    tellGap(gap) {
      for (const tenant of companies.keys()) gapNews(tenant, gap)
    },
  }
}

/** Sends a message to other gateways, without waiting for the result. */
function sendAway(
  { bus, hubs, me, log }: ClusterDeliveryOptions,
  elsewhere: Exclude<Elsewhere, 'nowhere'>,
  news: BusMessage,
): void {
  if ('news' in elsewhere) return bus.news(elsewhere.news, news)
  if ('hubs' in elsewhere) return bus.tell({ toHubs: news })
  const { hub } = elsewhere
  if (hubs.isHere(hub)) return
  hubs.whereIs(hub).then(
    (gateway) => {
      if (gateway !== undefined && gateway !== me()) bus.tell({ toHubs: news }, gateway)
    },
    (err: unknown) => log.warn({ err, thingName: hub }, 'hub connection lookup failed'),
  )
}

/** Other gateways that may have subscribers of a topic, by the contract. */
function reachOf(topic: string, tenant: string | undefined): Elsewhere {
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
function wantOf(client: Client, filter: string): BusMessageType | undefined {
  if (client.party !== 'screen') return undefined
  const { tenant } = client
  const parts = filter.split('/')
  const family = familiesOf(parts)[0]
  const at = family?.levels.findIndex(({ name }) => name === 'homeId') ?? -1
  const homeId = at < 0 ? undefined : parts[at]
  if (homeId === undefined) return { tenant, homeId: null }
  return { tenant, homeId: homeId === '+' ? ALL_HOMES : homeId }
}
