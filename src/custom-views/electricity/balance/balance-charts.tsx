import { Sankey } from '@ant-design/charts'
import { useMemo } from 'react'
import Donut from '../../../ui/chart/donut.tsx'
import { colors, fontFamily, type Mode } from '../../../ui/theme/theme.ts'
import styles from '../electricity.module.css'

/** Energy from a source to a use, by their names. */
export interface FlowLink {
  source: string
  target: string
  value: number
}

/** A source or use with its colour. */
export interface FlowNode {
  name: string
  color: string
}

interface Props {
  links: readonly FlowLink[]
  nodes: readonly FlowNode[]
  /** What each source gave of what was used. */
  used: readonly (FlowNode & { kWh: number })[]
  mode: Mode
}

const HEIGHT = 240
const themeOf = (mode: Mode) =>
  mode === 'dark' ? { type: 'classicDark', view: { viewFill: 'transparent' } } : { type: 'classic' }

/** Energy from its sources to its uses, and the sources of what was used as a ring. The figures stand in a table beside. */
export default function BalanceCharts({ links, nodes, used, mode }: Props) {
  // The library compares its configuration deeply at every drawing: the same one is compared at once.
  const flow = useMemo(
    () => ({
      height: HEIGHT,
      autoFit: true,
      data: [...links],
      // Two columns, the sources in the order of the table.
      layout: { nodeAlign: 'justify' as const, nodePadding: 0.05, nodeWidth: 0.02 },
      // A band has the colour of where it comes from.
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
