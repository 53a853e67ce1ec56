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
import { UNREACHABLE_AFTER_MS, type Registry } from './registry.ts'

const CHECK_INTERVAL_MS = 1_000
/** Time for which the others must have the database and this gateway not, before it releases its hubs, in ms: longer than a fail-over. */
const RELEASE_AFTER_MS = 10_000

interface ReleaseHubsOptions {
  registry: Pick<Registry, 'reachesDatabase'>
  bus: Pick<Bus, 'othersReachDatabase'>
  broker: Pick<Broker, 'drain' | 'acceptHubs'>
  clock: Clock
  log: Pick<Log, 'warn' | 'info'>
}

/**
 * Releases the hubs of a gateway that has lost the database while others have it, so that their messages are stored immediately. The hub
 * port stays closed until this gateway has the database again, or the others have lost it too.
 */
export function releaseHubsWithoutDatabase(options: ReleaseHubsOptions): { close(): void } {
  const { registry, bus, broker, clock, log } = options
  let isReleased = false
  let isAccepting = false
  /** Time since which the hubs should be elsewhere, or back here. */
  let since: number | undefined
  let cancel = () => {}
  let isClosed = false

  async function acceptHubs(): Promise<void> {
    isAccepting = true
    try {
      await broker.acceptHubs?.()
      isReleased = false
      log.info({}, 'accepting hubs again')
    } catch (err) {
      log.warn({ err }, 'hubs not accepted yet, will retry')
    } finally {
      isAccepting = false
    }
  }

  function check(): void {
    const hasDatabase = registry.reachesDatabase()
    const isReachedElsewhere = !hasDatabase && bus.othersReachDatabase()
    if (isReachedElsewhere === isReleased || isAccepting) since = undefined
    else {
      since ??= clock.now()
      const isConfirmed = hasDatabase || clock.now() - since >= RELEASE_AFTER_MS
      if (isConfirmed) since = undefined
      if (isConfirmed && isReleased) void acceptHubs()
      else if (isConfirmed && isReachedElsewhere) {
        isReleased = true
        log.warn({}, 'database unreachable here but not elsewhere, disconnecting hubs')
        broker.drain?.().catch((err: unknown) => log.warn({ err }, 'hubs not disconnected'))
      }
    }
    scheduleCheck()
  }
  const scheduleCheck = () => {
    if (!isClosed) cancel = clock.after(CHECK_INTERVAL_MS, check)
  }
  scheduleCheck()

  return {
    close() {
      isClosed = true
      cancel()
    },
  }
}

const POLL_INTERVAL_MS = 1_000
/** A gateway with more than `startAbove` times the mean number of hubs for `lastingMs` ms releases hubs down to `stopBelow` times the mean. */
const UNEVEN = { startAbove: 1.3, lastingMs: 60_000, stopBelow: 1.1 }
/** Share of its surplus that it releases per poll. */
const RELEASED_SHARE = 0.01
/** Cooldown in ms after released hubs returned here, because they have no other gateway to connect to. */
const COOLDOWN_MS = 10 * 60_000

interface RebalancingOptions {
  clock: Clock
  /** Number of hubs connected to this gateway. */
  countLocal(): number
  /** Number at each of the others; undefined while unknown. */
  readRemoteCounts(): readonly number[] | undefined
  /** Closes this number of connections. */
  release(count: number): void
}

/**
 * Balances hubs: a restarted gateway has none, because hubs keep their connections. Gateways far above the mean close a few connections
 * per second, whose hubs the load balancer assigns to the others.
 */
export function startRebalancing({ clock, countLocal, readRemoteCounts, release }: RebalancingOptions): {
  close(): void
} {
  /** Time since which this gateway has too many hubs. */
  let overloadedSince: number | undefined
  /** Surplus at the start of the ongoing release, and number of hubs released since. */
  let rebalancing: { surplus: number; released: number } | undefined
  let pausedUntil = -Infinity

  function check(): void {
    const others = readRemoteCounts()
    if (!others || others.length === 0) {
      overloadedSince = rebalancing = undefined
      return
    }
    const local = countLocal()
    const mean = others.reduce((sum, count) => sum + count, local) / (others.length + 1)
    // Three hubs at two gateways are balanced: a difference of one is no surplus.
    const exceeds = (times: number) => local > Math.max(times * mean, Math.ceil(mean))
    if (rebalancing) continueRebalancing(rebalancing, local - mean, exceeds(UNEVEN.stopBelow))
    else if (!exceeds(UNEVEN.startAbove) || clock.now() < pausedUntil) overloadedSince = undefined
    else if (clock.now() - (overloadedSince ??= clock.now()) >= UNEVEN.lastingMs)
      rebalancing = { surplus: local - mean, released: 0 }
  }

  function continueRebalancing(
    run: { surplus: number; released: number },
    surplus: number,
    isOver: boolean,
  ): void {
    const isInVain = run.released >= run.surplus
    if (isOver && !isInVain) {
      const count = Math.ceil(surplus * RELEASED_SHARE)
      run.released += count
      return release(count)
    }
    overloadedSince = rebalancing = undefined
    if (isOver) pausedUntil = clock.now() + COOLDOWN_MS
  }

  let cancel = clock.after(POLL_INTERVAL_MS, checkAndReschedule)
  function checkAndReschedule(): void {
    check()
    cancel = clock.after(POLL_INTERVAL_MS, checkAndReschedule)
  }
  return { close: () => cancel() }
}

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
  notifyTakeover(takeover: Takeover): void
  /** Called before this gateway releases its hubs for good. */
  stopBalancing(): void
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
    peers: { ...registry, readOwnId: registry.id, countHubs: hubs.count },
    installation: installationOf(config.secret),
    key: deriveKey(config.secret, 'bus'),
    clock,
    log,
    metrics,
  })
  metrics.setSource(() => {
    const others = registry.others()
    const live = 1 + others.filter(({ age }) => age < UNREACHABLE_AFTER_MS).length
    return {
      isUp: bus.isUp(),
      liveCount: live,
      unreachableCount: 1 + others.length - live,
      transportState: bus.transportState(),
    }
  })
  const broker = createClusterDelivery({ localBroker, bus, hubs, readGatewayId: registry.id, log })
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
        onRequest: async (request) => ({ carried: (await sendCommand(request.carry)) ?? 'notHere' }),
        onMessage: broker.publishLocally,
        onGap: broker.publishGap,
        onNotice(notice) {
          if ('toHubs' in notice) broker.publishLocally(notice.toHubs)
          else if ('took' in notice) {
            const { ThingName, No, Newer } = notice.took
            hubs.handleTakeover({ thingName: ThingName, rowNo: No, newerRowNo: Newer })
          } else if ('forget' in notice) events.emit('devicesForgotten', notice.forget)
        },
      })
      hubRelease = releaseHubsWithoutDatabase({ registry, bus, broker: localBroker, clock, log })
      rebalancing = startRebalancing({
        clock,
        countLocal: hubs.count,
        // Without the database, other gateways may not be able to accept the released hubs either.
        readRemoteCounts: () => (registry.reachesDatabase() ? bus.remoteHubCounts() : undefined),
        release: hubs.release,
      })
    },
    stopBalancing,
    notifyTakeover: ({ gateway, thingName, rowNo, newerRowNo }) =>
      bus.sendNotice({ took: { ThingName: thingName, No: rowNo, Newer: newerRowNo } }, gateway),
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
      bus.sendNotice({ forget: { tenant, uids: [record.PeripheralUID] } })
    else if (name === 'thing.remove' || name === 'home.remove')
      bus.sendNotice({ forget: { tenant, uids: null } })
  })

/** Number of nodes from which NATS survives the loss of one. */
const MIN_NODES = 3

/** Redundancy that a clustered gateway lacks for the next failure; unknown facts cause no warning. */
export function readinessWarnings(
  others: ReturnType<Registry['others']>,
  nodes: NonNullable<ReturnType<Bus['transportState']>>['nodes'],
  database: Pick<DatabaseFacts, 'syncStandbys'> | undefined,
): ReadinessWarning[] {
  const isActive: Record<ReadinessWarning, boolean> = {
    noOtherGateway: others.every(({ age }) => age >= UNREACHABLE_AFTER_MS),
    fewBusNodes: nodes !== undefined && nodes.reachable < MIN_NODES,
    noSyncStandby: database?.syncStandbys === 0,
  }
  return READINESS_WARNINGS.filter((warning) => isActive[warning])
}
