/** Meter with its parent, whose load includes its own (§3 ParentMeter). */
export interface TreeMeter {
  PeripheralUID: string
  ParentMeter: string | null
}

/** Position of a meter in a division of its home's total. */
export type MeterPosition = 'alone' | 'sub' | 'main' | 'between'

/**
 * Position of each meter in the tree of its home: no parent and no children (alone), parent only (sub), children only (main), or both
 * (between). A parent that is not among the meters is ignored, so the meter is at the top.
 *
 * The home's total is the sum of the top meters (alone, main). Divided, it is the meters without children (alone, sub) plus the energy
 * that no sub-meter measured: main minus sub. Meters between cancel out, so nothing counts twice. A loop, possible with parents of
 * different times, is opened at its first meter.
 */
export function meterPositions(meters: readonly TreeMeter[]): Map<string, MeterPosition> {
  const parentOf = parentsOf(meters)
  const parents = new Set(parentOf.values())
  return new Map(
    meters.map(({ PeripheralUID }) => {
      const hasBelow = parents.has(PeripheralUID)
      const stand =
        parentOf.get(PeripheralUID) !== null ? (hasBelow ? 'between' : 'sub') : hasBelow ? 'main' : 'alone'
      return [PeripheralUID, stand]
    }),
  )
}

/** Meter with its direct children. */
export interface MeterBranch {
  PeripheralUID: string
  below: MeterBranch[]
}

/** Forest of a home's meters, each once, with the parents of `meterPositions`; siblings in the order given. */
export function branchesOf(meters: readonly TreeMeter[]): MeterBranch[] {
  const branches = new Map<string, MeterBranch>(
    meters.map(({ PeripheralUID }) => [PeripheralUID, { PeripheralUID, below: [] }]),
  )
  const top: MeterBranch[] = []
  for (const [uid, parent] of parentsOf(meters)) {
    const siblings = (parent === null ? undefined : branches.get(parent)?.below) ?? top
    siblings.push(branches.get(uid) as MeterBranch)
  }
  return top
}

/** Parent of each meter; null at the top. */
function parentsOf(meters: readonly TreeMeter[]): Map<string, string | null> {
  const parentOf = new Map(meters.map(({ PeripheralUID, ParentMeter }) => [PeripheralUID, ParentMeter]))
  for (const uid of parentOf.keys()) {
    const parent = parentOf.get(uid) ?? null
    if (parent === null || !parentOf.has(parent) || isBelow(parent, uid, parentOf)) parentOf.set(uid, null)
  }
  return parentOf
}

/** Whether a meter is its own ancestor. */
export function loopIn(parentOf: ReadonlyMap<string, string | null>, uid: string): boolean {
  const parent = parentOf.get(uid) ?? null
  return parent !== null && isBelow(parent, uid, parentOf)
}

/** Whether a meter is another one or one of its descendants. */
function isBelow(uid: string, above: string, parentOf: ReadonlyMap<string, string | null>): boolean {
  const visited = new Set<string>()
  for (let at: string | null = uid; at !== null && !visited.has(at); at = parentOf.get(at) ?? null) {
    if (at === above) return true
    visited.add(at)
  }
  return false
}

/** Whether a meter's energy is part of the home's total. */
export const isTopMeter = (stand: MeterPosition | undefined): boolean => stand === 'alone' || stand === 'main'
