import { useEffect, useMemo } from 'react'
import type { EnergySeries, Grouping } from '../../../contract/energy/meter-data-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { plainPart } from '../../ui/page/lazy-part.tsx'
import { SkeletonBox } from '../../ui/plain/skeleton.tsx'
import { LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { fetchTimeChart } from '../../ui/chart/fetch-time-chart.ts'
import { formatAxis } from '../../ui/chart/format-axis.ts'
import type { ChartZoom } from '../../ui/chart/time-chart.tsx'
import type { Period } from '../../ui/inputs/period-picker/period.ts'
import { ENERGY_MEASURES, type EnergyMeasure } from '../../domain/energy/measures.ts'
import type { Bars } from './address.ts'
import { chartSeries } from '../../domain/energy/chart-series.ts'
import page from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import { ENERGY_UNITS, useEnergyFormat } from '../../domain/energy/use-figures.ts'
import { useSeriesNames, type NamedMeter } from '../../domain/energy/use-names.ts'
import { useEndedRooms } from './use-ended-rooms.ts'
import { useTariffStrip } from './use-tariff-strip.ts'

const meanwhile = <SkeletonBox className={styles.chartBone} />
/** The figures above it are there without it. */
const TimeChart = plainPart(fetchTimeChart, { meanwhile })

interface Props {
  homeId: string
  zone: string
  period: Period
  starts: readonly number[]
  bars: Bars
  by: Grouping
  zoom: ChartZoom
  /** Undefined while nothing has come yet. */
  found: readonly EnergySeries[] | undefined
  loading: boolean
  error: unknown
  retry: () => void
  before: { series: readonly EnergySeries[]; starts: readonly number[]; isInstead: boolean } | undefined
  measure: EnergyMeasure
  meters: ReadonlyMap<string, NamedMeter>
  /** Whether the bars add up to something. */
  summed: boolean
  now: number
}

/** The period's bars, with those of the compared one beside them and the tariff's bands beneath. */
export function EnergyChart(props: Props) {
  const { homeId, zone, period, starts, bars, by, zoom, found, loading, error, retry, before } = props
  const { measure, meters, summed, now } = props
  const t = useT()
  const figures = useEnergyFormat()
  const endedRooms = useEndedRooms(homeId, by)
  const { nameOf, colorOf } = useSeriesNames(homeId, by, meters, endedRooms)
  const series = useMemo(
    () =>
      found &&
      chartSeries(found, before, starts, measure, {
        nameOf,
        colorOf,
        rest: t('energy:rest'),
        before: t(before?.isInstead ? 'electricity:compared.chart' : 'energy:before'),
      }),
    [found, before, starts, measure, nameOf, colorOf, t],
  )
  const axes = useMemo(
    () =>
      [{ unit: ENERGY_UNITS[measure], fromZero: true, format: formatAxis, formatValue: figures }] as const,
    [measure, figures],
  )
  const columns = useMemo(
    () =>
      ENERGY_MEASURES.filter((one) => one !== measure).map((one) => ({
        key: one,
        label: ENERGY_UNITS[one],
        format: figures,
      })),
    [measure, figures],
  )
  const strips = useTariffStrip(homeId, period, zone, bars === 'hour')
  useEffect(() => TimeChart.ahead(), [])
  if (error && !found) return <LoadFailed error={error} retry={retry} />
  if (!series) return meanwhile
  const empty = series.every(({ values }) => Array.from(values).every((value) => value === null))
  if (empty && !loading)
    return <EmptyState why={t(period.from > now ? 'energy:future' : `energy:noData.${measure}`)} />
  return (
    <div className={loading ? page.stale : undefined} aria-busy={loading}>
      <TimeChart
        label={t('energy:chartLabel', { unit: ENERGY_UNITS[measure] })}
        zone={zone}
        from={period.from}
        to={period.to}
        resolution={bars}
        axes={axes}
        series={series}
        columns={columns}
        summed={summed}
        strips={strips}
        now={now}
        zoom={zoom}
      />
    </div>
  )
}
