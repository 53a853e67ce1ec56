import { useCallback } from 'react'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { valueWords as sayValue, type ChartColumn, type ChartModel, type TimeSeries } from './model.ts'
import { formatMoment, formatPeriod } from './time-ticks.ts'
import { tooltipRows } from './tooltip-rows.ts'

/** A moment of a chart in words: the period where it has bars, else the time to the second. */
export function useMomentWords({ zone, resolution, series }: ChartModel): (at: number) => string {
  const language = useLanguage()
  const bars = series.some(({ draw }) => draw === 'bars')
  return useCallback(
    (at: number) => (bars ? formatPeriod(at, resolution, zone, language) : formatMoment(at, zone, language)),
    [bars, resolution, zone, language],
  )
}

/** A series' value with its unit; "–" where it has none. */
export function useValueWords({ axes }: Pick<ChartModel, 'axes'>) {
  return (series: TimeSeries, value: number | null): string => {
    const axis = axes[series.axis ?? 0] ?? axes[0]
    return value === null ? '–' : `${sayValue(axis, value)} ${axis.unit}`
  }
}

/** All that is said at a moment in one sentence, for a screen reader. */
export function usePointWords(props: {
  model: ChartModel
  columns: readonly ChartColumn[]
  summed: boolean
}): (at: number) => string {
  const { model, columns, summed } = props
  const t = useT()
  const momentWords = useMomentWords(model)
  const valueWords = useValueWords(model)
  return (at) => {
    const { rows, sum } = tooltipRows(model, columns, at, summed)
    const [axis] = model.axes
    return [
      momentWords(at),
      ...rows.map(({ series, value }) => `${series.label} ${valueWords(series, value)}`),
      ...(sum?.value !== null && sum?.value !== undefined && rows.length > 1
        ? [`${t('charts:sum')} ${sayValue(axis, sum.value)} ${axis.unit}`]
        : []),
    ].join(t('charts:listMark'))
  }
}
