import { Counter, type Registry as Metrics } from 'prom-client'
import type { Clock } from '../kernel/ports.ts'

/** A client that was taken over so often within so many ms is two devices with one name; each then waits so many ms. */
const CONTEST = { times: 5, within: 10_000, wait: 5_000 }
/** Clients that are remembered at most. */
const MOST = 10_000

/**
 * Two devices with one client id end each other's connections without limit. Whoever comes meanwhile waits for its welcome, so that they
 * cost little and each of them is heard for a while.
 */
export function createClientIdConflicts({ clock, metrics }: { clock: Pick<Clock, 'now'>; metrics: Metrics }) {
  /** When the last connections of a client were taken over, epoch ms. */
  const takeovers = new Map<string, number[]>()
  const slowed = new Counter({
    name: 'hub_contests_total',
    help: 'Connections that waited because two devices take turns with one client id',
    registers: [metrics],
  })
  const lately = (client: string): number[] =>
    (takeovers.get(client) ?? []).filter((at) => clock.now() - at < CONTEST.within)

  return {
    /** A connection of this client ends because the client has a newer one. */
    taken(client: string): void {
      const times = [...lately(client), clock.now()].slice(-CONTEST.times)
      if (takeovers.size >= MOST) takeovers.clear()
      takeovers.set(client, times)
    },
    /** How long a new connection of this client is to wait, in ms. */
    waitOf(client: string): number {
      const times = lately(client)
      if (times.length === 0) takeovers.delete(client)
      if (times.length < CONTEST.times) return 0
      slowed.inc()
      return CONTEST.wait
    },
  }
}

export type ClientIdConflicts = ReturnType<typeof createClientIdConflicts>
