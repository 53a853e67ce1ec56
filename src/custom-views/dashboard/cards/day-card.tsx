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
import { QueryCard, CardFrame, Empty } from './card-frame.tsx'
import styles from './cards.module.css'
import { CoverageNotes } from './coverage-notes.tsx'
import { NoMeters } from './no-meters.tsx'
import { siteCard, type SiteProps } from './site-card.tsx'
import { useTwoDays } from './use-card-energy.ts'

const HEIGHT = 220

export function DayOfSite({ home, choice, title }: SiteProps) {
  const t = useT()
  const { span, now, query } = useTwoDays(home)
  const { from, today, to } = span
  const zone = home.TimeZone
  const [is, previous] = useMemo(
    () => [periodsBetween('hour', today, to, zone), periodsBetween('hour', from, today, zone)] as const,
    [from, today, to, zone],
  )
  const points = useMemo(() => wholeOf(query.data?.Series), [query.data])
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
        <p className={styles.lead}>
          <AmountValue amount={formatEnergy(totalOf(ofToday).kWh)} large />
          {difference && <Change difference={difference} measure="kwh" />}
        </p>
        <TimeChart
          label={t('cards:dayLabel', { home: home.HomeName })}
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
            homeId={home.HomeID}
          />
        )}
      </>
    )
  }
  return (
    <CardFrame
      title={title ?? t('dashboard:cards.day')}
      to={`${pathTo('Electricity', { HomeID: home.HomeID })}?range=today&compare=previous`}
      extra={choice}
      busy={query.isPending}
    >
      <QueryCard query={query}>{renderBody()}</QueryCard>
    </CardFrame>
  )
}

export const DayCard = siteCard(DayOfSite)
