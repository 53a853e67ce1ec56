import { useLayoutEffect, useRef, useState } from 'react'
import { callErrorIn } from '../data/post.ts'
import { compareParts, partsBetween, type ComparedPart } from './compare-parts.ts'

interface Options<T> {
  /** The record as it is now; undefined while there is none. */
  record: T | undefined
  /** What the form edits of it. */
  parts: readonly ComparedPart<T>[]
  /** What the form says; what nobody touched says what the record does that the form stands on. */
  read: (base: T) => Partial<T>
  /** Puts fields of a record into the form. */
  write: (record: T, fields: readonly (keyof T)[]) => void
}

type State<T> = Pick<TrackedRecord<T>, 'base' | 'conflicting' | 'stale'>

export interface TrackedRecord<T> {
  /** The record that the form stands on; what was left alone follows what others save. */
  base: T | undefined
  /** The fields that somebody else has changed to something else than the form says. */
  conflicting: readonly (keyof T)[]
  /** The last save was refused because somebody else was first, and the remote record has not come yet. */
  stale: boolean
  /** A save is under way. */
  saving: boolean
  /** Puts the remote values into the form. */
  take: () => void
  /** Keeps what the form says: the next save replaces the remote values. */
  keep: () => void
  /** What the form changes, and what those fields said: the part `Seen` of a call that changes them. */
  changes: () => { changed: Partial<T>; seen: Partial<T> }
  /**
   * Saves, and stands on what was saved where that is answered; false when somebody else was first, whose record is then to be
   * fetched. Rejects for any other reason.
   */
  save: (send: () => Promise<Partial<T> | void>) => Promise<boolean>
}

/**
 * A form on a record that others may change at the same time. What only they changed, the form takes over; what both changed is
 * conflicting until the person has chosen. A save says what its fields said, so that one who was not told yet is told then.
 */
export function useTrackedRecord<T extends object>({
  record,
  parts,
  read,
  write,
}: Options<T>): TrackedRecord<T> {
  const [{ base, conflicting, stale }, setState] = useState<State<T>>({
    base: record,
    conflicting: [],
    stale: false,
  })
  const stand = (on: T | undefined, open: readonly (keyof T)[] = []) =>
    setState({ base: on, conflicting: open, stale: false })
  const [saving, setSaving] = useState(false)
  const compared = useRef(record)
  useLayoutEffect(() => {
    // One's own change comes back before it is answered.
    if (saving || record === undefined || record === compared.current) return
    compared.current = record
    const next = base === undefined ? undefined : compareParts(base, read(base), record, parts)
    const open = next?.conflicting.flat() ?? []
    if (next && next.follow.length > 0) write(record, next.follow.flat())
    stand(base === undefined ? record : { ...record, ...pick(base, open) }, open)
    // What is typed meanwhile is compared when it is saved.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [record, saving])
  return {
    base,
    conflicting,
    stale,
    saving,
    take() {
      if (record !== undefined) write(record, conflicting)
      stand(record)
    },
    keep: () => stand(record),
    changes() {
      if (base === undefined) return { changed: {}, seen: {} }
      const mine = read(base)
      const fields = partsBetween<T>(base, mine, parts).flat()
      return { changed: pick(mine, fields), seen: pick(base, fields) }
    },
    async save(send) {
      setSaving(true)
      try {
        const saved = await send()
        if (saved && base !== undefined) {
          const next = { ...base, ...saved }
          write(next, parts.flat())
          stand(next)
        }
        return true
      } catch (error) {
        if (!isStale(error)) throw error
        setState((before) => ({ ...before, stale: true }))
        return false
      } finally {
        setSaving(false)
      }
    },
  }
}

/** Whether a change was refused because somebody else was first. */
const isStale = (error: unknown): boolean =>
  Object.values(callErrorIn(error)?.fields ?? {}).includes('changed')

const pick = <T>(record: Partial<T>, fields: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(fields.map((field) => [field, record[field]])) as Partial<T>
