import type { EnergyPoint } from '../../../../contract/energy/meter-data-calls.ts'
import { QUARTER_MS, startsBetween } from '../../../../contract/time/periods.ts'
import { betweenShare, estimatedShare, missingShare } from '../../../domain/energy/totals.ts'
import { REST_COLOR, seriesColor } from '../../../ui/chart/energy-colors.ts'
import type { TimeSeries } from '../../../ui/chart/model.ts'
import { colors } from '../../../ui/theme/theme.ts'
import { kwOf } from '../use-power.ts'

/** What a curve is drawn from. */
export type PowerPoint = Pick<EnergyPoint, 'Timestamp' | 'kWh' | 'Coverage'>

interface Given {
  /** The first ms of yesterday, today and tomorrow. */
  from: number
  today: number
  to: number
  now: number
  zone: string
  /** kW; null where there is none, or nobody can say. */
  limit: number | null
  forecast: number | null
  words: Readonly<Record<'today' | 'yesterday' | 'contract' | 'forecast' | 'peak' | 'peakAtLeast', string>>
}

const LIMIT_COLOR = { light: colors.light.alarm, dark: colors.dark.alarm, texture: 'dashed' } as const
const PEAK_COLOR = { light: colors.light.text, dark: colors.dark.text }
const FORECAST_COLOR = { light: colors.light.warning, dark: colors.dark.warning }

/**
 * Today's quarters of an hour as bars of their mean power, kW, yesterday's as a pale line, the contract as a line across; the highest
 * quarter that has ended, and what the running one will come to, as dots.
 */
export function powerSeries(points: readonly PowerPoint[], given: Given): TimeSeries[] {
  const { from, today, to, now, zone, limit, forecast, words } = given
  const starts = startsBetween('quarter', today, to, zone)
  const before = startsBetween('quarter', from, today, zone)
  const byTime = new Map(points.map((point) => [point.Timestamp, point]))
  const ofToday = starts.map((at) => byTime.get(at))
  const values = ofToday.map((point) => (point ? kwOf(point) : null))
  const ended = values.map((value, i) => ((starts[i] ?? 0) + QUARTER_MS <= now ? value : null))
  const isPartial = ofToday.some(
    (point, i) => point !== undefined && ended[i] !== null && missingShare(point.Coverage) > 0,
  )
  const peak = Math.max(...ended.map((value) => value ?? -Infinity))
  const at = { times: starts, draw: 'line' } as const
  const share = (of: (coverage: EnergyPoint['Coverage']) => number) =>
    ofToday.map((point) => (point ? of(point.Coverage) : 0))
  return [
    {
      key: 'today',
      label: words.today,
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
      key: 'yesterday',
      label: words.yesterday,
      color: REST_COLOR,
      faint: true,
      values: starts.map((_, i) => {
        const point = byTime.get(before[i] ?? Number.NaN)
        return point ? kwOf(point) : null
      }),
      trueTimes: starts.map((start, i) => before[i] ?? start),
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
            values: only(ended, ended.indexOf(peak), peak),
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
            values: only(
              starts,
              starts.findIndex((start) => start <= now && now < start + QUARTER_MS),
              forecast,
            ),
          },
        ]),
  ]
}

/** One value among as many places that have none. */
const only = (places: readonly unknown[], place: number, value: number): (number | null)[] =>
  places.map((_, i) => (i === place ? value : null))
