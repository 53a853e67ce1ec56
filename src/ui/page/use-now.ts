import { useSyncExternalStore } from 'react'
import { gatewayNow } from '../../lib/gateway-clock.ts'

const TICK_MS = 15_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = gatewayNow()

/** Maximum age of the time without subscribers, in ms: everything rendered together gets the same time. */
const FRESH_MS = 250
function refresh() {
  const time = gatewayNow()
  if (Math.abs(time - now) > FRESH_MS) now = time
}

function tick() {
  now = gatewayNow()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (!timer) {
    refresh()
    timer = setInterval(tick, TICK_MS)
    // Browsers delay or suspend timers of hidden pages.
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
    timer = undefined
  }
}

/** The gateway's time in epoch ms, the same for the whole screen, updated every 15 s by one shared timer. */
export const clock = {
  get(): number {
    if (!timer) refresh()
    return now
  },
  subscribe,
}

export const useNow = (): number => useSyncExternalStore(clock.subscribe, clock.get)
