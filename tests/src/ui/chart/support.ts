import { startsBetween, type Resolution } from '../../../../contract/time/periods.ts'
import { seriesColor } from '../../../../src/ui/chart/energy-colors.ts'
import type { ChartModel, TimeSeries } from '../../../../src/ui/chart/model.ts'

export const HOUR = 3_600_000
export const at = (text: string) => Date.parse(text)

export const bars = (key: string, times: readonly number[], more: Partial<TimeSeries>): TimeSeries => ({
  key,
  label: key,
  color: seriesColor(0),
  draw: 'bars',
  times,
  values: times.map(() => 1),
  stack: 'whole',
  ...more,
})

export const model = (
  more: Partial<ChartModel> & Pick<ChartModel, 'from' | 'to' | 'series'>,
): ChartModel => ({
  zone: 'Asia/Taipei',
  resolution: 'hour',
  axes: [{ unit: 'kWh', format: String, fromZero: true }],
  now: 0,
  ...more,
})

export const starts = (resolution: Resolution, from: string, to: string, zone = 'Asia/Taipei') =>
  startsBetween(resolution, at(from), at(to), zone)
