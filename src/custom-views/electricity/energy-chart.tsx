import { Skeleton } from 'antd'
import { useMemo } from 'react'
import type { EnergySeries } from '../../../contract/procedures/meter-data.ts'
import { useT } from '../../providers/i18n.ts'
import { LoadFailed, Nothing } from '../../ui/crud/states.tsx'
import { formatAxis } from '../../ui/chart/format-axis.ts'
import { TimeChart, type ChartZoom } from '../../ui/chart/time-chart.tsx'
import type { Period } from '../../ui/period-picker/period.ts'
import { MEASURES, type Bars, type EnergyAddress } from './address.ts'
import { chartSeries } from './chart-series.ts'
import styles from './electricity.module.css'
import { UNITS, useFigures } from './use-figures.ts'
import { useSeriesNames, type NamedMeter } from './use-names.ts'
import { useTariffStrip } from './use-tariff-strip.ts'

interface Props {
  homeId: string
  zone: string
  period: Period
  starts: readonly number[]
  bars: Bars
  zoom: ChartZoom
  /** Undefined while nothing has come yet. */
  found: readonly EnergySeries[] | undefined
  loading: boolean
  error: unknown
  retry: () => void
  before: { series: readonly EnergySeries[]; starts: readonly number[] } | undefined
  address: EnergyAddress
  meters: ReadonlyMap<string, NamedMeter>
  chosen: readonly string[]
  now: number
}

/** The period's bars, with those of the compared one beside them and the tariff's bands beneath. */
export function EnergyChart(props: Props) {
  const { homeId, zone, period, starts, bars, zoom, found, loading, error, retry, before } = props
  const { address, meters, chosen, now } = props
  const t = useT()
  const figures = useFigures()
  const { by, measure } = address
  const { nameOf, colorOf } = useSeriesNames(homeId, by, meters)
  const series = useMemo(
    () =>
      found &&
      chartSeries(found, before, starts, measure, {
        nameOf,
        colorOf,
        rest: t('energy:rest'),
        before: t('energy:before'),
      }),
    [found, before, starts, measure, nameOf, colorOf, t],
  )
  const axes = useMemo(
    () => [{ unit: UNITS[measure], fromZero: true, format: formatAxis, formatValue: figures }] as const,
    [measure, figures],
  )
  const columns = useMemo(
    () =>
      MEASURES.filter((one) => one !== measure).map((one) => ({
        key: one,
        label: UNITS[one],
        format: figures,
      })),
    [measure, figures],
  )
  const strips = useTariffStrip(homeId, period, zone, bars === 'hour')
  if (error && !found) return <LoadFailed error={error} retry={retry} />
  if (!series)
    return (
      <Skeleton.Node active className={styles.chartBone ?? ''}>
        <span />
      </Skeleton.Node>
    )
  const empty = series.every(({ values }) => Array.from(values).every((value) => value === null))
  if (empty && !loading)
    return <Nothing why={t(period.from > now ? 'energy:future' : `energy:noData.${measure}`)} />
  return (
    <div className={loading ? styles.stale : undefined} aria-busy={loading}>
      <TimeChart
        label={t('energy:chartLabel', { unit: UNITS[measure] })}
        zone={zone}
        from={period.from}
        to={period.to}
        resolution={bars}
        axes={axes}
        series={series}
        columns={columns}
        summed={!overlaps(chosen, meters)}
        strips={strips}
        now={now}
        zoom={zoom}
      />
    </div>
  )
}

/** Whether one of the chosen meters stands above another: then both count the same energy, and a sum would count it twice. */
function overlaps(chosen: readonly string[], meters: ReadonlyMap<string, NamedMeter>): boolean {
  const wanted = new Set(chosen)
  return chosen.some((id) => {
    const passed = new Set<string>()
    for (let above = meters.get(id)?.ParentMeter; above && !passed.has(above);) {
      if (wanted.has(above)) return true
      passed.add(above)
      above = meters.get(above)?.ParentMeter
    }
    return false
  })
}
