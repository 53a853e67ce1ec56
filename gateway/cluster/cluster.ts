import type { Registry as Metrics } from 'prom-client'
import type { Takeover } from '../broker/hub-connection-rows.ts'
import type { HubConnections } from '../broker/hub-connections.ts'
import type { Broker } from '../kernel/broker.ts'
import { createClusterDelivery } from '../broker/cluster-delivery.ts'
import { createBus } from '../bus/bus.ts'
import { createBusMetrics } from '../bus/metrics.ts'
import type { BusResponse, Bus, BusRequest, Transport } from '../kernel/bus.ts'
import type { Events } from '../kernel/events.ts'
import { deriveKey } from '../lib/seal.ts'
import type { Clock, Log } from '../kernel/ports.ts'
import { READINESS_WARNINGS, type ReadinessWarning } from '../../contract/kernel/readiness.ts'
import type { DatabaseFacts } from '../store/database-watch.ts'
import { startRebalancing, releaseHubsWithoutDatabase } from './release-hubs.ts'
import { UNREACHABLE_AFTER_MS, type Registry } from './registry.ts'

/** Gateway as a member of a cluster. */
export interface Cluster {
  bus: Bus
  /** Broker that reaches clients at every gateway. */
  broker: Broker
  /** Joins the cluster. `sendCommand` executes a command of another gateway. */
  start(
    events: Events,
    sendCommand: (command: BusRequest['carry']) => Promise<BusResponse['carried']> | undefined,
  ): Promise<void>
  tellTook(takeover: Takeover): void
  /** Called before this gateway releases its hubs for good. */
  leave(): void
  close(): Promise<void>
}

/** Part of every subject: separates gateways of different SECRETs. */
export const installationOf = (secret: string | Uint8Array): string =>
  deriveKey(secret, 'bus subjects').toString('hex', 0, 6)

/** Connects a gateway with the others of its database through a bus. */
export function joinCluster(
  {
    broker: localBroker,
    clock,
    log,
    config,
  }: { broker: Broker; clock: Clock; log: Log; config: { secret: string | Uint8Array } },
  transport: Transport,
  {
    registry,
    hubs,
    metrics: metricsRegistry,
  }: { registry: Registry; hubs: HubConnections; metrics: Metrics },
): Cluster {
  const metrics = createBusMetrics(metricsRegistry)
  const bus = createBus({
    transport,
    peers: { ...registry, me: registry.id, hubs: hubs.count },
    installation: installationOf(config.secret),
    key: deriveKey(config.secret, 'bus'),
    clock,
    log,
    metrics,
  })
  metrics.watch(() => {
    const others = registry.others()
    const live = 1 + others.filter(({ age }) => age < UNREACHABLE_AFTER_MS).length
    return { up: bus.isUp(), live, away: 1 + others.length - live, network: bus.network() }
  })
  const broker = createClusterDelivery({ here: localBroker, bus, hubs, me: registry.id, log })
  let unsubscribe = () => {}
  let hubRelease: { close(): void } | undefined
  let rebalancing: { close(): void } | undefined
  const stopBalancing = () => {
    hubRelease?.close()
    rebalancing?.close()
  }

  return {
    bus,
    broker,
    async start(events, sendCommand) {
      unsubscribe = publishChangedDevices(events, bus)
      await bus.start({
        question: async (asked) => ({ carried: (await sendCommand(asked.carry)) ?? 'notHere' }),
        news: broker.hear,
        gap: broker.tellGap,
        notice(notice) {
          if ('toHubs' in notice) broker.hear(notice.toHubs)
          else if ('took' in notice) {
            const { ThingName, No, Newer } = notice.took
            hubs.took({ thingName: ThingName, no: No, newer: Newer })
          } else if ('forget' in notice) events.emit('devicesForgotten', notice.forget)
        },
      })
      hubRelease = releaseHubsWithoutDatabase({ registry, bus, broker: localBroker, clock, log })
      rebalancing = startRebalancing({
        clock,
        here: hubs.count,
        // Without the database, other gateways may not be able to accept the released hubs either.
        elsewhere: () => (registry.reachesDatabase() ? bus.hubsElsewhere() : undefined),
        letGo: hubs.letGo,
      })
    },
    leave: stopBalancing,
    tellTook: ({ gateway, thingName, no, newer }) =>
      bus.tell({ took: { ThingName: thingName, No: no, Newer: newer } }, gateway),
    async close() {
      unsubscribe()
      stopBalancing()
      await bus.close()
    },
  }
}

/** Invalidates cached devices at the other gateways after changes here. */
const publishChangedDevices = (events: Events, bus: Bus): (() => void) =>
  events.on('dataChange', ({ tenant, name, record }) => {
    if (name === 'peripheral.add' || name === 'peripheral.update' || name === 'peripheral.remove')
      bus.tell({ forget: { tenant, uids: [record.PeripheralUID] } })
    else if (name === 'thing.remove' || name === 'home.remove') bus.tell({ forget: { tenant, uids: null } })
  })

/** Number of nodes from which NATS survives the loss of one. */
const MIN_NODES = 3

/** Redundancy that a clustered gateway lacks for the next failure; unknown facts cause no warning. */
export function readinessWarnings(
  others: ReturnType<Registry['others']>,
  nodes: NonNullable<ReturnType<Bus['network']>>['nodes'],
  database: Pick<DatabaseFacts, 'syncStandbys'> | undefined,
): ReadinessWarning[] {
  const isActive: Record<ReadinessWarning, boolean> = {
    noOtherGateway: others.every(({ age }) => age >= UNREACHABLE_AFTER_MS),
    fewBusNodes: nodes !== undefined && nodes.up < MIN_NODES,
    noSyncStandby: database?.syncStandbys === 0,
  }
  return READINESS_WARNINGS.filter((warning) => isActive[warning])
}
