import { type Location, parsePath, type To, type UNSAFE_createBrowserHistory } from 'react-router'

type History = ReturnType<typeof UNSAFE_createBrowserHistory>
type Moved = Parameters<Parameters<History['listen']>[0]>[0]

/**
 * Says whether somebody who goes from one address to another is kept where they are; `goOn` goes there after all. Asked for links,
 * Back and Forward alike.
 */
export type NavigationGuard = (from: Location, to: Location, goOn: () => void) => boolean

/** A history whose page may keep somebody. */
export interface GuardedHistory extends History {
  /** Asks this guard from now on. Returns how to stop. */
  guard(guard: NavigationGuard): () => void
}

/** A way back that the browser has not told of by then has been lost to another move, in ms. */
const LOST_AFTER_MS = 1_000

/**
 * A history that asks guards before it moves. The browser has already moved when it tells of Back or Forward: where a guard
 * keeps somebody, it is sent back.
 *
 * history  one that tells its listener of every move (`v5Compat`)
 */
export function guardedHistory(history: History): GuardedHistory {
  const guards = new Set<NavigationGuard>()
  let here = history.location
  /** How many entries the browser is from `here`. */
  let away = 0
  /** The way back that the browser was asked for last and has not told of: by how many entries, and since when, epoch ms. */
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

  /** Whether the browser came to another address on somebody's own wish, and nobody is kept. */
  function isFollowed({ location, delta }: Moved): boolean {
    const way = back
    // An entry of somebody else, e.g. an address typed by hand, has no place among ours: there is no way back from it.
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
    // A spread would keep what they are now.
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
