/** A smaller difference is no wrong clock: the header names whole seconds and has travelled. In ms. */
const TOLERATED_MS = 30_000
/** What the header of a quick answer may be off, in ms. */
const TOLERATED_WHEN_EXACT_MS = 2_000

/** How far the gateway's clock is ahead of this device's, in ms, and whether that was told to the millisecond. */
let aheadMs = 0
let exact = false

/**
 * Learns the gateway's time from the Date of one of its answers. What was told to the millisecond stays until this device's
 * clock is set.
 *
 * askedAt  when the answer was asked for, by this device's clock; one that was long under way, e.g. while a laptop slept,
 *          says nothing of now
 */
export function updateGatewayClock(date: string | null, askedAt: number): void {
  const now = Date.now()
  const told = Date.parse(date ?? '')
  const underWay = Math.abs(now - askedAt)
  if (Number.isNaN(told) || underWay > TOLERATED_MS) return
  if (exact && Math.abs(told - now - aheadMs) <= underWay + TOLERATED_WHEN_EXACT_MS) return
  exact = false
  aheadMs = Math.abs(told - now) > TOLERATED_MS ? told - now : 0
}

/** Learns the gateway's time to the millisecond, as it was half-way between asking and now. */
export function syncGatewayClock(told: number, askedAt: number): void {
  const now = Date.now()
  aheadMs = told + Math.max(0, now - askedAt) / 2 - now
  exact = true
}

/** Epoch ms by the gateway's clock, which readings and credentials go by: that of the device may be wrong by days. */
export const gatewayNow = (): number => Math.round(Date.now() + aheadMs)
