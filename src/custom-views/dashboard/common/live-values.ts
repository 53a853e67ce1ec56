import { replaceEqualDeep } from '@tanstack/react-query'

/** A value computed from live data. It keeps its identity, and that of its unchanged parts, while the result is equal. */
export interface LiveValue<T> {
  get(): T
  /** Notifies the listener when the value has changed. */
  subscribe(listener: () => void): () => void
}

type Subscribe = (listener: () => void) => () => void

interface Sources {
  /** Data that may change with every frame; its changes within an interval count together at its end. */
  frequent: Subscribe
  /** Data whose changes count at once. */
  immediate: Subscribe
  /** Called when the last listener of all values has unsubscribed. */
  onIdle?: () => void
}

/** Minimum interval between updates of company figures: sums that change with every frame are unreadable. */
const UPDATE_INTERVAL_MS = 1_000

/**
 * Values that are computed outside of components, at most once per interval, and notify only if their result changed. Without listeners
 * they subscribe to nothing, and are computed whenever they are read.
 */
export function createLiveValues({ frequent, immediate, onIdle }: Sources, intervalMs = UPDATE_INTERVAL_MS) {
  const refreshers = new Set<() => void>()
  /** Counts the changes of the sources; a value of an older version is stale. */
  let version = 0
  let stopSources: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasChanged = false

  function update() {
    version++
    for (const refresh of [...refreshers]) refresh()
  }

  function updateThrottled() {
    hasChanged = timer !== undefined
    if (hasChanged) return
    timer = setTimeout(() => {
      timer = undefined
      if (hasChanged) updateThrottled()
    }, intervalMs)
    update()
  }

  function start() {
    version++
    const stops = [frequent(updateThrottled), immediate(update)]
    stopSources = () => {
      for (const stop of stops) stop()
    }
  }

  function stop() {
    stopSources?.()
    stopSources = undefined
    clearTimeout(timer)
    timer = undefined
    hasChanged = false
    onIdle?.()
  }

  return function liveValue<T>(compute: () => T): LiveValue<T> {
    const listeners = new Set<() => void>()
    let value: T | undefined
    /** Last value of which the listeners know. */
    let cached: T | undefined
    let computedAt = -1
    function get(): T {
      if (!stopSources || computedAt !== version) {
        value = replaceEqualDeep(value, compute()) as T
        computedAt = version
      }
      return value as T
    }
    function refresh() {
      const next = get()
      // Not compared with `value`: a value that is computed from this one may have read it in the meantime.
      if (next === cached) return
      cached = next
      for (const listener of [...listeners]) listener()
    }
    return {
      get,
      subscribe(listener) {
        if (refreshers.size === 0) start()
        if (listeners.size === 0) cached = get()
        refreshers.add(refresh)
        listeners.add(listener)
        return () => {
          listeners.delete(listener)
          if (listeners.size === 0 && refreshers.delete(refresh) && refreshers.size === 0) stop()
        }
      },
    }
  }
}
