import { amountText } from '../../../contract/kernel/numbers.ts'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import { REST_COLOR } from '../../ui/chart/energy-colors.ts'
import type { SankeyNode } from '../../ui/chart/sankey.tsx'
import { plainPart } from '../../ui/page/lazy.tsx'
import page from '../../ui/page/page.module.css'
import { EmptyState, ListSkeleton } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { useThemeMode } from '../../ui/theme/theme-mode.ts'
import type { EnergyMeasure } from '../../domain/energy/measures.ts'
import { useMissingData } from '../../domain/energy/missing-data.tsx'
import { formatMeasure } from '../../domain/energy/use-figures.ts'
import type { NamedMeter } from '../../domain/energy/use-names.ts'
import styles from './electricity.module.css'
import { type MeterNode, silentParts } from './meter-forest.ts'
import { figureOf } from '../../domain/energy/totals.ts'

/** Key of the node at the root. */
const HOME = ''

interface MeterFlowNode {
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
  leafCount: number
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
  const totalValue = top.reduce((sum, node) => sum + valueOf(node), 0)
  if (totalValue === 0) return undefined
  // The home and its single main meter would be the same node.
  const [main] = top.length === 1 && flowing(top[0]?.children).length > 0 ? top : []
  const flow: MeterFlow = { nodes: [], links: [], columns: 1, leafCount: 0 }
  const add = (source: string, nodes: readonly MeterNode[], column: number): void => {
    flow.columns = Math.max(flow.columns, column)
    for (const node of nodes) {
      const { key, kind } = node
      const value = valueOf(node)
      flow.nodes.push({ key, kind, value })
      flow.links.push({ source, target: key, value })
      const children = flowing(node.children)
      if (children.length > 0) add(key, children, column + 1)
      else flow.leafCount += 1
    }
  }
  const { key, kind } = main ?? { key: HOME, kind: 'home' as const }
  flow.nodes.push({ key, kind, value: totalValue })
  add(key, main ? flowing(main.children) : top, 2)
  return flow
}

const Sankey = plainPart(() => import('../../ui/chart/sankey.tsx'), { fallback: <ListSkeleton rows={6} /> })

interface Props {
  forest: readonly MeterNode[]
  meters: ReadonlyMap<string, NamedMeter>
  measure: EnergyMeasure
  span: ChartView
}

/** Marks a figure with missing data. */
const PARTIAL_MARK = '*'
/** Width before the page has been measured, px. */
const DEFAULT_WIDTH = 960
/** Minimum width of a column with its labels, px. */
const MIN_COLUMN_WIDTH = 160
/** Width of a column below which a name is above its figure, on up to two lines, px. */
const ONE_LINE_WIDTH = 240
/** Height of a line of a label, px. */
const LINE_HEIGHT = 18
const MIN_HEIGHT = 200

/** Width of an element's container, measured when it changes, px. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(DEFAULT_WIDTH)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth || DEFAULT_WIDTH)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}

/**
 * Diagram of the home's energy flow through its meters, with notes on omitted meters and missing data. The tree shows the same figures to
 * screen readers.
 */
export default function FlowView({ forest, meters, measure, span }: Props) {
  const t = useT()
  const mode = useThemeMode()
  const lacks = useMissingData()
  const now = useNow()
  const [box, available] = useWidth()
  const flow = useMemo(() => meterFlow(forest, measure), [forest, measure])
  const all = everyNode(forest)
  const partly = new Set(
    all.flatMap(({ key, total }) => (lacks({ coverage: total.Coverage, span }).missing ? [key] : [])),
  )
  if (forest.some(({ key }) => partly.has(key))) partly.add(HOME)
  const drawnKeys = new Set(flow?.nodes.map(({ key }) => key))
  const omitted = all.filter(({ key, kind }) => kind === 'meter' && !drawnKeys.has(key)).length
  const silentOf = new Map(all.map((node) => [node.key, silentParts(node, span, now)]))
  const silentCount = [...drawnKeys].reduce((sum, key) => sum + (silentOf.get(key) ?? 0), 0)

  const columnWidth = Math.max(available / (flow?.columns ?? 1), MIN_COLUMN_WIDTH)
  const isStacked = columnWidth < ONE_LINE_WIDTH
  const labelHeight = isStacked ? 3 * LINE_HEIGHT : LINE_HEIGHT
  const nameOf = ({ key, kind }: MeterFlowNode) =>
    kind === 'home'
      ? t('energy:whole')
      : kind === 'remainder'
        ? t('energy:untracked')
        : (meters.get(key)?.name ?? key)
  const drawnNodes = (flow?.nodes ?? []).map((node): SankeyNode => {
    const isPartly = partly.has(node.key)
    const silentCount = silentOf.get(node.key) ?? 0
    const amount = formatMeasure(measure, node.value)
    const figure = amountText({ ...amount, figure: amount.figure + (isPartly ? PARTIAL_MARK : '') })
    return {
      key: node.key,
      label: `${nameOf(node)}${isStacked ? '\n' : ' '}${figure}`,
      hint: [
        `${nameOf(node)} ${amountText(amount)}`,
        ...(isPartly ? [t('charts:partly')] : []),
        ...(silentCount > 0 ? [t('energy:withSilent', { count: silentCount })] : []),
      ].join(' · '),
      color: ((node.kind === 'meter' && meters.get(node.key)?.color) || REST_COLOR)[mode],
    }
  })
  // Equal nodes keep their identity: otherwise the chart would be drawn again with every tick of the clock.
  const content = JSON.stringify(drawnNodes)
  const nodes = useMemo(() => JSON.parse(content) as SankeyNode[], [content])
  return (
    <div ref={box}>
      {flow ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable on phones, so the keyboard must reach it
        <div className={styles.flow} role="group" aria-label={t('energy:flowLabel')} tabIndex={0}>
          <Sankey
            nodes={nodes}
            links={flow.links}
            width={columnWidth * flow.columns}
            height={Math.max(MIN_HEIGHT, flow.leafCount * 2 * labelHeight)}
            gap={labelHeight}
            labelWidth={columnWidth - 2 * LINE_HEIGHT}
            colorBy="target"
            align="left"
            mode={mode}
          />
        </div>
      ) : (
        <EmptyState message={t(`energy:noData.${measure}`)} />
      )}
      {flow && (omitted > 0 || partly.size > 0) && (
        <p className={`${page.wideRow} ${page.small}`}>
          {partly.size > 0 && (
            <span className={page.warning}>{t('energy:flowPartly', { mark: PARTIAL_MARK })}</span>
          )}
          {silentCount > 0 && (
            <span className={page.warning}>
              {t('energy:flowSilent', { name: t('energy:untracked'), count: silentCount })}
            </span>
          )}
          {omitted > 0 && <span>{t('energy:flowLeft', { count: omitted })}</span>}
        </p>
      )}
    </div>
  )
}

const everyNode = (nodes: readonly MeterNode[]): MeterNode[] =>
  nodes.flatMap((node) => [node, ...everyNode(node.children ?? [])])
