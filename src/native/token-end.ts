import { claimsOf } from '../data/tokens/stored-tokens.ts'
import { gatewayNow } from '../lib/gateway-clock.ts'

/** §9: tokens are renewed when this much remains, in ms. */
const RENEW_BEFORE_MS = 300_000
/** However soon tokens end, new ones are not asked for more often than this. */
const AT_THE_SOONEST_MS = 10_000
/** Timers cannot wait longer, in ms. */
const AT_THE_LATEST_MS = 2 ** 31 - 1

let timer: ReturnType<typeof setTimeout> | undefined
let tell: (() => void) | undefined

/** Tells when a token that the application handed over ends soon. Returns how to stop. */
export function onTokenExpiring(listener: () => void): () => void {
  tell = listener
  return () => {
    tell = undefined
    clearTimeout(timer)
  }
}

/** Waits for the end of this token instead of that of an earlier one; one that does not say when it ends has none. */
export function watchToken(token: string): void {
  clearTimeout(timer)
  const end = Number(claimsOf(token)['exp']) * 1000
  if (!end) return
  const wait = Math.max(AT_THE_SOONEST_MS, end - gatewayNow() - RENEW_BEFORE_MS)
  timer = setTimeout(() => tell?.(), Math.min(AT_THE_LATEST_MS, wait))
}

/** Nobody is signed in any more. */
export const clearTokenTimer = (): void => clearTimeout(timer)
