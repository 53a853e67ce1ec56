import {
  MAX_UNMAPPED,
  MAX_UNMAPPED_TEXT,
  type unmappedReport,
} from '../../contract/devices/channels/hub-setup.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { Log } from '../lib/log.ts'
import type { NotShown } from './entities/entity.ts'

/** Kinds of problems with messages of the device broker. */
export type ProblemKind = 'announcement' | 'unmapped' | 'template' | 'value' | 'oversized' | 'tooMany'

/** Maximum number of places stored per kind, so that each is logged once and memory stays bounded. */
const REMEMBERED = 2_000
/** Maximum number of log lines per kind; further problems are only counted. */
const MAX_LOGGED = 100

const TEXTS: Record<ProblemKind, string> = {
  announcement: 'An announcement cannot be used',
  unmapped: 'Part of a device has no counterpart here',
  template: 'A value cannot be read',
  value: 'A value is outside what its field may be',
  oversized: 'A message is too large',
  tooMany: 'Too many entities; the rest is left out',
}

/**
 * Counts problems and logs each place once. Keeps the list of entities that are not shown.
 *
 * onChanged  called when that list changes
 */
export function createProblems(log: Log, onChanged: () => void = () => {}) {
  const counts: Partial<Record<ProblemKind, number>> = {}
  const logged = new Map<ProblemKind, Set<string>>()
  /** Topics and entities that are not shown, by owner: a topic, a place of announcement, or a device. */
  const missing = new Map<string, readonly NotShown[]>()

  /** where  topic or id; reason  in words, without payloads */
  function add(kind: ProblemKind, where: string, reason: string): void {
    counts[kind] = (counts[kind] ?? 0) + 1
    const places = logged.get(kind) ?? new Set()
    logged.set(kind, places)
    const place = `${where} ${reason}`
    if (places.has(place) || places.size >= REMEMBERED) return
    places.add(place)
    const level = kind === 'unmapped' ? 'info' : 'warn'
    if (places.size <= MAX_LOGGED) log[level]({ where, reason }, TEXTS[kind])
    if (places.size === MAX_LOGGED) log.warn({ kind }, 'further problems are only counted')
  }

  return {
    counts: (): Readonly<Partial<Record<ProblemKind, number>>> => counts,
    /** Replaces the list of an owner, whose key begins with the kind. */
    replace(kind: ProblemKind, owner: string, found: readonly NotShown[]): void {
      for (const { id, reason } of found) add(kind, id, reason)
      const key = `${kind} ${owner}`
      const before = missing.get(key)
      if (found.length === 0 ? !before : !before && missing.size >= REMEMBERED) return
      if (found.length === 0) missing.delete(key)
      else missing.set(key, found)
      if (JSON.stringify(before) !== JSON.stringify(found)) onChanged()
    },
    /**
     * Report of the entities that are not shown: settings last, which many devices announce.
     *
     * isShown  whether a topic is shown by another announcement
     */
    report(isShown: (topic: string) => boolean): PayloadOf<typeof unmappedReport> {
      const all = [...missing.values()].flat().filter(({ id }) => !isShown(id))
      const isMinor = ({ code }: NotShown) => code === 'setting' || code === 'disabled'
      const sorted = [...all.filter((one) => !isMinor(one)), ...all.filter(isMinor)]
      return {
        Total: all.length,
        Entries: sorted.slice(0, MAX_UNMAPPED).map(({ id, name, code, reason }) => ({
          Topic: id.slice(0, MAX_UNMAPPED_TEXT.topic),
          ...(name && { Name: name.slice(0, MAX_UNMAPPED_TEXT.name) }),
          Reason: code,
          Detail: reason.slice(0, MAX_UNMAPPED_TEXT.detail),
        })),
      }
    },
  }
}
export type Problems = ReturnType<typeof createProblems>
