import type { Coverage, EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import { branchesOf, type MeterBranch, type TreeMeter } from '../../../contract/meters/meter-tree.ts'
import type { EnergyMeasure } from '../../domain/energy/measures.ts'
import { addCoverage, figureOf, totalOf, type Total } from '../../domain/energy/totals.ts'

/** A meter with those below it. */
export interface MeterNode {
  /** A PeripheralUID; of a remainder its meter's with `REMAINDER` behind it. */
  key: string
  kind: 'meter' | 'remainder'
  /** The coverage of a remainder is that of all it is computed from. */
  total: Pick<Total, 'kWh' | 'Cost' | 'CarbonKg' | 'Coverage'>
  /** By consumption, what no sub-meter saw last; none for a meter with nothing below it. */
  children?: MeterNode[]
  /** Of a remainder the coverage of each meter that is taken off: what a silent one used seems to be the remainder's. */
  parts?: Coverage[]
}

const REMAINDER = '/untracked'

/**
 * The meters of a home as they stand below each other, each with its energy; under a meter that has others below it also
 * what none of them saw. A remainder below zero is a fault of wiring or of who stands below whom, and is shown as it is.
 *
 * series  by meter, each counted as itself
 */
export function meterForest(meters: readonly TreeMeter[], series: readonly EnergySeries[]): MeterNode[] {
  const totals = new Map(series.map(({ Key, Points }) => [Key, totalOf(Points)]))
  const nodeOf = ({ PeripheralUID, below }: MeterBranch): MeterNode => {
    const total = totals.get(PeripheralUID) ?? totalOf([])
    const node: MeterNode = { key: PeripheralUID, kind: 'meter', total }
    const children = below.map(nodeOf)
    if (children.length === 0) return node
    const parts = children.map((child) => child.total.Coverage)
    const rest = {
      kWh: less('kWh'),
      Cost: less('Cost'),
      CarbonKg: less('CarbonKg'),
      Coverage: [total.Coverage, ...parts].reduce(addCoverage),
    }
    function less(field: 'kWh' | 'Cost' | 'CarbonKg'): number | null {
      if (total[field] === null) return null
      return children.reduce((left, child) => left - (child.total[field] ?? 0), total[field])
    }
    return {
      ...node,
      children: [
        ...children.toSorted(byEnergy),
        { key: `${PeripheralUID}${REMAINDER}`, kind: 'remainder', total: rest, parts },
      ],
    }
  }
  return branchesOf(meters).map(nodeOf).toSorted(byEnergy)
}

const byEnergy = (a: MeterNode, b: MeterNode) => (b.total.kWh ?? -1) - (a.total.kWh ?? -1)

/** Every meter that nothing stands below, the greatest first. */
export const leavesOf = (forest: readonly MeterNode[]): MeterNode[] =>
  forest
    .flatMap((node): MeterNode[] =>
      node.children ? leavesOf(node.children) : node.kind === 'meter' ? [node] : [],
    )
    .toSorted(byEnergy)

/** The home as its top meters count it: what every meter's part is a part of. */
export const homeOf = (forest: readonly MeterNode[], measure: EnergyMeasure): number =>
  forest.reduce((sum, { total }) => sum + (figureOf(total, measure) ?? 0), 0)
