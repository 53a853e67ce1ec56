import { Sankey } from '@ant-design/charts'
import { useMemo } from 'react'
import Donut from '../../../ui/chart/donut.tsx'
import { colors, fontFamily, type Mode } from '../../../ui/theme/theme.ts'
import styles from '../electricity.module.css'

export interface FlowLink {
  source: string
  target: string
  value: number
}

export interface FlowNode {
  name: string
  color: string
}

interface Props {
  links: readonly FlowLink[]
  nodes: readonly FlowNode[]
  /** Contribution of each source to the consumption. */
  used: readonly (FlowNode & { kWh: number })[]
  mode: Mode
}

const HEIGHT = 240
const themeOf = (mode: Mode) =>
  mode === 'dark' ? { type: 'classicDark', view: { viewFill: 'transparent' } } : { type: 'classic' }

/** Flow from sources to uses, and the sources of the consumption as a ring. A table next to it shows the same figures. */
export default function BalanceCharts({ links, nodes, used, mode }: Props) {
  // The library compares its configuration deeply on every render; the same object is compared at once.
  const flow = useMemo(
    () => ({
      height: HEIGHT,
      autoFit: true,
      data: [...links],
      // Two columns, with the sources in table order.
      layout: { nodeAlign: 'justify' as const, nodePadding: 0.05, nodeWidth: 0.02 },
      // A band has the color of its source.
      linkColorField: (link: { source: { key: string } }) => link.source.key,
      scale: { color: { domain: nodes.map(({ name }) => name), range: nodes.map(({ color }) => color) } },
      style: {
        labelFontSize: 13,
        labelFontFamily: fontFamily,
        labelFill: colors[mode].text,
        labelFillOpacity: 1,
        labelSpacing: 6,
        nodeStrokeWidth: 0,
        nodeLineWidth: 0,
        linkFillOpacity: mode === 'dark' ? 0.5 : 0.35,
      },
      tooltip: false as const,
      legend: false as const,
      animate: false,
      theme: themeOf(mode),
    }),
    [links, nodes, mode],
  )
  return (
    <>
      <div className={styles.sankey}>{links.length > 0 && <Sankey {...flow} />}</div>
      <div className={styles.ring}>{used.length > 0 && <Donut slices={used} mode={mode} />}</div>
    </>
  )
}
