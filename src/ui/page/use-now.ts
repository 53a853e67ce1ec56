import { useSyncExternalStore } from 'react'
import { gatewayNow } from '../../lib/gateway-clock.ts'

const TICK_MS = 15_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = gatewayNow()

/** While nobody is told of the time, whoever asks finds it no older than this: all that is drawn together finds the same. In ms. */
const FRESH_MS = 250
function refresh() {
  const time = gatewayNow()
  if (Math.abs(time - now) > FRESH_MS) now = time
}

function tick() {
  now = gatewayNow()
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (!timer) {
    refresh()
    timer = setInterval(tick, TICK_MS)
    // Timers of a page that nobody looks at come late, or not at all.
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

/** The gateway's time in epoch ms, the same for the whole screen, moving on every 15 s; one timer however many ages are shown. */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => {
    if (!timer) refresh()
    return now
  })
