import type { Clock } from '../kernel/ports.ts'

/** Between two looks, in ms. */
const POLL_INTERVAL_MS = 1_000
/** A gateway with so many times the mean of all, for so many ms, lets hubs go until it has no more than `until` times the mean. */
const UNEVEN = { above: 1.3, lasting: 60_000, until: 1.1 }
/** The part of its surplus that it lets go with each look. */
const SHARE = 0.01
/** Hubs that all come back here have nowhere else to go: they are left alone for so long, in ms. */
const COOLDOWN_MS = 10 * 60_000

export interface RebalancingOptions {
  clock: Clock
  /** How many hubs are connected to this gateway. */
  here(): number
  /** … and to each of the others; undefined while that is not known. */
  elsewhere(): readonly number[] | undefined
  /** Ends so many connections. */
  letGo(count: number): void
}

/**
 * Spreads hubs evenly: a gateway that has come back has none, because hubs stay where they are. Those with many more than the mean
 * end a few connections a second, whose hubs the load balancer brings to the others.
 */
export function startRebalancing({ clock, here, elsewhere, letGo }: RebalancingOptions): { close(): void } {
  /** Since when this gateway has too many. */
  let since: number | undefined
  /** What was too much when this gateway began to let go, and how many it has let go since. */
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
    // Three hubs at two gateways are even: one more than the other is nobody's surplus.
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
