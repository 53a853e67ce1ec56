import { useMemo, type FC, type ReactNode } from 'react'
import { formatAxis, formatDecimals, formatReading } from '../../../contract/kernel/numbers.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import type { ChartAxis } from '../../ui/chart/model.ts'
import { TimeChart, type ChartZoom } from '../../ui/chart/time-chart.tsx'
import { timeSeriesOf, strips, type HistoryLine } from './history-model.ts'
import { unitsOf } from './picks.ts'
import { useQuantityWords } from './quantity-words.ts'

interface Props {
  label: string
  lines: readonly HistoryLine[]
  zone: string
  from: number
  to: number
  now: number
  height?: number
  zoom?: ChartZoom
  tools?: ReactNode
  /** Replaces the chart's own legend. */
  legend?: ReactNode
}

const STATES_ONLY = 96

/** Chart of stored quantities: one axis per unit, states as strips below. */
export const HistoryChart: FC<Props> = ({
  label,
  lines,
  zone,
  from,
  to,
  now,
  height,
  zoom,
  tools,
  legend,
}) => {
  const decimals = useDecimalPrecision()
  const words = useQuantityWords()
  const series = useMemo(() => timeSeriesOf(lines), [lines])
  const units = JSON.stringify(unitsOf(lines))
  const axes = useMemo(() => {
    const [leftUnit, right] = JSON.parse(units) as string[]
    // With states alone, the chart needs a time axis only.
    if (leftUnit === undefined) return [{ unit: '', format: () => '' }] as const
    const axis = (unit: string): ChartAxis => ({
      unit: words.unitName(unit),
      fromZero: unit === 'W',
      format:
        unit === 'W'
          ? (value, step) => formatAxis(value / 1000, step === undefined ? step : step / 1000)
          : formatAxis,
      formatValue: (value) =>
        formatReading(value, unit, (reading) => formatDecimals(reading, decimals)).figure,
    })
    return right === undefined ? ([axis(leftUnit)] as const) : ([axis(leftUnit), axis(right)] as const)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a unit's name changes only with the language, which re-renders the page
  }, [units, decimals])
  const shownHeight = series.length === 0 ? STATES_ONLY : height
  return (
    <TimeChart
      label={label}
      zone={zone}
      from={from}
      to={to}
      axes={axes}
      series={series}
      strips={strips(lines, Math.min(to, now), words)}
      now={now}
      {...(shownHeight !== undefined && { height: shownHeight })}
      {...(zoom && { zoom })}
      {...(tools !== undefined && { tools })}
      {...(legend !== undefined && { legend })}
    />
  )
}
