import { Sankey as SankeyChart } from '@ant-design/charts'
import { useMemo } from 'react'
import { colors, fontFamily, type Mode } from '../theme/theme.ts'

export interface SankeyNode {
  key: string
  /** Text next to the node; may have several lines. */
  label: string
  /** Text shown while the pointer is over the node or a band that reaches it; none if omitted. */
  hint?: string
  color: string
}

/** Energy from one node to another, by their keys. */
export interface SankeyLink {
  source: string
  target: string
  value: number
}

interface Props {
  nodes: readonly SankeyNode[]
  links: readonly SankeyLink[]
  /** Size in px; the width of the container if no width is given. */
  width?: number
  height: number
  /** Vertical distance between nodes, px. */
  gap: number
  /** Width at which labels wrap, px. */
  labelWidth?: number
  /** Whether a band has the color of the node it leaves or of the one it reaches. */
  colorBy: 'source' | 'target'
  /** Whether nodes without outgoing links are in the column of their depth, or all in the last one. */
  align: 'left' | 'justify'
  mode: Mode
}

/** Flow chart: columns of nodes in the given order, joined by bands as wide as their energy. */
export default function Sankey({
  nodes,
  links,
  width,
  height,
  gap,
  labelWidth,
  colorBy,
  align,
  mode,
}: Props) {
  // The library compares its configuration deeply on every render; the same object is compared at once.
  const config = useMemo(() => {
    const labels = new Map(nodes.map(({ key, label }) => [key, label]))
    const hints = new Map(nodes.map(({ key, hint }) => [key, hint]))
    return {
      ...(width === undefined ? { autoFit: true } : { width, autoFit: false }),
      height,
      data: { nodes: nodes.map(({ key }) => ({ key })), links: links.map((link) => ({ ...link })) },
      layout: {
        nodeAlign: align,
        nodePadding: gap / height,
        nodeWidth: 0.02,
        nodeSort: null,
        linkSort: null,
      },
      linkColorField: (link: Record<'source' | 'target', { key: string }>) => link[colorBy].key,
      scale: {
        color: { domain: nodes.map(({ key }) => key), range: nodes.map(({ color }) => color) },
      },
      style: {
        labelText: ({ key }: { key: string }) => labels.get(key) ?? '',
        labelFontSize: 13,
        labelFontFamily: fontFamily,
        labelFill: colors[mode].text,
        labelFillOpacity: 1,
        labelSpacing: 6,
        ...(labelWidth !== undefined && { labelWordWrap: true, labelWordWrapWidth: labelWidth }),
        nodeStrokeWidth: 0,
        nodeLineWidth: 0,
        linkFillOpacity: mode === 'dark' ? 0.5 : 0.35,
      },
      tooltip: nodes.some(({ hint }) => hint !== undefined)
        ? {
            nodeTitle: ({ key }: { key: string }) => hints.get(key),
            nodeItems: [],
            linkTitle: ({ target }: { target: { key: string } }) => hints.get(target.key),
            linkItems: [],
          }
        : (false as const),
      legend: false as const,
      animate: false,
      theme:
        mode === 'dark' ? { type: 'classicDark', view: { viewFill: 'transparent' } } : { type: 'classic' },
    }
  }, [nodes, links, width, height, gap, labelWidth, colorBy, align, mode])
  return <SankeyChart {...config} />
}
