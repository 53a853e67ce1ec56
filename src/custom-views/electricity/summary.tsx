import { formatLack } from '../../../contract/kernel/numbers.ts'
import { Link, useLocation } from 'react-router'
import type { EnergyPoint } from '../../../contract/energy/meter-data-calls.ts'
import type { CarbonFactorOfYear } from '../../../contract/tariffs/carbon.ts'
import { dayOf, formatDay, formatMonth, monthOfDay } from '../../../contract/time/periods.ts'
import { BeingComputed } from '../../domain/energy/being-computed.tsx'
import { Change } from '../../domain/energy/change.tsx'
import { useCarbonWords } from '../../domain/energy/use-carbon-words.ts'
import { ENERGY_MEASURES, type EnergyMeasure } from '../../domain/energy/measures.ts'
import { mayOpen } from '../../navigation/may-open.ts'
import { pathOf, pathTo } from '../../navigation/paths.ts'
import { useT, useLanguage } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { useSubject } from '../../data/session.ts'
import { type DayRange, type Period, formatDays } from '../../ui/inputs/period-picker/period.ts'
import { comparisonIn } from '../../ui/inputs/period-picker/use-period.ts'
import { AmountValue } from '../../ui/tags/power-value.tsx'
import { SkeletonBox } from '../../ui/page/skeleton.tsx'
import pageStyles from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import {
  beganAt,
  betweenShare,
  correctedShare,
  differenceOf,
  estimatedShare,
  figureOf,
  isBeforeMeters,
  missingShare,
  totalOf,
} from '../../domain/energy/totals.ts'
import { formatMeasure } from '../../domain/energy/use-figures.ts'
import { DemandFigures } from './demand-figures.tsx'
import { QuarantinedShare } from '../../domain/energy/quarantined-share.tsx'
import { useAdjusted } from './use-adjusted.ts'
import { useQuery } from '@tanstack/react-query'
import { meterCorrections } from '../../../contract/meters/correction-calls.ts'
import { callQuery } from '../../data/api.ts'

const NONE: readonly EnergyPoint[] = []

interface Props {
  homeId: string
  zone: string
  period: Period
  /** The period as written in an address. */
  range: string
  /** Undefined during the first load. */
  points: readonly EnergyPoint[] | undefined
  before: readonly EnergyPoint[] | undefined
  /** Whether there is, or will be, a comparison. */
  comparing: boolean
  compared: ComparedNote
  beforeFailed: boolean
  overlapping: boolean
  /** Whether the figures are of selected meters instead of the whole site. */
  isFiltered: boolean
  /** Whether the last refresh failed. */
  outdated: boolean
  ends: readonly number[]
  meters: { Reporting: number; Total: number } | undefined
  /** Percent already computed; undefined if none is pending. */
  computed: number | undefined
  carbon: readonly CarbonFactorOfYear[] | undefined
  now: number
  measure: EnergyMeasure
  choose: (measure: EnergyMeasure) => void
  /** Whether the figures belong to the previous period while another one loads. */
  stale: boolean
}

/** Month in which a period ends, as `2026-10`; undefined for the current one. */
function pastMonthOf({ last }: DayRange, today: number): string | undefined {
  const month = monthOfDay(Math.min(last, today))
  return month === monthOfDay(today) ? undefined : formatMonth(month)
}

export function Summary(props: Props) {
  const { homeId, zone, period, range, points, before, comparing, compared, beforeFailed } = props
  const { overlapping, isFiltered, outdated, ends } = props
  const { meters, computed, carbon, now, measure, choose, stale } = props
  const { sentenceOf } = useCarbonWords()
  const t = useT()
  const date = useFormatDate()
  const month = pastMonthOf(period.days, dayOf(now, zone))
  const adjusted = useAdjusted(period, compared.period, zone, points ?? NONE, before)
  if (!points)
    return (
      <div aria-busy="true">
        <div className={styles.totals}>
          {ENERGY_MEASURES.map((option) => (
            <SkeletonBox key={option} className={styles.bone} />
          ))}
          <DemandFigures homeId={homeId} month={month} isFiltered={isFiltered} />
        </div>
        <SkeletonBox className={styles.notesBone} />
      </div>
    )
  const total = totalOf(points)
  const betweenText = betweenShare(total.Coverage)
  const estimated = estimatedShare(total.Coverage)
  const corrected = correctedShare(total.Coverage)
  const missing = missingShare(total.Coverage)
  const startedAt = beganAt(points)
  return (
    <section
      aria-label={t('energy:totals')}
      className={stale ? pageStyles.stale : undefined}
      aria-busy={stale}
    >
      <ul className={styles.totals}>
        {ENERGY_MEASURES.map((option) => {
          // No difference while one period is only partly computed.
          const difference =
            before && computed === undefined && differenceOf(points, before, ends, now, option)
          const onCalendar =
            adjusted &&
            computed === undefined &&
            differenceOf(adjusted.points, adjusted.base, adjusted.ends, now, option)
          return (
            <li key={option}>
              <button
                type="button"
                className={`${pageStyles.card} ${styles.total}`}
                aria-pressed={option === measure}
                onClick={() => choose(option)}
              >
                <span className={pageStyles.small}>{t(`energy:measures.${option}`)}</span>
                {computed !== undefined && <span className={pageStyles.small}>{t('energy:atLeast')}</span>}
                <AmountValue amount={formatMeasure(option, figureOf(total, option))} large />
                {difference ? (
                  <Change difference={difference} measure={option} />
                ) : (
                  comparing && (
                    <span className={pageStyles.small} title={before && t('energy:bothKnownWhy')}>
                      {before ? `– ${t('energy:bothKnown')}` : '\u00a0'}
                    </span>
                  )
                )}
                {onCalendar && (
                  <span className={pageStyles.small} title={t('electricity:compared.adjustedWhy')}>
                    {t('electricity:compared.adjusted')} <Change difference={onCalendar} measure={option} />
                  </span>
                )}
              </button>
            </li>
          )
        })}
        <li>
          <DemandFigures homeId={homeId} month={month} isFiltered={isFiltered} />
        </li>
      </ul>
      <p className={`${pageStyles.wideRow} ${pageStyles.small} ${styles.notes}`}>
        <BeingComputed percent={computed} />
        <ComparedWith note={compared} />
        {before && comparing && <WhyChanged homeId={homeId} period={period} range={range} />}
        {outdated && <span className={pageStyles.warning}>{t('energy:outdated')}</span>}
        {overlapping && <span className={pageStyles.warning}>{t('energy:overlap')}</span>}
        {meters && meters.Reporting < meters.Total && (
          <span className={pageStyles.warning}>
            {t('energy:reporting', { reporting: meters.Reporting, total: meters.Total })}
          </span>
        )}
        {betweenText > 0 && <span>{t('energy:betweenShare', { share: formatLack(betweenText) })}</span>}
        {estimated > 0 && <span>{t('energy:estimatedShare', { share: formatLack(estimated) })}</span>}
        {corrected > 0 && <span>{t('energy:correctedShare', { share: formatLack(corrected) })}</span>}
        {missing > 0 && (
          <span className={pageStyles.warning}>
            {t('energy:missingOfPeriod', { share: formatLack(missing) })}
          </span>
        )}
        <QuarantinedShare coverage={total.Coverage} homeId={homeId} />
        {startedAt !== undefined && (
          <span>{t('energy:since', { day: date(formatDay(dayOf(startedAt, zone))) })}</span>
        )}
        {isBeforeMeters(points) && meters && meters.Total > 0 && <span>{t('energy:beforeMeters')}</span>}
        {measure === 'co2' && carbon && <span>{sentenceOf(carbon)}</span>}
        {total.Resets > 0 && <span>{t('energy:resets', { count: total.Resets })}</span>}
        {total.withoutTariff && <NoTariff homeId={homeId} part={total.Cost !== null} />}
        <QuarantinedLink homeId={homeId} />
        {beforeFailed && <span className={pageStyles.warning}>{t('energy:compareFailed')}</span>}
      </p>
    </section>
  )
}

/** Link to the explanation of the change, with the same periods. */
function WhyChanged({ homeId, period, range }: { homeId: string; period: Period; range: string }) {
  const t = useT()
  const params = new URLSearchParams(useLocation().search)
  const search = new URLSearchParams({
    tab: 'change',
    range,
    against: comparisonIn(params.get('compare'), period.days),
  })
  return <Link to={`${pathTo('Insight', { HomeID: homeId })}?${search}`}>{t('energy:whyChanged')}</Link>
}

/** Note that energy without a tariff has no cost; links to the tariff page if the user has the right. */
function NoTariff({ homeId, part }: { homeId: string; part: boolean }) {
  const t = useT()
  const subject = useSubject()
  const to = `/tariff/${encodeURIComponent(homeId)}`
  const page = pathOf(to)?.name
  return (
    <span className={pageStyles.warning}>
      {t(part ? 'energy:partWithoutTariff' : 'energy:withoutTariff')}{' '}
      {page && mayOpen(page, subject) === true && <Link to={to}>{t('energy:setTariff')}</Link>}
    </span>
  )
}

/** Number of quarantined readings of a home, with a link; nothing if there are none. */
function QuarantinedLink({ homeId }: { homeId: string }) {
  const t = useT()
  const { data } = useQuery(callQuery(meterCorrections.listQuarantinedReading, { HomeID: homeId, Limit: 1 }))
  if (!data?.Total) return null
  return (
    <span className={pageStyles.warning}>
      <Link to={`${pathTo('Meters', { HomeID: homeId })}?tab=quarantined`}>
        {t('energy:quarantined', { count: data.Total })}
      </Link>
    </span>
  )
}

interface ComparedNote {
  /** Undefined while it loads. */
  period: Period | undefined
  /** Whether last year is unknown, so that another period is compared. */
  isFallback: boolean
  /** Whether the previous period is unknown as well. */
  isUnavailable: boolean
}

/** Note on the compared period, and on a substitution. */
function ComparedWith({ note: { period, isFallback, isUnavailable } }: { note: ComparedNote }) {
  const t = useT()
  const language = useLanguage()
  if (isUnavailable) return <span>{t('electricity:compared.none')}</span>
  if (!period) return null
  const days = formatDays(period.days, language)
  const { unit } = period.days
  const insteadKey = unit === 'day' ? 'insteadDay' : unit === 'days' ? 'insteadDays' : 'instead'
  return <span>{t(`electricity:compared.${isFallback ? insteadKey : 'with'}`, { days })}</span>
}
