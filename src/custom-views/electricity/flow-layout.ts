import type { EnergyMeasure } from '../../domain/energy/measures.ts'
import type { MeterNode } from './meter-forest.ts'
import { figureOf } from '../../domain/energy/totals.ts'

/** Key of the box at the root. */
export const HOME = ''

export interface FlowBox {
  key: string
  kind: 'home' | 'meter' | 'remainder'
  value: number
  x: number
  y: number
  width: number
  height: number
}

export interface FlowBand {
  key: string
  to: FlowBox
  path: string
}

export interface Flow {
  boxes: FlowBox[]
  bands: FlowBand[]
  /** Exceeds the given width if the columns would be too narrow for their labels. */
  width: number
  height: number
  words: number
  /** Height of the label of a box, px. */
  line: number
  /** Whether the name is above the figure, on up to two lines, instead of before it. */
  stacked: boolean
}

const BOX = 14
const GAP = 10
export const BESIDE = 6
/** Height of a line of text, px. */
const LINE = 18
/** Minimum column distance for a name and a figure on one line. */
const ONE_LINE = 210
/** Minimum column distance: fits a figure of millions, or half of a long name. */
const MIN_STEP = 160

/**
 * Layout of a home's energy flow through its meters: columns by depth, box heights by energy.
 *
 * room     available width in px
 * special  a single meter at the top takes the place of the home; meters without positive energy are left out; if the parts of
 *          a meter exceed it, the bands are narrower at their start than at their end
 * returns  undefined if no energy flows
 */
export function flowLayout(
  forest: readonly MeterNode[],
  measure: EnergyMeasure,
  room: number,
): Flow | undefined {
  const valueOf = ({ total }: MeterNode) => figureOf(total, measure) ?? 0
  const flowing = (nodes: readonly MeterNode[]) => nodes.filter((node) => valueOf(node) > 0)
  const depthOf = (nodes: readonly MeterNode[]): number =>
    nodes.length === 0 ? 0 : 1 + Math.max(...nodes.map(({ children = [] }) => depthOf(flowing(children))))
  const top = flowing(forest)
  // The home and its single main meter would be the same box.
  const [main] = top.length === 1 && depthOf(top) > 1 ? top : []
  const columns = depthOf(top) - (main ? 1 : 0)
  const whole = top.reduce((sum, node) => sum + valueOf(node), 0)
  if (columns === 0 || whole === 0) return undefined

  const countOf = (nodes: readonly MeterNode[]): number =>
    nodes.reduce((sum, { children = [] }) => sum + Math.max(1, countOf(flowing(children))), 0)
  const leafCount = countOf(top)
  const step = Math.max((room - BOX) / (columns + 1), MIN_STEP)
  const stacked = step < ONE_LINE
  const line = stacked ? 3 * LINE : LINE
  const height = Math.max(200, leafCount * (line + GAP))
  // If parts exceed their parent, the parts determine the height.
  const sizeOf = (nodes: readonly MeterNode[]): number =>
    nodes.reduce((sum, node) => sum + Math.max(valueOf(node), sizeOf(flowing(node.children ?? []))), 0)
  const scale = (height - leafCount * GAP) / sizeOf(top)

  const boxes: FlowBox[] = []
  const bands: FlowBand[] = []
  const add = (box: FlowBox) => {
    boxes.push(box)
    return box
  }
  /** Places boxes below each other from `y` on; returns the next `y`. */
  function place(nodes: readonly MeterNode[], from: FlowBox, column: number, y: number): number {
    const sum = nodes.reduce((all, node) => all + valueOf(node), 0)
    let start = from.y
    let next = y
    for (const node of nodes) {
      const value = valueOf(node)
      const tall = Math.max(1, value * scale)
      const children = flowing(node.children ?? [])
      const box = add({
        key: node.key,
        kind: node.kind,
        value,
        x: column * step,
        y: next,
        width: BOX,
        height: tall,
      })
      const leaving = (value / Math.max(sum, from.value)) * from.height
      bands.push({ key: node.key, to: box, path: bandPath(from, start, leaving, box) })
      start += leaving
      const below = children.length > 0 ? place(children, box, column + 1, next) : 0
      next = Math.max(next + Math.max(tall, line) + GAP, below)
    }
    return next
  }
  const { key, kind } = main ?? { key: HOME, kind: 'home' as const }
  const first = add({ key, kind, value: whole, x: 0, y: 0, width: BOX, height: whole * scale })
  const bottom = place(main ? flowing(main.children ?? []) : top, first, 1, 0)
  return {
    boxes,
    bands,
    width: step * (columns + 1) + BOX,
    height: Math.max(first.height, bottom - GAP),
    words: step - BOX - 2 * BESIDE,
    line,
    stacked,
  }
}

function bandPath(from: FlowBox, y: number, tall: number, to: FlowBox): string {
  const [left, right] = [from.x + from.width, to.x]
  const middle = (left + right) / 2
  return [
    `M${left},${y}`,
    `C${middle},${y} ${middle},${to.y} ${right},${to.y}`,
    `L${right},${to.y + to.height}`,
    `C${middle},${to.y + to.height} ${middle},${y + tall} ${left},${y + tall}`,
    'Z',
  ].join(' ')
}
