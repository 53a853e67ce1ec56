/** A meter with the meter above it, whose load includes its own (§3 ParentMeter). */
export interface TreeMeter {
  PeripheralUID: string
  ParentMeter: string | null
}

/** How a meter's energy enters a division of its home's total. */
export type Stand = 'alone' | 'sub' | 'main' | 'between'

/**
 * Where each meter stands in the tree of its home: nothing above or below it (alone), only above (sub), only below
 * (main), or both (between). A parent that is not among the meters is none: then the meter stands at the top.
 *
 * The home's total is that of the meters at the top (alone, main). Divided, it is the meters with nothing below (alone,
 * sub) and what no sub-meter saw: main minus sub. Those between cancel out, whatever they count, so nothing counts twice.
 */
export function standsOf(meters: readonly TreeMeter[]): Map<string, Stand> {
  const known = new Set(meters.map(({ PeripheralUID }) => PeripheralUID))
  const above = ({ ParentMeter }: TreeMeter) => ParentMeter !== null && known.has(ParentMeter)
  const parents = new Set(meters.filter(above).map(({ ParentMeter }) => ParentMeter))
  return new Map(
    meters.map((meter) => {
      const hasBelow = parents.has(meter.PeripheralUID)
      const stand = above(meter) ? (hasBelow ? 'between' : 'sub') : hasBelow ? 'main' : 'alone'
      return [meter.PeripheralUID, stand]
    }),
  )
}

/** Whether a meter's energy is part of the home's total as it is. */
export const atTop = (stand: Stand | undefined): boolean => stand === 'alone' || stand === 'main'
