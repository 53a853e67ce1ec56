import { sameValue } from '../lib/same-value.ts'

/** Fields that conflict together, e.g. the room and the times of a booking; most fields are a part of their own. */
export type ComparedPart<T> = readonly (keyof T)[]

const isSamePart = <T>(part: ComparedPart<T>, a: Partial<T>, b: Partial<T>): boolean =>
  part.every((field) => sameValue(a[field], b[field]))

/** Parts that differ between two versions of a record. */
export const partsBetween = <T>(
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
export function compareParts<T>(
  base: T,
  formValues: Partial<T>,
  remote: T,
  parts: readonly ComparedPart<T>[],
): { toUpdate: ComparedPart<T>[]; conflicting: ComparedPart<T>[] } {
  const changed = partsBetween<T>(base as Partial<T>, remote as Partial<T>, parts)
  const touched = (part: ComparedPart<T>) => !isSamePart(part, formValues, base as Partial<T>)
  return {
    toUpdate: changed.filter((part) => !touched(part)),
    conflicting: changed.filter(
      (part) => touched(part) && !isSamePart(part, formValues, remote as Partial<T>),
    ),
  }
}
