import type { AnyChange } from '../data/cache-patches.ts'

type Listener = (change: AnyChange) => void
const listeners = new Set<Listener>()

/** Calls the listener for each change of a record, after the cache is updated; for Refine; screens use the cache. */
export function onDataChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function emitDataChange(change: AnyChange): void {
  for (const listener of [...listeners]) listener(change)
}
