import type { AnyChange } from '../data/apply-change.ts'

type Listener = (change: AnyChange) => void
const listeners = new Set<Listener>()

/** Hears every change of records after the cache has taken it. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function tellChange(change: AnyChange): void {
  for (const listener of [...listeners]) listener(change)
}
