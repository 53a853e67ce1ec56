import { sameValue } from '../lib/same-value.ts'

/** Fields that conflict together, e.g. the room and the times of a booking; most fields are a part of their own. */
export type ComparedPart<T> = readonly (keyof T)[]

const same = <T>(part: ComparedPart<T>, a: Partial<T>, b: Partial<T>): boolean =>
  part.every((field) => sameValue(a[field], b[field]))

/** Parts that differ between two versions of a record. */
export const partsBetween = <T>(
  a: Partial<T>,
  b: Partial<T>,
  parts: readonly ComparedPart<T>[],
): ComparedPart<T>[] => parts.filter((part) => !same(part, a, b))

/**
 * Three-way comparison of a form with a record that another user has changed.
 *
 * base      record on which the form is based
 * mine      values of the form
 * remote    current record
 * follow    parts that only the other user has changed: the form takes the remote values
 * conflicting  parts that both have changed to different values: the user decides
 */
export function compareParts<T>(
  base: T,
  mine: Partial<T>,
  remote: T,
  parts: readonly ComparedPart<T>[],
): { follow: ComparedPart<T>[]; conflicting: ComparedPart<T>[] } {
  const changed = partsBetween<T>(base as Partial<T>, remote as Partial<T>, parts)
  const touched = (part: ComparedPart<T>) => !same(part, mine, base as Partial<T>)
  return {
    follow: changed.filter((part) => !touched(part)),
    conflicting: changed.filter((part) => touched(part) && !same(part, mine, remote as Partial<T>)),
  }
}
