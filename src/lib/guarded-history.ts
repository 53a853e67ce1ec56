import { type Location, parsePath, type To, type UNSAFE_createBrowserHistory } from 'react-router'

type History = ReturnType<typeof UNSAFE_createBrowserHistory>
type Moved = Parameters<Parameters<History['listen']>[0]>[0]

/** Guard of navigation by links, Back and Forward. Returns whether the page must not be left; `goOn` then continues the navigation. */
export type NavigationGuard = (from: Location, to: Location, goOn: () => void) => boolean

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
  let here = history.location
  /** Number of entries between `here` and the browser's position. */
  let away = 0
  /** Requested return that the browser has not reported yet: number of entries, and time of the request, epoch ms. */
  let back: { by: number; since: number } | undefined
  let isLetThrough = false
  const keeps = (to: Location, goOn: () => void) => [...guards].some((guard) => guard(here, to, goOn))

  const move = (how: 'push' | 'replace', to: To, state: unknown) => {
    const goOn = () => history[how](to, state)
    const place = { ...here, search: '', hash: '', ...(typeof to === 'string' ? parsePath(to) : to), state }
    if (!keeps(place, goOn)) goOn()
  }

  function sendBack(): void {
    back = { by: -away, since: Date.now() }
    history.go(-away)
  }

  /** Whether the browser navigated on the user's request, and no guard blocks it. */
  function isFollowed({ location, delta }: Moved): boolean {
    const way = back
    // An entry that is not ours, e.g. an address typed by hand, has no position in our history: returning is impossible.
    if (delta === null) {
      back = undefined
      return way === undefined
    }
    away += delta
    const isOnItsWay = way !== undefined && Date.now() - way.since < LOST_AFTER_MS
    if (isOnItsWay && delta !== way.by) return false
    back = undefined
    if (way && away === 0) return false
    if (isOnItsWay) {
      sendBack()
      return false
    }
    const by = away
    const goOn = () => {
      isLetThrough = true
      history.go(by)
    }
    if (isLetThrough || by === 0 || !keeps(location, goOn)) return true
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
    listen: (tell) =>
      history.listen((moved) => {
        if (moved.action === 'POP' && !isFollowed(moved)) return
        here = moved.location
        away = 0
        back = undefined
        isLetThrough = false
        tell(moved)
      }),
    guard: (guard) => {
      guards.add(guard)
      return () => guards.delete(guard)
    },
  }
}
