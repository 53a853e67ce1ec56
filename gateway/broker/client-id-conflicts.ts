import { Counter, type Registry as Metrics } from 'prom-client'
import type { Clock } from '../kernel/ports.ts'

/** `times` takeovers of one client id within `within` ms mean that two devices share it; new connections then wait `wait` ms. */
const CONFLICT = { times: 5, within: 10_000, wait: 5_000 }
/** Maximum number of clients with recorded takeovers. */
const MAX_CLIENTS = 10_000

/**
 * Two devices with one client id end each other's connections without limit. This delays the CONNACK of such clients,
 * which bounds the load and lets each device send for a while.
 */
export function createClientIdConflicts({ clock, metrics }: { clock: Pick<Clock, 'now'>; metrics: Metrics }) {
  /** Times of the last takeovers by client, epoch ms. */
  const takeovers = new Map<string, number[]>()
  const slowed = new Counter({
    name: 'hub_contests_total',
    help: 'Connections that waited because two devices take turns with one client id',
    registers: [metrics],
  })
  const recentTakeovers = (client: string): number[] =>
    (takeovers.get(client) ?? []).filter((at) => clock.now() - at < CONFLICT.within)

  return {
    /** Records that a newer connection with the same client id ended a connection. */
    taken(client: string): void {
      const times = [...recentTakeovers(client), clock.now()].slice(-CONFLICT.times)
      if (takeovers.size >= MAX_CLIENTS) takeovers.clear()
      takeovers.set(client, times)
    },
    /** Delay of a new connection's CONNACK, in ms; 0 without a conflict. */
    waitOf(client: string): number {
      const times = recentTakeovers(client)
      if (times.length === 0) takeovers.delete(client)
      if (times.length < CONFLICT.times) return 0
      slowed.inc()
      return CONFLICT.wait
    },
  }
}

export type ClientIdConflicts = ReturnType<typeof createClientIdConflicts>
