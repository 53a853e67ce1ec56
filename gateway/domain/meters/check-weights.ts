import { formatDay } from '../../../contract/time/periods.ts'
import { SINCE_ALWAYS, type StoredFact } from '../../../contract/meters/meter-facts.ts'
import { findWeightFaults, type WeightFault } from './meter-weights.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { HomeTree } from './home-tree.ts'

/** Facts that say how often a register counts. */
export const WEIGHING: readonly StoredFact[] = ['role', 'parent', 'terms']

/**
 * Makes sure that with the virtual meters of a home no register counts twice on any day, and none is taken away from what it is no
 * part of. The tree was read after what is to be checked was written, by whoever holds the facts of the home (`holdFacts`).
 *
 * errors  INVALID with `countedTwice` or `takenAway` at the register and its days: `Terms.<MeterID>.<first>/<last>`, either
 *         empty where there is none
 */
export function checkWeights(tree: HomeTree): void {
  const { meters } = tree.facts
  if (![...tree.virtual.keys()].some((uid) => meters.get(uid)?.role)) return
  const days = new Set([SINCE_ALWAYS])
  for (const facts of meters.values())
    for (const fact of WEIGHING) for (const { from } of facts[fact] ?? []) days.add(from)
  const fields: Record<string, WeightFault> = {}
  const open = new Map<string, { fault: WeightFault; from: number }>()
  const end = (uid: string, before?: number) => {
    const fault = open.get(uid)
    if (!fault) return
    open.delete(uid)
    fields[`Terms.${uid}.${dateOf(fault.from)}/${before === undefined ? '' : formatDay(before - 1)}`] =
      fault.fault
  }
  for (const day of [...days].toSorted((a, b) => a - b)) {
    const faults = faultsOn(tree, day)
    for (const [uid, { fault }] of open) if (faults.get(uid) !== fault) end(uid, day)
    for (const [uid, fault] of faults) if (!open.has(uid)) open.set(uid, { fault, from: day })
  }
  for (const uid of [...open.keys()]) end(uid)
  if (Object.keys(fields).length) throw new GatewayError('INVALID', 'A meter counts more than once', fields)
}

const dateOf = (day: number): string => (day === SINCE_ALWAYS ? '' : formatDay(day))

const faultsOn = (tree: HomeTree, day: number): Map<string, WeightFault> =>
  findWeightFaults(
    [...tree.parents.keys(), ...returnsOf(tree)].map((PeripheralUID) => ({
      PeripheralUID,
      ParentMeter: tree.parentOn(PeripheralUID, day),
      role: tree.roleOn(PeripheralUID, day),
      terms: tree.termsOn(PeripheralUID, day),
    })),
  )

/** Registers of which something is said before their first reading. */
const returnsOf = ({ facts, parents }: HomeTree): string[] =>
  [...facts.meters.keys()].filter((uid) => !parents.has(uid))
