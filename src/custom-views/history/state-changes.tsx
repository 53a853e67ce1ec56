import { Table } from 'antd'
import type { FC } from 'react'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { type HistoryLine, changesOf, reportedStates } from '../../domain/history/history-model.ts'
import page from '../../ui/page/page.module.css'
import styles from '../../domain/history/history.module.css'
import { useQuantityWords } from '../../domain/history/quantity-words.ts'

const LINES = 50

/** State changes of a chart as a table, newest first. */
export const StateChanges: FC<{ lines: readonly HistoryLine[]; view: ChartView; zone: string }> = ({
  lines,
  view,
  zone,
}) => {
  const t = useT()
  const language = useLanguage()
  const words = useQuantityWords()
  const rows = lines
    .filter(({ quantity }) => quantity.Kind === 'state')
    .flatMap(({ label, device, series }) =>
      changesOf(reportedStates(series)).flatMap(({ at, value }) => {
        if (at < view.from || at >= view.to) return []
        const state = words.stateName(device, series.Field, value)
        return [{ key: `${label} ${at} ${state}`, at, label, state }]
      }),
    )
    // Reversed first, because the stable sort keeps the order of changes at the same time.
    .toReversed()
    .sort((a, b) => b.at - a.at)
  if (rows.length === 0) return null
  return (
    <details className={`${page.above16} ${styles.changes}`}>
      <summary>{t('history:changes', { count: rows.length })}</summary>
      <Table
        size="small"
        aria-label={t('history:changes', { count: rows.length })}
        dataSource={rows}
        scroll={{ x: 'max-content' }}
        pagination={{ pageSize: LINES, showSizeChanger: false, hideOnSinglePage: true }}
        columns={[
          {
            dataIndex: 'at',
            title: t('charts:time'),
            render: (at: number) => formatWhen(at, language, zone, 'second'),
          },
          { dataIndex: 'label', title: t('history:csv.quantity') },
          { dataIndex: 'state', title: t('history:csv.state') },
        ]}
      />
    </details>
  )
}
