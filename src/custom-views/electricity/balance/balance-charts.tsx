import Donut, { type Slice } from '../../../ui/chart/donut.tsx'
import Sankey, { type SankeyLink, type SankeyNode } from '../../../ui/chart/sankey.tsx'
import type { Mode } from '../../../ui/theme/theme.ts'
import styles from '../electricity.module.css'

interface Props {
  links: readonly SankeyLink[]
  nodes: readonly SankeyNode[]
  /** Contribution of each source to the consumption. */
  usedSlices: readonly Slice[]
  mode: Mode
}

const HEIGHT = 240
const GAP = 12

/** Flow from sources to uses, and the sources of the consumption as a ring. A table next to it shows the same figures. */
export default function BalanceCharts({ links, nodes, usedSlices, mode }: Props) {
  return (
    <>
      <div className={styles.sankey}>
        {links.length > 0 && (
          <Sankey
            nodes={nodes}
            links={links}
            height={HEIGHT}
            gap={GAP}
            colorBy="source"
            align="justify"
            mode={mode}
          />
        )}
      </div>
      <div className={styles.ring}>{usedSlices.length > 0 && <Donut slices={usedSlices} mode={mode} />}</div>
    </>
  )
}
