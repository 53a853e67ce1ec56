import type { VirtualTerm } from '../../../../contract/meters/virtual-meter.ts'

/** A meter with the one above it. */
export interface MeterWithParent {
  MeterID: string
  parent: string | null
}

/** Whether a virtual meter takes meters away from one: what is left of that one is a part of it. */
export const isDifference = (terms: readonly VirtualTerm[]): boolean =>
  terms.some(({ Factor }) => Factor < 0) && terms.filter(({ Factor }) => Factor > 0).length === 1

/** The meter that others are taken away from. */
export const mainOf = (terms: readonly VirtualTerm[]): string | undefined =>
  terms.find(({ Factor }) => Factor > 0)?.PeripheralUID

/**
 * Where a virtual meter and its terms must stand so that none counts twice: a difference below the meter that is divided; a sum
 * above its terms, and below what they all stood below.
 */
export function placesOf(
  id: string,
  terms: readonly VirtualTerm[],
  meters: ReadonlyMap<string, { ParentMeter: string | null }>,
): MeterWithParent[] {
  if (isDifference(terms)) return [{ MeterID: id, parent: mainOf(terms) ?? null }]
  const added = terms.filter(({ Factor }) => Factor > 0).map(({ PeripheralUID }) => PeripheralUID)
  const above = new Set(added.map((uid) => meters.get(uid)?.ParentMeter ?? null))
  const [parent] = above.size === 1 ? [...above] : [null]
  return [{ MeterID: id, parent: parent ?? null }, ...added.map((uid) => ({ MeterID: uid, parent: id }))]
}
