import { useMemo } from 'react'
import { periodsBetween } from '../../../../contract/tariffs/energy-totals.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { formatAxis, formatEnergy, formatFigure } from '../../../../contract/kernel/numbers.ts'
import { TimeChart } from '../../../ui/chart/time-chart.tsx'
import { seriesColor } from '../../../ui/chart/energy-colors.ts'
import { AmountValue } from '../../../ui/tags/power-value.tsx'
import { chartSeries } from '../../../domain/energy/chart-series.ts'
import { Change } from '../../../domain/energy/change.tsx'
import { differenceOf, totalOf, wholeOf } from '../../../domain/energy/totals.ts'
import { ENERGY_UNITS } from '../../../domain/energy/use-figures.ts'
import { QueryCard, CardFrame, Empty, type EnergyCardProps } from './card-frame.tsx'
import page from '../../../ui/page/page.module.css'
import { CoverageNotes } from './coverage-notes.tsx'
import { NoMeters } from './no-meters.tsx'
import { usePowerOfAll } from '../common/use-power.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import type { EnergyPoint } from '../../../../contract/energy/meter-data-calls.ts'
import { twoDaysOf, useTwoDays } from './use-card-energy.ts'

const HEIGHT = 220

/** Hourly energy of homes today and yesterday, in the time zone of the first. */
export function DayCard({ homes, title, extra }: EnergyCardProps) {
  const t = useT()
  const now = useNow()
  const [home] = homes
  const isAll = homes.length > 1
  const ofHome = useTwoDays(home, !isAll)
  const ofAll = usePowerOfAll(home, isAll)
  const query = isAll ? ofAll : ofHome
  const zone = home.TimeZone
  const { from, today, to } = twoDaysOf(now, zone)
  const [is, previous] = useMemo(
    () => [periodsBetween('hour', today, to, zone), periodsBetween('hour', from, today, zone)] as const,
    [from, today, to, zone],
  )
  const points = useMemo(
    () => (isAll ? hoursOf(ofAll.data?.Points ?? [], from, to, zone) : wholeOf(ofHome.data?.Series)),
    [isAll, ofAll.data, ofHome.data, from, to, zone],
  )
  const { ofToday, ofYesterday, series } = useMemo(() => {
    const ofToday = points.filter(({ Timestamp }) => Timestamp >= today && Timestamp < to)
    const ofYesterday = points.filter(({ Timestamp }) => Timestamp >= from && Timestamp < today)
    const series = chartSeries(
      [{ Key: '', Points: ofToday }],
      { series: [{ Key: '', Points: ofYesterday }], starts: previous.starts },
      is.starts,
      'kwh',
      {
        nameOf: () => t('cards:today'),
        colorOf: () => seriesColor(0),
        rest: '',
        before: t('cards:yesterday'),
      },
    )
    return { ofToday, ofYesterday, series }
  }, [points, from, today, to, is, previous, t])
  const difference = differenceOf(ofToday, ofYesterday, [...is.starts.slice(1), is.end], now, 'kwh')
  const axes = useMemo(
    () =>
      [{ unit: ENERGY_UNITS.kwh, fromZero: true, format: formatAxis, formatValue: formatFigure }] as const,
    [],
  )
  const isKnown = totalOf(points).kWh !== null
  const renderBody = () => {
    if (query.data?.Meters.Total === 0 && !isKnown) return <NoMeters homeId={home.HomeID} />
    if (!isKnown) return <Empty why={t('cards:noReadings')} />
    return (
      <>
        <p className={page.lead}>
          <AmountValue amount={formatEnergy(totalOf(ofToday).kWh)} large />
          {difference && <Change difference={difference} measure="kwh" />}
        </p>
        <TimeChart
          label={t('cards:dayLabel', { home: isAll ? t('shell:home.all') : home.HomeName })}
          zone={zone}
          from={today}
          to={to}
          resolution="hour"
          axes={axes}
          series={series}
          now={now}
          height={HEIGHT}
        />
        {query.data && (
          <CoverageNotes
            points={points}
            meters={query.data.Meters}
            computed={query.data.ComputedPercent}
            homeId={isAll ? undefined : home.HomeID}
          />
        )}
      </>
    )
  }
  return (
    <CardFrame
      title={title ?? t('dashboard:cards.day')}
      to={
        isAll ? undefined : `${pathTo('Electricity', { HomeID: home.HomeID })}?range=today&compare=previous`
      }
      extra={extra}
      busy={query.isPending}
    >
      <QueryCard query={query}>{renderBody()}</QueryCard>
    </CardFrame>
  )
}

/** Sums of quarter hours by hour, as far as they are known. */
function hoursOf(
  quarters: readonly Pick<EnergyPoint, 'Timestamp' | 'kWh' | 'Coverage'>[],
  from: number,
  to: number,
  zone: string,
): EnergyPoint[] {
  const { starts, end } = periodsBetween('hour', from, to, zone)
  return starts.map((start, i) => {
    const within = quarters.filter(
      ({ Timestamp }) => Timestamp >= start && Timestamp < (starts[i + 1] ?? end),
    )
    const unpriced = { Cost: null, CarbonKg: null, Resets: 0 }
    const { kWh, Coverage } = totalOf(within.map((point) => ({ ...point, ...unpriced })))
    return { Timestamp: start, kWh, Coverage, ...unpriced }
  })
}
