import type { AnyChange } from '../data/cache-patches.ts'

type Listener = (change: AnyChange) => void
const listeners = new Set<Listener>()

/** Hears every change of records after the cache has taken it; for the bridge to Refine, screens have the cache. */
export function onDataChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function emitDataChange(change: AnyChange): void {
  for (const listener of [...listeners]) listener(change)
}
