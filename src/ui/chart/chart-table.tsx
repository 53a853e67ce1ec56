import { Table } from 'antd'
import { useMemo } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './chart.module.css'
import { gapSpans } from './gaps.ts'
import {
  lowerBound,
  momentsOf,
  valueWords,
  type ChartAxis,
  type ChartColumn,
  type ChartModel,
  type ChartView,
} from './model.ts'
import {
  tooltipRows,
  type TooltipRow,
  formatRangeOfMean,
  useMarkWords,
  useMomentWords,
} from './use-point-words.ts'

interface Props {
  model: ChartModel
  view: ChartView
  columns: readonly ChartColumn[]
  summed: boolean
  label: string
}

/** A time; with `until`, a span from `at` in which no line has a value. */
interface Line {
  at: number
  until?: number
}

const LINES = 50

/** Table of the chart's values in view, including gaps and marks; further figures are shown as sums. */
export default function ChartTable({ model, view, columns, summed, label }: Props) {
  const t = useT()
  const momentWords = useMomentWords(model)
  const marks = useMarkWords(model)
  const lines = useMemo(() => linesOf(model, view), [model, view])
  const hasMarks = model.series.some(({ draw }) => draw === 'bars') || lines.some(({ until }) => until)
  const [axis] = model.axes
  const formatLine = (
    line: Line,
    value: (rows: ReturnType<typeof tooltipRows>) => string | undefined,
  ): string =>
    (line.until === undefined ? value(tooltipRows(model, columns, line.at, summed)) : undefined) ?? '–'
  return (
    <div className={styles.table}>
      <Table<Line>
        size="small"
        aria-label={label}
        rowKey={({ at, until }) => `${at} ${until ?? ''}`}
        dataSource={lines}
        scroll={{ x: 'max-content' }}
        pagination={{ pageSize: LINES, showSizeChanger: false, hideOnSinglePage: true }}
        columns={[
          {
            key: 'at',
            title: t('charts:time'),
            fixed: 'left',
            render: (_, { at, until }) =>
              until === undefined ? momentWords(at) : `${momentWords(at)} – ${momentWords(until)}`,
          },
          ...model.series.map((series, i) => {
            const ownAxis = model.axes[series.axis ?? 0] ?? axis
            return {
              key: `series ${series.key}`,
              title: `${series.label} (${ownAxis.unit})`,
              align: 'right' as const,
              render: (_: unknown, line: Line) => formatLine(line, ({ rows }) => rowText(ownAxis, rows[i])),
            }
          }),
          ...(summed && model.series.length > 1
            ? [
                {
                  key: 'sum',
                  title: `${t('charts:sum')} (${axis.unit})`,
                  align: 'right' as const,
                  render: (_: unknown, line: Line) =>
                    formatLine(line, ({ sum }) =>
                      formatKnown(sum?.value, (value) => valueWords(axis, value)),
                    ),
                },
              ]
            : []),
          ...(summed ? columns : []).map(({ key, label, format }, i) => ({
            key: `column ${key}`,
            title: label,
            align: 'right' as const,
            render: (_: unknown, line: Line) =>
              formatLine(line, ({ sum }) => formatKnown(sum?.figures[i], format)),
          })),
          ...(hasMarks
            ? [
                {
                  key: 'marks',
                  title: t('charts:marks'),
                  render: (_: unknown, { at, until }: Line) =>
                    until === undefined
                      ? marks
                          .ofMoment(tooltipRows(model, columns, at, summed).rows, at)
                          .join(t('charts:listMark'))
                      : t('charts:missing'),
                },
              ]
            : []),
        ]}
      />
    </div>
  )
}

/** Times of a chart in view, and the gaps of its lines between them. */
function linesOf(model: ChartModel, view: ChartView): Line[] {
  const all = momentsOf(model.series)
  const lines: Line[] = gapSpans(model, view).map(({ from, to }) => ({ at: from, until: to }))
  for (let i = lowerBound(all, view.from); i < all.length && (all[i] as number) < view.to; i++)
    lines.push({ at: all[i] as number })
  // A gap begins at the last value before it.
  return lines.sort((a, b) => a.at - b.at || (a.until ?? 0) - (b.until ?? 0))
}

const formatKnown = (
  value: number | null | undefined,
  format: (value: number) => string,
): string | undefined => (value === null || value === undefined ? undefined : format(value))

/** A value; for a mean, with its range. */
const rowText = (axis: ChartAxis, row: TooltipRow | undefined): string | undefined =>
  formatKnown(row?.value, (value) =>
    row?.range
      ? `${valueWords(axis, value)} (${formatRangeOfMean(axis, row.range)})`
      : valueWords(axis, value),
  )
