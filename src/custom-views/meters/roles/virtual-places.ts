import type { VirtualTerm } from '../../../../contract/meters/virtual-meter.ts'

export interface MeterWithParent {
  MeterID: string
  parent: string | null
}

/** Whether a virtual meter subtracts others from a single meter, and so is a part of that meter. */
export const isDifference = (terms: readonly VirtualTerm[]): boolean =>
  terms.some(({ Factor }) => Factor < 0) && terms.filter(({ Factor }) => Factor > 0).length === 1

/** The meter from which others are subtracted. */
export const mainOf = (terms: readonly VirtualTerm[]): string | undefined =>
  terms.find(({ Factor }) => Factor > 0)?.PeripheralUID

/**
 * Parents of a virtual meter and its terms such that nothing counts twice: a difference goes below the meter it divides; a sum goes above
 * its terms and below their common parent.
 */
export function placesOf(
  id: string,
  terms: readonly VirtualTerm[],
  meters: ReadonlyMap<string, { ParentMeter: string | null }>,
): MeterWithParent[] {
  if (isDifference(terms)) return [{ MeterID: id, parent: mainOf(terms) ?? null }]
  const added = terms.filter(({ Factor }) => Factor > 0).map(({ PeripheralUID }) => PeripheralUID)
  const newParents = new Set(added.map((uid) => meters.get(uid)?.ParentMeter ?? null))
  const [parent] = newParents.size === 1 ? [...newParents] : [null]
  return [{ MeterID: id, parent: parent ?? null }, ...added.map((uid) => ({ MeterID: uid, parent: id }))]
}
