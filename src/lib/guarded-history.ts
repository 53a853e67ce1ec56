import { type Location, parsePath, type To, type UNSAFE_createBrowserHistory } from 'react-router'

type History = ReturnType<typeof UNSAFE_createBrowserHistory>
type HistoryUpdate = Parameters<Parameters<History['listen']>[0]>[0]

/** Guard of navigation by links, Back and Forward. Returns whether the page must not be left; `proceed` then continues the navigation. */
export type NavigationGuard = (from: Location, to: Location, proceed: () => void) => boolean

/** A history whose navigation can be blocked. */
export interface GuardedHistory extends History {
  /** Adds a guard. Returns a function that removes it. */
  guard(guard: NavigationGuard): () => void
}

/** Time in ms after which a requested return to the page is considered lost to another navigation. */
const LOST_AFTER_MS = 1_000

/**
 * History that asks guards before it navigates. On Back and Forward the browser has already navigated when it fires the event: if a guard
 * blocks, the history navigates back.
 *
 * history  reports every navigation to its listener (`v5Compat`)
 */
export function guardedHistory(history: History): GuardedHistory {
  const guards = new Set<NavigationGuard>()
  let current = history.location
  /** Number of entries between `current` and the browser's position. */
  let offset = 0
  /** Requested return that the browser has not reported yet: number of entries, and time of the request, epoch ms. */
  let pendingReturn: { delta: number; since: number } | undefined
  let isConfirmed = false
  const isBlocked = (to: Location, proceed: () => void) =>
    [...guards].some((guard) => guard(current, to, proceed))

  const move = (method: 'push' | 'replace', to: To, state: unknown) => {
    const proceed = () => history[method](to, state)
    const place = {
      ...current,
      search: '',
      hash: '',
      ...(typeof to === 'string' ? parsePath(to) : to),
      state,
    }
    if (!isBlocked(place, proceed)) proceed()
  }

  function sendBack(): void {
    pendingReturn = { delta: -offset, since: Date.now() }
    history.go(-offset)
  }

  /** Whether the browser navigated on the user's request, and no guard blocks it. */
  function isAccepted({ location, delta }: HistoryUpdate): boolean {
    const requestedReturn = pendingReturn
    // An entry that is not ours, e.g. an address typed by hand, has no position in our history: returning is impossible.
    if (delta === null) {
      pendingReturn = undefined
      return requestedReturn === undefined
    }
    offset += delta
    const isPending = requestedReturn !== undefined && Date.now() - requestedReturn.since < LOST_AFTER_MS
    if (isPending && delta !== requestedReturn.delta) return false
    pendingReturn = undefined
    if (requestedReturn && offset === 0) return false
    if (isPending) {
      sendBack()
      return false
    }
    const distance = offset
    const proceed = () => {
      isConfirmed = true
      history.go(distance)
    }
    if (isConfirmed || distance === 0 || !isBlocked(location, proceed)) return true
    sendBack()
    return false
  }

  return {
    ...history,
    // Getters, because a spread would copy the current values.
    get action() {
      return history.action
    },
    get location() {
      return history.location
    },
    push: (to, state) => move('push', to, state),
    replace: (to, state) => move('replace', to, state),
    listen: (listener) =>
      history.listen((update) => {
        if (update.action === 'POP' && !isAccepted(update)) return
        current = update.location
        offset = 0
        pendingReturn = undefined
        isConfirmed = false
        listener(update)
      }),
    guard: (guard) => {
      guards.add(guard)
      return () => guards.delete(guard)
    },
  }
}
