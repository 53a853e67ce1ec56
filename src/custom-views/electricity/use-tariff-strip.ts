import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { homeTariff, type PeakDayList } from '../../../contract/tariffs/home-tariff-calls.ts'
import { tariff } from '../../../contract/tariffs/tariff.ts'
import { formatDay, parseDay } from '../../../contract/time/periods.ts'
import type { PeakDays } from '../../../contract/tariffs/peak-days.ts'
import { hasPeakDays } from '../../../contract/tariffs/tariff-terms.ts'
import { taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ChartStrip } from '../../ui/chart/model.ts'
import { bandColors } from '../../ui/chart/energy-colors.ts'
import type { Period } from '../../ui/inputs/period-picker/period.ts'
import { bandTimes } from './tariff-spans.ts'

/** Of more days than this the bands could not be told apart. */
const MOST_DAYS = 7
const NONE: readonly ChartStrip[] = []

/** The tariff's bands under a chart of hours; nothing where there is no tariff with bands, or where it cannot be read. */
export function useTariffStrip(
  homeId: string,
  period: Period,
  zone: string,
  wanted: boolean,
): readonly ChartStrip[] {
  const t = useT()
  const { first, last } = period.days
  const enabled = wanted && last - first < MOST_DAYS
  const held = useQuery({ ...callQuery(homeTariff.listHomeTariff, { HomeID: homeId }), enabled })
  const tariffs = held.data
  const hasOwn = tariffs?.some(({ PlanID }) => !taipowerPlan(PlanID)) ?? false
  const own = useQuery({ ...callQuery(tariff.operations.list, {}), enabled: enabled && hasOwn })
  const years = [...new Set([first, last].map((day) => Number(formatDay(day).slice(0, 4))))]
  const offPeak = useQueries({
    queries: years.map((Year) => ({
      ...callQuery(homeTariff.listOffPeakDay, { Year }),
      enabled: enabled && (tariffs?.length ?? 0) > 0,
    })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
  const versionsOf = (planId: string) =>
    (taipowerPlan(planId) ?? own.data?.find(({ TariffID }) => TariffID === planId))?.Versions
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
    // Years and versions follow from the days and the tariffs.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [enabled, tariffs, offPeak, announced, own.data, first, last, zone, t])
}

/** Announced peak days of some years, as far as they are loaded. */
const peakDaysOf = (years: readonly number[], announced: readonly (PeakDayList | undefined)[]): PeakDays => ({
  Days: announced.flatMap((list) => list?.Days.map(parseDay) ?? []),
  CompleteThrough: Object.fromEntries(
    years.flatMap((year, i) => {
      const through = announced[i]?.CompleteThrough
      return through ? [[year, parseDay(through)]] : []
    }),
  ),
})
