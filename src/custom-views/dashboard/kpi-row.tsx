import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { Link } from 'react-router'
import { energyText, formatEstimate, moneyText, NO_VALUE } from '../../../contract/kernel/numbers.ts'
import { formatMonth, monthOf } from '../../../contract/time/periods.ts'
import { findings } from '../../../contract/findings/calls.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { callQuery } from '../../data/api.ts'
import { totalOf } from '../../domain/energy/totals.ts'
import { useMissingData } from '../../domain/energy/missing-data.tsx'
import { formatSaving } from '../../domain/finding/use-finding-words.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import page from '../../ui/page/page.module.css'
import { useNow } from '../../ui/page/use-now.ts'
import { spansOf, usageOf } from './cards/usage-card.tsx'
import { useDailySums } from './cards/use-card-energy.ts'
import { useAttention } from './common/attention.ts'
import styles from './common/dashboard.module.css'
import { demandLevelOf, shareOf, useDemands } from './common/use-power.ts'

/** Key figures of the company: cost and energy of this month, demand, possible saving, and open items. */
export default function KpiRow({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const [first] = homes
  if (!first) return null
  return (
    <ul className={styles.kpis} aria-label={t('dashboard:kpi.title')}>
      <MonthFigures homes={homes} first={first} />
      <DemandFigure homes={homes} />
      <SavingFigure homes={homes} />
      <OpenItems homes={homes} />
    </ul>
  )
}

interface FigureProps {
  label: string
  /** The figure; undefined while it loads. */
  value: string | undefined
  /** Whether the request failed. */
  failed: boolean
  /** Scope or limitation, below the figure. */
  note?: ReactNode
  tone?: 'warning' | 'critical' | undefined
  to?: string | undefined
}

function Figure({ label, value, failed, note, tone, to }: FigureProps) {
  const t = useT()
  const id = useId()
  return (
    <li className={`${page.card} ${styles.kpi}`} data-level={tone} aria-busy={value === undefined && !failed}>
      <span id={id} className={page.small}>
        {to === undefined ? (
          label
        ) : (
          <Link to={to} className={styles.whole}>
            {label}
          </Link>
        )}
      </span>
      <strong aria-labelledby={id}>{value ?? (failed ? NO_VALUE : '\u00a0')}</strong>
      <span className={page.small}>{value === undefined ? failed && t('dashboard:kpi.failed') : note}</span>
    </li>
  )
}

/** Cost and energy of this month in all sites: a part is never shown as the whole. */
function MonthFigures({ homes, first }: { homes: readonly HomeWithRooms[]; first: HomeWithRooms }) {
  const t = useT()
  const now = useNow()
  const lacks = useMissingData()
  const { data, error } = useDailySums(homes)
  const to =
    homes.length === 1
      ? `${pathTo('Electricity', { HomeID: first.HomeID })}?range=month`
      : pathTo('CompanyReport', {
          Kind: 'monthly',
          Period: formatMonth(monthOf(now, first.TimeZone)),
        })
  const known = { to, failed: !data && error !== null }
  if (!data)
    return (
      <>
        <Figure label={t('dashboard:kpi.cost')} value={undefined} {...known} />
        <Figure label={t('dashboard:kpi.energy')} value={undefined} {...known} />
      </>
    )
  const zones = new Map(homes.map(({ HomeID, TimeZone }) => [HomeID, TimeZone]))
  const points = data.flatMap(
    ({ HomeID, Days }) => usageOf(Days, now, zones.get(HomeID) ?? first.TimeZone).month,
  )
  const { kWh, Cost, Coverage, withoutTariff } = totalOf(points)
  const span = { ...spansOf(now, first.TimeZone).month, to: now }
  const limitation = data.some(({ ComputedPercent }) => ComputedPercent !== undefined)
    ? 'computing'
    : lacks({ coverage: Coverage, span }).missing !== undefined
      ? 'atLeast'
      : undefined
  return (
    <>
      <Figure
        {...known}
        label={t('dashboard:kpi.cost')}
        value={moneyText(Cost)}
        note={t(
          `dashboard:kpi.${Cost === null ? 'none' : (limitation ?? (withoutTariff ? 'withoutTariff' : 'soFar'))}`,
        )}
      />
      <Figure
        {...known}
        label={t('dashboard:kpi.energy')}
        value={energyText(kWh)}
        note={t(`dashboard:kpi.${kWh === null ? 'none' : (limitation ?? 'soFar')}`)}
      />
    </>
  )
}

/** Demand of the site that is nearest to its contract capacity, and the number of sites whose demand is unknown. */
function DemandFigure({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const { demands, pending, failed } = useDemands()
  const limited = homes.flatMap((home) => {
    const demand = demands.get(home.HomeID)
    return demand?.Limit ? [{ home, share: shareOf(demand), isForecast: demand.Forecast !== null }] : []
  })
  const [nearest] = limited
    .flatMap(({ share, ...of }) => (share === undefined ? [] : [{ ...of, share }]))
    .toSorted((a, b) => b.share - a.share)
  const unknown = limited.filter(({ share }) => share === undefined).length
  const note = nearest
    ? [
        homes.length > 1 && nearest.home.HomeName,
        nearest.isForecast && t('dashboard:kpi.forecast'),
        unknown > 0 && t('dashboard:kpi.othersUnknown', { count: unknown }),
      ]
        .filter(Boolean)
        .join(' · ')
    : t(limited.length === 0 ? 'dashboard:kpi.noContract' : 'dashboard:kpi.unknown')
  return (
    <Figure
      label={t('dashboard:kpi.demand')}
      value={pending || failed ? undefined : nearest ? `${Math.floor(nearest.share * 100)}%` : NO_VALUE}
      failed={failed}
      note={note}
      tone={nearest && demandLevelOf(nearest.share)}
      to={nearest && `${pathTo('Tariff', { HomeID: nearest.home.HomeID })}?tab=demand`}
    />
  )
}

/** Possible saving per month in all sites. */
function SavingFigure({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const { data, error } = useQuery(callQuery(findings.getSaving, {}))
  const [single] = homes.length === 1 ? homes : []
  const amount = data?.Amount ?? null
  const range =
    data && amount !== null && formatEstimate({ mid: amount, low: data.Low, high: data.High }, 'money').range
  const note = data?.State === 'none' ? 'nothing' : 'noSaving'
  return (
    <Figure
      label={t('dashboard:kpi.saving')}
      value={
        data && (amount === null ? NO_VALUE : t('dashboard:kpi.about', { amount: formatSaving(amount) }))
      }
      failed={!data && error !== null}
      note={
        data?.Partly ? t('insight:findings.partly') : amount === null ? t(`dashboard:kpi.${note}`) : range
      }
      to={single && pathTo('Insight', { HomeID: single.HomeID })}
    />
  )
}

/** Items of the company that need attention. */
function OpenItems({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const { attention, error } = useAttention(homes)
  const urgent = attention?.Items.filter(({ Severity }) => Severity !== 'info') ?? []
  const critical = urgent.filter(({ Severity }) => Severity === 'critical').length
  const others = attention ? attention.Items.length - urgent.length : 0
  return (
    <Figure
      label={t('dashboard:kpi.open')}
      value={attention && String(urgent.length)}
      failed={!attention && error !== null}
      note={[
        critical > 0 && t('dashboard:kpi.critical', { count: critical }),
        others > 0 && t('dashboard:kpi.others', { count: others }),
      ]
        .filter(Boolean)
        .join(' · ')}
      tone={critical > 0 ? 'critical' : undefined}
      to="?all=1"
    />
  )
}
