import type { EnergyPoint } from '../../../../contract/energy/meter-data-calls.ts'
import { DAY_MS, QUARTER_MS, startsBetween } from '../../../../contract/time/periods.ts'
import { betweenShare, estimatedShare, missingShare } from '../../../domain/energy/totals.ts'
import { REST_COLOR, seriesColor } from '../../../ui/chart/energy-colors.ts'
import type { TimeSeries } from '../../../ui/chart/model.ts'
import { colors } from '../../../ui/theme/theme.ts'
import { kwOf } from '../common/use-power.ts'

export type PowerPoint = Pick<EnergyPoint, 'Timestamp' | 'kWh' | 'Coverage'>

interface PowerSeriesInput {
  /** The last 24 hours, epoch ms. */
  from: number
  to: number
  now: number
  zone: string
  /** Limit and forecast in kW; null if there is none or it is unknown. */
  limit: number | null
  forecast: number | null
  words: Readonly<Record<'current' | 'previous' | 'contract' | 'forecast' | 'peak' | 'peakAtLeast', string>>
}

const LIMIT_COLOR = { light: colors.light.alarm, dark: colors.dark.alarm, texture: 'dashed' } as const
const PEAK_COLOR = { light: colors.light.text, dark: colors.dark.text }
const FORECAST_COLOR = { light: colors.light.warning, dark: colors.dark.warning }

/**
 * Series of the chart: bars of the mean power per quarter hour in kW, a pale line for the 24 hours before, a horizontal line for the
 * contract, and dots for the highest finished quarter hour and the forecast of the current one.
 */
export function powerSeries(points: readonly PowerPoint[], input: PowerSeriesInput): TimeSeries[] {
  const { from, to, now, zone, limit, forecast, words } = input
  const starts = startsBetween('quarter', from, to, zone)
  const byTime = new Map(points.map((point) => [point.Timestamp, point]))
  const current = starts.map((at) => byTime.get(at))
  const values = current.map((point) => (point ? kwOf(point) : null))
  const endedValues = values.map((value, i) => ((starts[i] ?? 0) + QUARTER_MS <= now ? value : null))
  const isPartial = current.some(
    (point, i) => point !== undefined && endedValues[i] !== null && missingShare(point.Coverage) > 0,
  )
  const peak = Math.max(...endedValues.map((value) => value ?? -Infinity))
  const at = { times: starts, draw: 'line' } as const
  const share = (of: (coverage: EnergyPoint['Coverage']) => number) =>
    current.map((point) => (point ? of(point.Coverage) : 0))
  return [
    {
      key: 'current',
      label: words.current,
      color: seriesColor(0),
      draw: 'bars',
      times: starts,
      values,
      between: share(betweenShare),
      estimated: share(estimatedShare),
      missing: share(missingShare),
    },
    {
      ...at,
      key: 'previous',
      label: words.previous,
      color: REST_COLOR,
      isFaint: true,
      values: starts.map((start) => {
        const point = byTime.get(start - DAY_MS)
        return point ? kwOf(point) : null
      }),
      trueTimes: starts.map((start) => start - DAY_MS),
    },
    ...(limit === null
      ? []
      : [
          {
            ...at,
            key: 'contract',
            label: words.contract,
            color: LIMIT_COLOR,
            values: starts.map(() => limit),
          },
        ]),
    ...(Number.isFinite(peak)
      ? [
          {
            ...at,
            key: 'peak',
            label: isPartial ? words.peakAtLeast : words.peak,
            color: PEAK_COLOR,
            values: valueAt(endedValues, endedValues.indexOf(peak), peak),
          },
        ]
      : []),
    ...(forecast === null
      ? []
      : [
          {
            ...at,
            key: 'forecast',
            label: words.forecast,
            color: FORECAST_COLOR,
            values: valueAt(
              starts,
              starts.findIndex((start) => start <= now && now < start + QUARTER_MS),
              forecast,
            ),
          },
        ]),
  ]
}

/** Array of nulls with one value. */
const valueAt = (places: readonly unknown[], place: number, value: number): (number | null)[] =>
  places.map((_, i) => (i === place ? value : null))
