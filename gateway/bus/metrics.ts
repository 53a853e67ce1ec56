import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { TransportState, RequestFailure } from '../kernel/bus.ts'
import type { BusRefusal } from './seal.ts'

type Kind = 'news' | 'notice' | 'beat' | 'question'

export interface BusMetrics {
  recordSent(kind: Kind): void
  recordReceived(kind: Kind): void
  recordRejection(reason: BusRefusal): void
  recordGap(reason: 'cutOff' | 'silence' | 'missing'): void
  /** Starts measuring a request; the returned function records its outcome. */
  startRequest(): (outcome: RequestFailure | 'answered') => void
  /** Sets the source of the gauges, called on every scrape. */
  setSource(readFigures: () => BusFigures): void
}

export interface BusFigures {
  isUp: boolean
  /** Live gateways of the database, including this one, and those that have been silent for a while. */
  liveCount: number
  unreachableCount: number
  transportState: TransportState | undefined
}

/**
 * Metrics in a Prometheus registry: bus_up, bus_gaps_total, bus_messages_total, bus_ask_seconds, bus_refused_total, bus_pending_bytes,
 * bus_nodes, gateways.
 */
export function createBusMetrics(registry: Registry): BusMetrics {
  const registers = [registry]
  const messages = new Counter({
    name: 'bus_messages_total',
    help: 'Messages between gateways',
    labelNames: ['kind', 'way'],
    registers,
  })
  const refusals = new Counter({
    name: 'bus_refused_total',
    help: 'Messages between gateways that were dropped',
    labelNames: ['reason'],
    registers,
  })
  const gaps = new Counter({
    name: 'bus_gaps_total',
    help: 'Times in which news from other gateways may have been lost',
    labelNames: ['reason'],
    registers,
  })
  // Initialized to 0, so that rate functions see the first increase.
  for (const reason of ['cutOff', 'silence', 'missing']) gaps.inc({ reason }, 0)
  const seconds = new Histogram({
    name: 'bus_ask_seconds',
    help: 'Time until another gateway answered, or did not',
    labelNames: ['outcome'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
    registers,
  })
  let readFigures = (): BusFigures => ({
    isUp: false,
    liveCount: 1,
    unreachableCount: 0,
    transportState: undefined,
  })
  const gauge = (name: string, help: string, collect: (gauge: Gauge) => void, labelNames: string[] = []) => {
    const made: Gauge = new Gauge({ name, help, labelNames, registers, collect: () => collect(made) })
  }
  gauge('bus_up', 'Whether this gateway is on the bus', (up) => up.set(Number(readFigures().isUp)))
  gauge('bus_pending_bytes', 'Bytes that were published and that the bus has not yet confirmed', (pending) =>
    pending.set(readFigures().transportState?.pending ?? 0),
  )
  gauge(
    'gateways',
    'Gateways of this database: live ones, this one included, and those that gave no sign of life for ten seconds',
    (gateways) => {
      const { liveCount, unreachableCount } = readFigures()
      gateways.set({ state: 'live' }, liveCount)
      gateways.set({ state: 'away' }, unreachableCount)
    },
    ['state'],
  )
  gauge(
    'bus_nodes',
    'Nodes of BUS_URL: those it names, and those that this gateway reaches',
    (nodes) => {
      const known = readFigures().transportState?.nodes
      nodes.reset()
      if (!known) return
      nodes.set({ state: 'named' }, known.configured)
      nodes.set({ state: 'up' }, known.reachable)
    },
    ['state'],
  )
  return {
    recordSent: (kind) => messages.inc({ kind, way: 'out' }),
    recordReceived: (kind) => messages.inc({ kind, way: 'in' }),
    recordRejection: (reason) => refusals.inc({ reason }),
    recordGap: (reason) => gaps.inc({ reason }),
    startRequest() {
      const end = seconds.startTimer()
      return (outcome) => void end({ outcome })
    },
    setSource: (next) => void (readFigures = next),
  }
}
