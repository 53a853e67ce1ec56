import { claimsOf } from '../data/stored-tokens.ts'
import { gatewayNow } from '../lib/gateway-clock.ts'

/** Remaining lifetime at which tokens are renewed, in ms (§9). */
const RENEW_BEFORE_MS = 300_000
/** Minimum interval between requests for new tokens, in ms. */
const AT_THE_SOONEST_MS = 10_000
/** Maximum delay of a browser timer, in ms. */
const AT_THE_LATEST_MS = 2 ** 31 - 1

let timer: ReturnType<typeof setTimeout> | undefined
let onExpiring: (() => void) | undefined

/** Calls the listener before a token from the application expires. Returns a function that stops this. */
export function onTokenExpiring(listener: () => void): () => void {
  onExpiring = listener
  return () => {
    onExpiring = undefined
    clearTimeout(timer)
  }
}

/** Starts the timer of this token instead of the previous one; a token without an expiry has none. */
export function watchToken(token: string): void {
  clearTimeout(timer)
  const end = Number(claimsOf(token)['exp']) * 1000
  if (!end) return
  const wait = Math.max(AT_THE_SOONEST_MS, end - gatewayNow() - RENEW_BEFORE_MS)
  timer = setTimeout(() => onExpiring?.(), Math.min(AT_THE_LATEST_MS, wait))
}

/** Stops the timer after sign-out. */
export const clearTokenTimer = (): void => clearTimeout(timer)
