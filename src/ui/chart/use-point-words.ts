import { useCallback } from 'react'
import { nextStart } from '../../../contract/time/periods.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { valueWords as sayValue, type ChartAxis, type ChartColumn, type ChartModel } from './model.ts'
import { isPartly } from './partly.ts'
import { formatWhen } from '../../lib/format-when.ts'
import { formatPeriod } from './time-ticks.ts'
import { tooltipRows, type TooltipRow } from './tooltip-rows.ts'

/** Text of a time of a chart: the period if it has bars, else the time to the second. */
export function useMomentWords({ zone, resolution, series }: ChartModel): (at: number) => string {
  const language = useLanguage()
  const bars = series.some(({ draw }) => draw === 'bars')
  return useCallback(
    (at: number) =>
      bars ? formatPeriod(at, resolution, zone, language) : formatWhen(at, language, zone, 'second'),
    [bars, resolution, zone, language],
  )
}

/** Text of a series' value with its unit, for a mean also its range; "–" without a value. */
export function usePointValueWords({ axes }: Pick<ChartModel, 'axes'>) {
  return ({ series, value, range }: Pick<TooltipRow, 'series' | 'value' | 'range'>): string => {
    const axis = axes[series.axis ?? 0] ?? axes[0]
    if (value === null) return '–'
    const words = `${sayValue(axis, value)} ${axis.unit}`
    return range ? `${words} (${formatRangeOfMean(axis, range)})` : words
  }
}

/** Range of the values that a mean hides. */
export const formatRangeOfMean = (axis: ChartAxis, { low, high }: NonNullable<TooltipRow['range']>): string =>
  `${sayValue(axis, low)} – ${sayValue(axis, high)}`

/** Texts of the marks at a time: unfinished period, estimated figures, missing parts. `ofPast` covers a value of a compared period. */
export function useMarkWords({ series, resolution, zone, now }: ChartModel) {
  const t = useT()
  const bars = series.some(({ draw }) => draw === 'bars')
  return {
    ofMoment(rows: readonly TooltipRow[], at: number): string[] {
      if (!bars) return []
      const period = { from: at, to: nextStart(resolution, at, zone) }
      const known = rows.filter(({ series, value }) => !series.faint && value !== null)
      return [
        ...(at <= now && now < period.to ? [t('charts:unfinished')] : []),
        ...(known.some(({ between }) => between > 0) ? [t('charts:between')] : []),
        ...(known.some(({ estimated }) => estimated > 0) ? [t('charts:estimated')] : []),
        ...(known.some(({ missing }) => isPartly(missing, period, now)) ? [t('charts:partly')] : []),
      ]
    },
    ofPast: ({ value, between, estimated, missing }: TooltipRow): string[] =>
      value === null
        ? []
        : [
            ...(between > 0 ? [t('charts:between')] : []),
            ...(estimated > 0 ? [t('charts:estimated')] : []),
            ...(missing > 0 ? [t('charts:partly')] : []),
          ],
  }
}

/** All values and marks at a time as one sentence, for a screen reader. */
export function usePointWords(props: {
  model: ChartModel
  columns: readonly ChartColumn[]
  summed: boolean
}): (at: number) => string {
  const { model, columns, summed } = props
  const t = useT()
  const momentWords = useMomentWords(model)
  const valueWords = usePointValueWords(model)
  const marks = useMarkWords(model)
  return (at) => {
    const { rows, sum } = tooltipRows(model, columns, at, summed)
    const [axis] = model.axes
    return [
      momentWords(at),
      ...rows.map((row) =>
        [row.series.label, valueWords(row), ...(row.series.faint ? marks.ofPast(row) : [])].join(' '),
      ),
      ...(sum?.value !== null && sum?.value !== undefined && rows.length > 1
        ? [`${t('charts:sum')} ${sayValue(axis, sum.value)} ${axis.unit}`]
        : []),
      ...marks.ofMoment(rows, at),
    ].join(t('charts:listMark'))
  }
}
