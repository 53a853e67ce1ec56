import MinusOutlined from '@ant-design/icons-svg/es/asn/MinusOutlined.js'
import PlusOutlined from '@ant-design/icons-svg/es/asn/PlusOutlined.js'
import TableOutlined from '@ant-design/icons-svg/es/asn/TableOutlined.js'
import UndoOutlined from '@ant-design/icons-svg/es/asn/UndoOutlined.js'
import { memo, type ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { Icon } from '../plain/icon.tsx'
import { PlainButton } from '../plain/plain-button.tsx'
import styles from './chart.module.css'

/** Actions of a chart's tools; the object is stable while the chart is mounted. */
export interface ChartActions {
  zoomIn: () => void
  zoomOut: () => void
  zoomReset: () => void
  toggleTable: () => void
}

interface Props {
  actions: ChartActions
  zoomed: boolean
  tableOpen: boolean
  /** Further tools next to those of the chart. */
  children: ReactNode
}

/** Zooms a chart, and shows its values as a table. Memoized: rendering buttons at every step of a zoom is expensive. */
export const ChartTools = memo(function ChartTools({ actions, zoomed, tableOpen, children }: Props) {
  const t = useT()
  return (
    <div className={styles.tools}>
      {children}
      <PlainButton square aria-label={t('charts:zoomIn')} title={t('charts:zoomIn')} onClick={actions.zoomIn}>
        <Icon of={PlusOutlined} />
      </PlainButton>
      <PlainButton
        square
        aria-label={t('charts:zoomOut')}
        title={t('charts:zoomOut')}
        disabled={!zoomed}
        onClick={actions.zoomOut}
      >
        <Icon of={MinusOutlined} />
      </PlainButton>
      <PlainButton
        square
        aria-label={t('charts:zoomReset')}
        title={t('charts:zoomReset')}
        disabled={!zoomed}
        onClick={actions.zoomReset}
      >
        <Icon of={UndoOutlined} />
      </PlainButton>
      <PlainButton
        square
        aria-label={t('charts:asTable')}
        title={t('charts:asTable')}
        aria-pressed={tableOpen}
        main={tableOpen}
        onClick={actions.toggleTable}
      >
        <Icon of={TableOutlined} />
      </PlainButton>
    </div>
  )
})
