import type { Coverage, EnergySeries } from '../../../contract/energy/meter-data-calls.ts'
import { branchesOf, type MeterBranch, type TreeMeter } from '../../../contract/meters/meter-tree.ts'
import type { EnergyMeasure } from '../../domain/energy/measures.ts'
import { addCoverage, figureOf, totalOf, type Total, missingShare } from '../../domain/energy/totals.ts'
import { isPartly } from '../../ui/chart/partly.ts'
import type { ChartView } from '../../ui/chart/model.ts'

export interface MeterNode {
  /** PeripheralUID; for a remainder that of its meter followed by `REMAINDER_SUFFIX`. */
  key: string
  kind: 'meter' | 'remainder'
  /** The coverage of a remainder combines that of all meters it is computed from. */
  total: Pick<Total, 'kWh' | 'Cost' | 'CarbonKg' | 'Coverage'>
  /** Sorted by energy, with the remainder last; omitted for a meter without submeters. */
  children?: MeterNode[]
  /** For a remainder, the coverage of each subtracted meter: the energy of a silent one appears in the remainder. */
  parts?: Coverage[]
}

const REMAINDER_SUFFIX = '/untracked'

/**
 * Tree of a home's meters with their energy; a meter with submeters also has the remainder that they do not cover. A negative
 * remainder indicates wrong wiring or wrong parents and is shown as it is.
 *
 * series  by meter, each counted individually
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
      return children.reduce((remaining, child) => remaining - (child.total[field] ?? 0), total[field])
    }
    return {
      ...node,
      children: [
        ...children.toSorted(byEnergy),
        { key: `${PeripheralUID}${REMAINDER_SUFFIX}`, kind: 'remainder', total: rest, parts },
      ],
    }
  }
  return branchesOf(meters).map(nodeOf).toSorted(byEnergy)
}

const byEnergy = (a: MeterNode, b: MeterNode) => (b.total.kWh ?? -1) - (a.total.kWh ?? -1)

/** Meters without submeters, the greatest first. */
export const leavesOf = (forest: readonly MeterNode[]): MeterNode[] =>
  forest
    .flatMap((node): MeterNode[] =>
      node.children ? leavesOf(node.children) : node.kind === 'meter' ? [node] : [],
    )
    .toSorted(byEnergy)

/** Total of the top meters, which shares are relative to. */
export const homeOf = (forest: readonly MeterNode[], measure: EnergyMeasure): number =>
  forest.reduce((sum, { total }) => sum + (figureOf(total, measure) ?? 0), 0)

/**
 * Number of subtracted meters that were silent for a part of the time, so that their energy appears in the remainder.
 *
 * span  time span of the figures
 */
export const silentParts = ({ parts = [] }: MeterNode, span: ChartView, now: number): number =>
  parts.filter((coverage) => isPartly(missingShare(coverage), span, now)).length
