import { Counter, type Registry as Metrics } from 'prom-client'
import type { Clock } from '../kernel/ports.ts'

/** `count` takeovers of one client id within `withinMs` ms mean that two devices share it; new connections then wait `delayMs` ms. */
const CONFLICT = { count: 5, withinMs: 10_000, delayMs: 5_000 }
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
    (takeovers.get(client) ?? []).filter((at) => clock.now() - at < CONFLICT.withinMs)

  return {
    /** Records that a newer connection with the same client id ended a connection. */
    recordTakeover(client: string): void {
      const takeoverTimes = [...recentTakeovers(client), clock.now()].slice(-CONFLICT.count)
      if (takeovers.size >= MAX_CLIENTS) takeovers.clear()
      takeovers.set(client, takeoverTimes)
    },
    /** Delay of a new connection's CONNACK, in ms; 0 without a conflict. */
    delayOf(client: string): number {
      const takeoverTimes = recentTakeovers(client)
      if (takeoverTimes.length === 0) takeovers.delete(client)
      if (takeoverTimes.length < CONFLICT.count) return 0
      slowed.inc()
      return CONFLICT.delayMs
    },
  }
}

export type ClientIdConflicts = ReturnType<typeof createClientIdConflicts>
