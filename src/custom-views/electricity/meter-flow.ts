import type { EnergyMeasure } from '../../domain/energy/measures.ts'
import { figureOf } from '../../domain/energy/totals.ts'
import type { MeterNode } from './meter-forest.ts'

/** Key of the node at the root. */
export const HOME = ''

export interface MeterFlowNode {
  key: string
  kind: 'home' | 'meter' | 'remainder'
  value: number
}

/** Energy flow of a home through its meters. */
export interface MeterFlow {
  /** Parents before their children, the largest first. */
  nodes: MeterFlowNode[]
  links: { source: string; target: string; value: number }[]
  columns: number
  /** Number of nodes without children. */
  leaves: number
}

/**
 * Energy flow of a home through its meters. A single meter at the top takes the place of the home; meters without positive energy are left
 * out.
 *
 * returns  undefined if no energy flows
 */
export function meterFlow(forest: readonly MeterNode[], measure: EnergyMeasure): MeterFlow | undefined {
  const valueOf = ({ total }: MeterNode) => figureOf(total, measure) ?? 0
  const flowing = (nodes: readonly MeterNode[] = []) => nodes.filter((node) => valueOf(node) > 0)
  const top = flowing(forest)
  const whole = top.reduce((sum, node) => sum + valueOf(node), 0)
  if (whole === 0) return undefined
  // The home and its single main meter would be the same node.
  const [main] = top.length === 1 && flowing(top[0]?.children).length > 0 ? top : []
  const flow: MeterFlow = { nodes: [], links: [], columns: 1, leaves: 0 }
  const add = (source: string, nodes: readonly MeterNode[], column: number): void => {
    flow.columns = Math.max(flow.columns, column)
    for (const node of nodes) {
      const { key, kind } = node
      const value = valueOf(node)
      flow.nodes.push({ key, kind, value })
      flow.links.push({ source, target: key, value })
      const children = flowing(node.children)
      if (children.length > 0) add(key, children, column + 1)
      else flow.leaves += 1
    }
  }
  const { key, kind } = main ?? { key: HOME, kind: 'home' as const }
  flow.nodes.push({ key, kind, value: whole })
  add(key, main ? flowing(main.children) : top, 2)
  return flow
}
