/** A smaller difference is no wrong clock: the header names whole seconds and has travelled. In ms. */
const TOLERATED_MS = 30_000

/** How far the gateway's clock is ahead of this device's, in ms. */
let ahead = 0

/**
 * Learns the gateway's time from the Date of one of its answers.
 *
 * askedAt  when the answer was asked for, by this device's clock; one that was long under way, e.g. while a laptop slept,
 *          says nothing of now
 */
export function hearGatewayTime(date: string | null, askedAt: number): void {
  const now = Date.now()
  const told = Date.parse(date ?? '')
  if (Number.isNaN(told) || Math.abs(now - askedAt) > TOLERATED_MS) return
  ahead = Math.abs(told - now) > TOLERATED_MS ? told - now : 0
}

/** Epoch ms by the gateway's clock, which readings and credentials go by: that of the device may be wrong by days. */
export const gatewayNow = (): number => Date.now() + ahead
