import type { Log } from '../lib/log.ts'

/** What can be wrong with what comes from the device broker. */
export type ProblemKind = 'announcement' | 'unmapped' | 'template' | 'value' | 'oversized' | 'tooMany'

/** Places remembered of each kind, so that a log tells of each place once and memory stays bounded. */
const REMEMBERED = 2_000
/** Lines a kind may write before only its count goes on. */
const TOLD = 100

const TEXTS: Record<ProblemKind, string> = {
  announcement: 'An announcement cannot be used',
  unmapped: 'Part of a device has no counterpart here',
  template: 'A value cannot be read',
  value: 'A value is outside what its field may be',
  oversized: 'A message is too large',
  tooMany: 'Too many entities; the rest is left out',
}

/** Counts what is wrong, and tells of each place once. */
export function createProblems(log: Log) {
  const counts: Partial<Record<ProblemKind, number>> = {}
  const seen = new Map<ProblemKind, Set<string>>()
  return {
    counts: (): Readonly<Partial<Record<ProblemKind, number>>> => counts,
    /** where  topic or id; reason  in words, without payloads */
    add(kind: ProblemKind, where: string, reason: string): void {
      counts[kind] = (counts[kind] ?? 0) + 1
      const places = seen.get(kind) ?? new Set()
      seen.set(kind, places)
      const place = `${where} ${reason}`
      if (places.has(place) || places.size >= REMEMBERED) return
      places.add(place)
      const level = kind === 'unmapped' ? 'info' : 'warn'
      if (places.size <= TOLD) log[level]({ where, reason }, TEXTS[kind])
      if (places.size === TOLD) log.warn({ kind }, 'From here on these are only counted')
    },
  }
}
export type Problems = ReturnType<typeof createProblems>
