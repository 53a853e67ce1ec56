import { type Location, parsePath, type To, type UNSAFE_createBrowserHistory } from 'react-router'

type History = ReturnType<typeof UNSAFE_createBrowserHistory>

/**
 * Says whether somebody who goes from one address to another is kept where they are; `goOn` goes there after all. Asked for links,
 * Back and Forward alike.
 */
export type Guard = (from: Location, to: Location, goOn: () => void) => boolean

/** A history whose page may keep somebody. */
export interface GuardedHistory extends History {
  /** Asks this guard from now on. Returns how to stop. */
  guard(guard: Guard): () => void
}

/**
 * A history that asks guards before it moves. The browser has already moved when it tells of Back or Forward: where a guard
 * keeps somebody, it is sent back first.
 *
 * history  one that tells its listener of every move (`v5Compat`)
 */
export function guardedHistory(history: History): GuardedHistory {
  const guards = new Set<Guard>()
  let here = history.location
  /** What the next move the browser tells of is, unless it is the person's own. */
  let next: 'sent back' | 'let through' | undefined
  const keeps = (to: Location, goOn: () => void) => [...guards].some((guard) => guard(here, to, goOn))
  const move = (how: 'push' | 'replace', to: To, state: unknown) => {
    const goOn = () => history[how](to, state)
    const place = { ...here, search: '', hash: '', ...(typeof to === 'string' ? parsePath(to) : to), state }
    if (!keeps(place, goOn)) goOn()
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
        const { action, location, delta } = moved
        const was = next
        // An address typed by hand has no place among ours (no `delta`): there is no way back from it.
        if (action === 'POP' && delta) {
          next = undefined
          if (was === 'sent back') return
          const goOn = () => {
            next = 'let through'
            history.go(delta)
          }
          if (was !== 'let through' && keeps(location, goOn)) {
            next = 'sent back'
            history.go(-delta)
            return
          }
        }
        here = location
        tell(moved)
      }),
    guard: (guard) => {
      guards.add(guard)
      return () => guards.delete(guard)
    },
  }
}
