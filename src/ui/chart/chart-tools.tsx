import { MinusOutlined, PlusOutlined, TableOutlined, UndoOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { memo, type ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './chart.module.css'

/** What a chart's tools do; the same object as long as the chart is on the page. */
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
  /** Further tools beside those of the chart. */
  children: ReactNode
}

/** Zooms a chart, and shows its numbers as a table. Not drawn again with every step of a zoom: buttons are dear. */
export const ChartTools = memo(function ChartTools({ actions, zoomed, tableOpen, children }: Props) {
  const t = useT()
  return (
    <div className={styles.tools}>
      {children}
      <Button
        icon={<PlusOutlined />}
        aria-label={t('charts:zoomIn')}
        title={t('charts:zoomIn')}
        onClick={actions.zoomIn}
      />
      <Button
        icon={<MinusOutlined />}
        aria-label={t('charts:zoomOut')}
        title={t('charts:zoomOut')}
        disabled={!zoomed}
        onClick={actions.zoomOut}
      />
      <Button
        icon={<UndoOutlined />}
        aria-label={t('charts:zoomReset')}
        title={t('charts:zoomReset')}
        disabled={!zoomed}
        onClick={actions.zoomReset}
      />
      <Button
        icon={<TableOutlined />}
        aria-label={t('charts:asTable')}
        title={t('charts:asTable')}
        aria-pressed={tableOpen}
        type={tableOpen ? 'primary' : 'default'}
        onClick={actions.toggleTable}
      />
    </div>
  )
})
