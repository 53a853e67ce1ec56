import type { AnyChange } from '../data/patches.ts'

type Listener = (change: AnyChange) => void
const listeners = new Set<Listener>()

/** Hears every change of records after the cache has taken it; for the bridge to Refine, screens have the cache. */
export function hearChanges(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function passOn(change: AnyChange): void {
  for (const listener of [...listeners]) listener(change)
}
