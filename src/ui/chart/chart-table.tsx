import { Table } from 'antd'
import { useMemo } from 'react'
import { useT } from '../../providers/i18n.ts'
import styles from './chart.module.css'
import { lowerBound, momentsOf, valueWords, type ChartColumn, type ChartModel, type View } from './model.ts'
import { tooltipRows } from './tooltip-rows.ts'
import { useMomentWords } from './use-point-words.ts'

interface Props {
  model: ChartModel
  view: View
  columns: readonly ChartColumn[]
  summed: boolean
  label: string
}

const LINES = 50

/** The numbers of a chart that are in view, line by line; of further figures the sums. */
export default function ChartTable({ model, view, columns, summed, label }: Props) {
  const t = useT()
  const momentWords = useMomentWords(model)
  const moments = useMemo(() => {
    const all = momentsOf(model.series)
    const shown: number[] = []
    for (let i = lowerBound(all, view.from); i < all.length && (all[i] as number) < view.to; i++)
      shown.push(all[i] as number)
    return shown
  }, [model.series, view])
  const [axis] = model.axes
  return (
    <div className={styles.table}>
      <Table
        size="small"
        aria-label={label}
        rowKey={(at) => at}
        dataSource={moments}
        scroll={{ x: 'max-content' }}
        pagination={{ pageSize: LINES, showSizeChanger: false, hideOnSinglePage: true }}
        columns={[
          { key: 'at', title: t('charts:time'), fixed: 'left', render: (at: number) => momentWords(at) },
          ...model.series.map((series, i) => {
            const own = model.axes[series.axis ?? 0] ?? axis
            return {
              key: `series ${series.key}`,
              title: `${series.label} (${own.unit})`,
              align: 'right' as const,
              render: (at: number) => {
                const value = tooltipRows(model, columns, at, summed).rows[i]?.value ?? null
                return value === null ? '–' : valueWords(own, value)
              },
            }
          }),
          ...(summed && model.series.length > 1
            ? [
                {
                  key: 'sum',
                  title: `${t('charts:sum')} (${axis.unit})`,
                  align: 'right' as const,
                  render: (at: number) => {
                    const value = tooltipRows(model, columns, at, summed).sum?.value ?? null
                    return value === null ? '–' : valueWords(axis, value)
                  },
                },
              ]
            : []),
          ...(summed ? columns : []).map(({ key, label, format }, i) => ({
            key: `column ${key}`,
            title: label,
            align: 'right' as const,
            render: (at: number) => {
              const value = tooltipRows(model, columns, at, summed).sum?.figures[i] ?? null
              return value === null ? '–' : format(value)
            },
          })),
        ]}
      />
    </div>
  )
}
