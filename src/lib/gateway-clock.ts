/** Clock difference that is ignored, in ms: the Date header has whole seconds, and the response takes time. */
const TOLERATED_MS = 30_000
/** Tolerance of the Date header, in ms, if the difference is known to the millisecond. */
const TOLERATED_WHEN_EXACT_MS = 2_000

/** Offset of the gateway's clock from this device's, in ms, and whether it is known to the millisecond. */
let aheadMs = 0
let exact = false

/**
 * Updates the gateway's time from the Date header of a response. An offset that is known to the millisecond is kept until this device's
 * clock is changed.
 *
 * requestedAtMs  time of the request by this device's clock; slow responses, e.g. while a laptop slept, are ignored
 */
export function updateGatewayClock(date: string | null, requestedAtMs: number): void {
  const now = Date.now()
  const gatewayTimeMs = Date.parse(date ?? '')
  const elapsedMs = Math.abs(now - requestedAtMs)
  if (Number.isNaN(gatewayTimeMs) || elapsedMs > TOLERATED_MS) return
  if (exact && Math.abs(gatewayTimeMs - now - aheadMs) <= elapsedMs + TOLERATED_WHEN_EXACT_MS) return
  exact = false
  aheadMs = Math.abs(gatewayTimeMs - now) > TOLERATED_MS ? gatewayTimeMs - now : 0
}

/** Sets the gateway's time to the millisecond, as of halfway between the request and now. */
export function syncGatewayClock(gatewayTimeMs: number, requestedAtMs: number): void {
  const now = Date.now()
  aheadMs = gatewayTimeMs + Math.max(0, now - requestedAtMs) / 2 - now
  exact = true
}

/** Epoch ms by the gateway's clock, which applies to readings and credentials: the device's clock may be wrong by days. */
export const gatewayNow = (): number => Math.round(Date.now() + aheadMs)
