import { useSyncExternalStore } from 'react'

const TICK_MS = 15_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (!timer) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const tell of listeners) tell()
    }, TICK_MS)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time in epoch ms, the same for the whole screen, moving on every 15 s; one timer however many ages are shown. */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => {
    if (!timer) now = Date.now()
    return now
  })
