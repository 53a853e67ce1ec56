import { useEffect, useMemo } from 'react'
import type { EnergySeries, Grouping } from '../../../contract/energy/meter-data-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { plainPart } from '../../ui/page/lazy.tsx'
import { SkeletonBox } from '../../ui/page/skeleton.tsx'
import { LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { fetchTimeChart } from '../../ui/chart/fetch-time-chart.ts'
import { formatAxis } from '../../../contract/kernel/numbers.ts'
import type { ChartZoom } from '../../ui/chart/time-chart.tsx'
import type { Period, DayRange } from '../../ui/inputs/period-picker/period.ts'
import { ENERGY_MEASURES, type EnergyMeasure } from '../../domain/energy/measures.ts'
import type { Bars } from './address.ts'
import { chartSeries } from '../../domain/energy/chart-series.ts'
import page from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import { ENERGY_UNITS, FIGURE_FORMATS } from '../../domain/energy/use-figures.ts'
import { useSeriesNames, type NamedMeter } from '../../domain/energy/use-names.ts'
import { useEndedRooms } from './use-energy.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { homeTariff, type PeakDayList, type HomeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { tariff } from '../../../contract/tariffs/tariff.ts'
import {
  formatDay,
  parseDay,
  QUARTER_MS,
  quartersOfDay,
  startOfDay,
  wallMinute,
} from '../../../contract/time/periods.ts'
import type { PeakDays } from '../../../contract/tariffs/peak-days.ts'
import {
  hasPeakDays,
  bandsOfDay,
  pricing,
  versionOn,
  type Band,
  type TariffVersion,
} from '../../../contract/tariffs/tariff-terms.ts'
import { taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import { callQuery } from '../../data/api.ts'
import type { ChartStrip } from '../../ui/chart/model.ts'
import { bandColors } from '../../ui/chart/energy-colors.ts'

/** Maximum number of days for which the bands are legible. */
const MAX_BAND_DAYS = 7
const NONE: readonly ChartStrip[] = []

/** Strip with the tariff's bands below an hourly chart; empty if there are none or they cannot be read. */
function useTariffStrip(
  homeId: string,
  period: Period,
  zone: string,
  isEnabled: boolean,
): readonly ChartStrip[] {
  const t = useT()
  const { first, last } = period.days
  const enabled = isEnabled && last - first < MAX_BAND_DAYS
  const tariffsQuery = useQuery({ ...callQuery(homeTariff.listHomeTariff, { HomeID: homeId }), enabled })
  const tariffs = tariffsQuery.data
  const hasOwn = tariffs?.some(({ PlanID }) => !taipowerPlan(PlanID)) ?? false
  const ownTariffs = useQuery({ ...callQuery(tariff.operations.list, {}), enabled: enabled && hasOwn })
  const years = [...new Set([first, last].map((day) => Number(formatDay(day).slice(0, 4))))]
  const offPeak = useQueries({
    queries: years.map((Year) => ({
      ...callQuery(homeTariff.listOffPeakDay, { Year }),
      enabled: enabled && (tariffs?.length ?? 0) > 0,
    })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
  const versionsOf = (planId: string) =>
    (taipowerPlan(planId) ?? ownTariffs.data?.find(({ TariffID }) => TariffID === planId))?.Versions
  const hasAnnounced = tariffs?.some(({ PlanID }) => versionsOf(PlanID)?.some(hasPeakDays)) ?? false
  const announced = useQueries({
    queries: years.map((Year) => ({
      ...callQuery(homeTariff.listPeakDay, { Year }),
      enabled: enabled && hasAnnounced,
    })),
    combine: (answers) => answers.map(({ data }) => data),
  })
  return useMemo(() => {
    if (!enabled || !tariffs?.length) return NONE
    const days = new Set(offPeak.flatMap(({ Date, IsOffPeak }) => (IsOffPeak ? [parseDay(Date)] : [])))
    const PeakDays = peakDaysOf(years, announced)
    const withPeakDays = (planId: string) =>
      versionsOf(planId)?.map((version) => (hasPeakDays(version) ? { ...version, PeakDays } : version))
    const spans = bandTimes({ first, last }, tariffs, withPeakDays, days, zone).map(({ from, to, band }) => ({
      from,
      to,
      color: bandColors[band],
      label: t(`energy:bands.${band}`),
    }))
    return spans.length > 0 ? [{ key: 'bands', label: t('energy:bandStrip'), spans }] : NONE
    // Years and versions derive from the days and the tariffs.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [enabled, tariffs, offPeak, announced, ownTariffs.data, first, last, zone, t])
}

/** Announced peak days of some years, as far as they are loaded. */
const peakDaysOf = (years: readonly number[], announced: readonly (PeakDayList | undefined)[]): PeakDays => ({
  Days: announced.flatMap((list) => list?.Days.map(parseDay) ?? []),
  CompleteThrough: Object.fromEntries(
    years.flatMap((year, i) => {
      const completeUntil = announced[i]?.CompleteThrough
      return completeUntil ? [[year, parseDay(completeUntil)]] : []
    }),
  ),
})

const fallback = <SkeletonBox className={styles.chartBone} />
/** Loaded separately; the figures above do not wait for it. */
const TimeChart = plainPart(fetchTimeChart, { fallback })

interface Props {
  homeId: string
  zone: string
  period: Period
  starts: readonly number[]
  bars: Bars
  by: Grouping
  zoom: ChartZoom
  /** Undefined during the first load. */
  currentSeries: readonly EnergySeries[] | undefined
  loading: boolean
  error: unknown
  retry: () => void
  before: { series: readonly EnergySeries[]; starts: readonly number[]; isFallback: boolean } | undefined
  measure: EnergyMeasure
  /** Undefined while they load. */
  meters: ReadonlyMap<string, NamedMeter> | undefined
  /** Name of the selected meters; undefined for the whole home. */
  selectedName: string | undefined
  /** Whether the bars can be added up. */
  summed: boolean
  now: number
}

/** Bars of the period, next to those of the compared period, with the tariff's bands below. */
export function EnergyChart(props: Props) {
  const { homeId, zone, period, starts, bars, by, zoom, currentSeries, loading, error, retry, before } = props
  const { measure, meters, selectedName, summed, now } = props
  const t = useT()
  const endedRooms = useEndedRooms(homeId, by)
  const { nameOf, colorOf } = useSeriesNames(homeId, by, meters, endedRooms)
  const series = useMemo(
    () =>
      currentSeries &&
      chartSeries(currentSeries, before, starts, measure, {
        // Ungrouped, the one series is of the selected meters, not of the home.
        nameOf: by === 'home' && selectedName !== undefined ? () => selectedName : nameOf,
        colorOf,
        rest: t('energy:rest'),
        before: t(before?.isFallback ? 'electricity:compared.chart' : 'energy:before'),
      }),
    [currentSeries, before, starts, measure, by, selectedName, nameOf, colorOf, t],
  )
  const axes = useMemo(
    () =>
      [
        {
          unit: ENERGY_UNITS[measure],
          fromZero: true,
          format: formatAxis,
          formatValue: FIGURE_FORMATS[measure],
        },
      ] as const,
    [measure],
  )
  const columns = useMemo(
    () =>
      ENERGY_MEASURES.filter((otherMeasure) => otherMeasure !== measure).map((measureOption) => ({
        key: measureOption,
        label: ENERGY_UNITS[measureOption],
        format: FIGURE_FORMATS[measureOption],
      })),
    [measure],
  )
  const strips = useTariffStrip(homeId, period, zone, bars === 'hour')
  useEffect(() => void TimeChart.preload(), [])
  if (error && !currentSeries) return <LoadFailed error={error} retry={retry} />
  if (!series) return fallback
  const isEmpty = series.every(({ values }) => Array.from(values).every((value) => value === null))
  if (isEmpty && !loading)
    return <EmptyState message={t(period.from > now ? 'energy:future' : `energy:noData.${measure}`)} />
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

/** Time span of one band, epoch ms, `to` exclusive. */
interface BandTime {
  from: number
  to: number
  band: Band
}

/**
 * Bands of a home's tariffs over some days, in its time zone; none on days without a tariff or with a tariff without bands.
 *
 * versionsOf   versions of a plan by its id; undefined if they are not loaded
 * offPeakDays  days as numbered by `dayOf`
 */
export function bandTimes(
  { first, last }: Pick<DayRange, 'first' | 'last'>,
  tariffs: readonly HomeTariff[],
  versionsOf: (planId: string) => readonly TariffVersion[] | undefined,
  offPeakDays: ReadonlySet<number>,
  zone: string,
): BandTime[] {
  const times: BandTime[] = []
  for (let day = first; day <= last; day++) {
    const tariffOfDay = tariffs.find(
      ({ ValidFrom, ValidThrough }) =>
        parseDay(ValidFrom) <= day && (ValidThrough === null || day <= parseDay(ValidThrough)),
    )
    // A day without bands: whether it was announced as a peak day is unknown.
    const version = tariffOfDay && pricing(versionOn(versionsOf(tariffOfDay.PlanID) ?? [], day), day)
    if (version?.Kind !== 'timeOfUse') continue
    const bands = bandsOfDay(version, day, offPeakDays)
    const start = startOfDay(day, zone)
    for (let quarter = 0; quarter < quartersOfDay(day, zone); quarter++) {
      const minute = wallMinute(day, quarter, zone)
      const band = bands.find(
        ({ FromMinute, ThroughMinute }) => FromMinute <= minute && minute < ThroughMinute,
      )?.Band
      if (!band) continue
      const from = start + quarter * QUARTER_MS
      const previous = times.at(-1)
      if (previous?.to === from && previous.band === band) previous.to = from + QUARTER_MS
      else times.push({ from, to: from + QUARTER_MS, band })
    }
  }
  return times
}
