import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock, Log } from '../kernel/ports.ts'
import type { ConnectRefusal } from '../kernel/broker.ts'

/** Reason for which a connection or message was refused or throttled. */
export type BrokerRefusal =
  | ConnectRefusal
  | 'credentials'
  | 'address-limit'
  | 'connection-limit'
  | 'protocol'
  | 'packet-size'
  | 'retain'
  | 'rate'
  | 'overload'
  | 'slow-reader'
  | 'subscriptions'
  | 'failed'

/** Metrics of the broker. */
export interface BrokerMetrics {
  recordRejection(reason: BrokerRefusal): void
  /** Registers a callback that is called at every scrape. */
  setSource(readCounts: () => { connections: number; held: number }): void
}

/** Metrics in a Prometheus registry: broker_refusals_total{reason}, broker_connections, broker_held_messages. */
export function createBrokerMetrics(registry: Registry): BrokerMetrics {
  const refusals = new Counter({
    name: 'broker_refusals_total',
    help: 'Connections, publishes and subscriptions refused, and publishes slowed by the rate limit',
    labelNames: ['reason'],
    registers: [registry],
  })
  let readCounts = () => ({ connections: 0, held: 0 })
  const gauge = (name: string, help: string, key: 'connections' | 'held') =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(readCounts()[key])
      },
    })
  gauge('broker_connections', 'Hubs and screens connected', 'connections')
  gauge('broker_held_messages', 'Messages received and not yet stored', 'held')
  return {
    recordRejection: (reason) => refusals.inc({ reason }),
    setSource: (next) => {
      readCounts = next
    },
  }
}

const LOG_INTERVAL_MS = 10_000

/** Counts every refusal and logs at most one per reason every ten seconds, with the number of suppressed ones. */
export function createRejections({
  metrics,
  log,
  clock,
}: {
  metrics: BrokerMetrics
  log: Log
  clock: Clock
}) {
  const lastLogged = new Map<BrokerRefusal, { at: number; suppressed: number }>()
  return (reason: BrokerRefusal, fields: Record<string, unknown> = {}): void => {
    metrics.recordRejection(reason)
    const now = clock.now()
    const entry = lastLogged.get(reason)
    // A clock that was set back suppresses no log lines.
    if (entry && now >= entry.at && now - entry.at < LOG_INTERVAL_MS) {
      entry.suppressed++
      return
    }
    log.warn({ reason, ...fields, unsaid: entry?.suppressed ?? 0 }, 'broker refused client')
    lastLogged.set(reason, { at: now, suppressed: 0 })
  }
}

export type RejectConnection = ReturnType<typeof createRejections>
