import type { Clock } from '../kernel/ports.ts'

const POLL_INTERVAL_MS = 1_000
/** A gateway with more than `above` times the mean number of hubs for `lasting` ms releases hubs down to `until` times the mean. */
const UNEVEN = { above: 1.3, lasting: 60_000, until: 1.1 }
/** Share of its surplus that it releases per poll. */
const SHARE = 0.01
/** Cooldown in ms after released hubs returned here, because they have no other gateway to connect to. */
const COOLDOWN_MS = 10 * 60_000

export interface RebalancingOptions {
  clock: Clock
  /** Number of hubs connected to this gateway. */
  here(): number
  /** Number at each of the others; undefined while unknown. */
  elsewhere(): readonly number[] | undefined
  /** Closes this number of connections. */
  letGo(count: number): void
}

/**
 * Balances hubs: a restarted gateway has none, because hubs keep their connections. Gateways far above the mean close a few connections
 * per second, whose hubs the load balancer assigns to the others.
 */
export function startRebalancing({ clock, here, elsewhere, letGo }: RebalancingOptions): { close(): void } {
  /** Time since which this gateway has too many hubs. */
  let since: number | undefined
  /** Surplus at the start of the ongoing release, and number of hubs released since. */
  let evening: { surplus: number; gone: number } | undefined
  let restsUntil = -Infinity

  function look(): void {
    const others = elsewhere()
    if (!others || others.length === 0) {
      since = evening = undefined
      return
    }
    const mine = here()
    const mean = others.reduce((sum, count) => sum + count, mine) / (others.length + 1)
    // Three hubs at two gateways are balanced: a difference of one is no surplus.
    const isOver = (times: number) => mine > Math.max(times * mean, Math.ceil(mean))
    if (evening) goOn(evening, mine - mean, isOver(UNEVEN.until))
    else if (!isOver(UNEVEN.above) || clock.now() < restsUntil) since = undefined
    else if (clock.now() - (since ??= clock.now()) >= UNEVEN.lasting)
      evening = { surplus: mine - mean, gone: 0 }
  }

  function goOn(now: { surplus: number; gone: number }, surplus: number, isOver: boolean): void {
    const isInVain = now.gone >= now.surplus
    if (isOver && !isInVain) {
      const count = Math.ceil(surplus * SHARE)
      now.gone += count
      return letGo(count)
    }
    since = evening = undefined
    if (isOver) restsUntil = clock.now() + COOLDOWN_MS
  }

  let cancel = clock.after(POLL_INTERVAL_MS, again)
  function again(): void {
    look()
    cancel = clock.after(POLL_INTERVAL_MS, again)
  }
  return { close: () => cancel() }
}
