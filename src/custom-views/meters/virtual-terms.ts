import { MAX_TERMS, type VirtualTerm } from '../../../contract/meters/virtual-meter.ts'
import type { TreeMeter } from '../../../contract/meters/meter-tree.ts'

type Terms = readonly Partial<VirtualTerm>[]

/** What a further meter begins with: who takes one away takes more away. */
export const nextFactor = (terms: Terms): 1 | -1 => (terms.length > 1 ? (terms.at(-1)?.Factor ?? 1) : 1)

/**
 * A meter less those that stand right below it: what the tenants below a main meter share.
 *
 * terms    as far as they are chosen
 * returns  undefined unless the one meter that is chosen is added and has others below it that a sum can hold
 */
export function withoutBelow(terms: Terms, meters: readonly TreeMeter[]): VirtualTerm[] | undefined {
  const [first, ...others] = terms
  if (first?.PeripheralUID === undefined || first.Factor === -1) return undefined
  if (others.some(({ PeripheralUID }) => PeripheralUID !== undefined)) return undefined
  const below = meters.filter(({ ParentMeter }) => ParentMeter === first.PeripheralUID)
  if (below.length === 0 || below.length >= MAX_TERMS) return undefined
  return [
    { PeripheralUID: first.PeripheralUID, Factor: 1 },
    ...below.map(({ PeripheralUID }) => ({ PeripheralUID, Factor: -1 as const })),
  ]
}
