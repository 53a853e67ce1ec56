/** A meter with the meter above it, whose load includes its own (§3 ParentMeter). */
export interface TreeMeter {
  PeripheralUID: string
  ParentMeter: string | null
}

/** How a meter's energy enters a division of its home's total. */
export type MeterPosition = 'alone' | 'sub' | 'main' | 'between'

/**
 * Where each meter stands in the tree of its home: nothing above or below it (alone), only above (sub), only below
 * (main), or both (between). A parent that is not among the meters is none: then the meter stands at the top.
 *
 * The home's total is that of the meters at the top (alone, main). Divided, it is the meters with nothing below (alone,
 * sub) and what no sub-meter saw: main minus sub. Those between cancel out, whatever they count, so nothing counts twice.
 * A loop, which parents remembered from different times can close, is opened at its first meter.
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

/** A meter with those right below it. */
export interface MeterBranch {
  PeripheralUID: string
  below: MeterBranch[]
}

/** The meters of a home below each other, every one once, as `standsOf` understands them; siblings in the order given. */
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

/** The meter above each; null at the top. */
function parentsOf(meters: readonly TreeMeter[]): Map<string, string | null> {
  const parentOf = new Map(meters.map(({ PeripheralUID, ParentMeter }) => [PeripheralUID, ParentMeter]))
  for (const uid of parentOf.keys()) {
    const parent = parentOf.get(uid) ?? null
    if (parent === null || !parentOf.has(parent) || isBelow(parent, uid, parentOf)) parentOf.set(uid, null)
  }
  return parentOf
}

/** Whether a meter stands above itself. */
export function loopIn(parentOf: ReadonlyMap<string, string | null>, uid: string): boolean {
  const parent = parentOf.get(uid) ?? null
  return parent !== null && isBelow(parent, uid, parentOf)
}

/** Whether a meter is another or stands somewhere below it. */
function isBelow(uid: string, above: string, parentOf: ReadonlyMap<string, string | null>): boolean {
  const seen = new Set<string>()
  for (let at: string | null = uid; at !== null && !seen.has(at); at = parentOf.get(at) ?? null) {
    if (at === above) return true
    seen.add(at)
  }
  return false
}

/** Whether a meter's energy is part of the home's total as it is. */
export const isTopMeter = (stand: MeterPosition | undefined): boolean => stand === 'alone' || stand === 'main'
