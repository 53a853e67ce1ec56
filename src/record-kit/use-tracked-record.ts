import { useLayoutEffect, useRef, useState } from 'react'
import { callErrorIn } from '../data/post.ts'
import { sameValue } from '../lib/same-value.ts'

/** Fields that conflict together, e.g. the room and the times of a booking; most fields are a part of their own. */
export type ComparedPart<T> = readonly (keyof T)[]

const isSamePart = <T>(part: ComparedPart<T>, a: Partial<T>, b: Partial<T>): boolean =>
  part.every((field) => sameValue(a[field], b[field]))

/** Parts that differ between two versions of a record. */
const partsBetween = <T>(
  a: Partial<T>,
  b: Partial<T>,
  parts: readonly ComparedPart<T>[],
): ComparedPart<T>[] => parts.filter((part) => !isSamePart(part, a, b))

/**
 * Three-way comparison of a form with a record that another user has changed.
 *
 * base      record on which the form is based
 * formValues      values of the form
 * remote    current record
 * toUpdate    parts that only the other user has changed: the form takes the remote values
 * conflicting  parts that both have changed to different values: the user decides
 */
function compareParts<T>(
  base: T,
  formValues: Partial<T>,
  remote: T,
  parts: readonly ComparedPart<T>[],
): { toUpdate: ComparedPart<T>[]; conflicting: ComparedPart<T>[] } {
  const changed = partsBetween<T>(base as Partial<T>, remote as Partial<T>, parts)
  const isTouched = (part: ComparedPart<T>) => !isSamePart(part, formValues, base as Partial<T>)
  return {
    toUpdate: changed.filter((part) => !isTouched(part)),
    conflicting: changed.filter(
      (part) => isTouched(part) && !isSamePart(part, formValues, remote as Partial<T>),
    ),
  }
}

interface Options<T> {
  /** Current record; undefined while there is none. */
  record: T | undefined
  /** Parts of the record that the form edits. */
  parts: readonly ComparedPart<T>[]
  /** Values of the form; untouched fields have the values of `base`. */
  read: (base: T) => Partial<T>
  /** Puts fields of a record into the form. */
  write: (record: T, fields: readonly (keyof T)[]) => void
}

type State<T> = Pick<TrackedRecord<T>, 'base' | 'conflicting' | 'stale'>

export interface TrackedRecord<T> {
  /** Record on which the form is based; untouched fields follow the changes of other users. */
  base: T | undefined
  /** Fields that another user has changed to a value that differs from the form's. */
  conflicting: readonly (keyof T)[]
  /** The last save was rejected because another user saved first, and the remote record has not been received yet. */
  stale: boolean
  saving: boolean
  /** Puts the remote values into the form. */
  takeRemote: () => void
  /** Keeps the form's values: the next save overwrites the remote ones. */
  keepLocal: () => void
  /** Changed fields of the form, and their previous values: the part `Seen` of an update. */
  changes: () => { changed: Partial<T>; seen: Partial<T> }
  /**
   * Saves, and bases the form on the saved record if it is returned; false if another user saved first, whose record the caller must then
   * fetch. Rejects for any other reason.
   */
  save: (send: () => Promise<Partial<T> | void>) => Promise<boolean>
}

/**
 * Form of a record that other users may change at the same time. Changes of other users are applied to untouched fields; fields that
 * both changed are conflicting until the user decides. A save sends previous values, so that the gateway detects unseen changes.
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
  const rebase = (nextBase: T | undefined, open: readonly (keyof T)[] = []) =>
    setState({ base: nextBase, conflicting: open, stale: false })
  const [saving, setSaving] = useState(false)
  const compared = useRef(record)
  useLayoutEffect(() => {
    // The form's own change may arrive before the response to its save.
    if (saving || record === undefined || record === compared.current) return
    compared.current = record
    const next = base === undefined ? undefined : compareParts(base, read(base), record, parts)
    const open = next?.conflicting.flat() ?? []
    if (next && next.toUpdate.length > 0) write(record, next.toUpdate.flat())
    rebase(base === undefined ? record : { ...record, ...pick(base, open) }, open)
    // Input typed meanwhile is compared on save.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [record, saving])
  return {
    base,
    conflicting,
    stale,
    saving,
    takeRemote() {
      if (record !== undefined) write(record, conflicting)
      rebase(record)
    },
    keepLocal: () => rebase(record),
    changes() {
      if (base === undefined) return { changed: {}, seen: {} }
      const values = read(base)
      const fields = partsBetween<T>(base, values, parts).flat()
      return { changed: pick(values, fields), seen: pick(base, fields) }
    },
    async save(send) {
      setSaving(true)
      try {
        const saved = await send()
        if (saved && base !== undefined) {
          const next = { ...base, ...saved }
          write(next, parts.flat())
          rebase(next)
        }
        return true
      } catch (error) {
        if (!isStale(error)) throw error
        setState((state) => ({ ...state, stale: true }))
        return false
      } finally {
        setSaving(false)
      }
    },
  }
}

/** Whether an update was rejected because another user saved first. */
const isStale = (error: unknown): boolean =>
  Object.values(callErrorIn(error)?.fields ?? {}).includes('changed')

const pick = <T>(record: Partial<T>, fields: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(fields.map((field) => [field, record[field]])) as Partial<T>
