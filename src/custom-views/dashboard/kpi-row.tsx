import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { Link } from 'react-router'
import { energyText, moneyText, NO_VALUE } from '../../../contract/kernel/numbers.ts'
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
import { shareOf, useDemands } from './common/use-power.ts'

/** Key figures of the company: cost and energy of this month, demand, possible saving, and open items. Each leads to its page. */
export default function KpiRow({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const [first] = homes
  if (!first) return null
  return (
    <ul className={styles.kpis} aria-label={t('dashboard:kpi.title')}>
      <MonthFigures homes={homes} first={first} />
      <DemandFigure homes={homes} />
      <SavingFigure first={first} />
      <OpenItems homes={homes} />
    </ul>
  )
}

interface FigureProps {
  label: string
  /** The figure; undefined while it loads. */
  value: ReactNode | undefined
  /** Scope or limitation, below the figure. */
  note?: ReactNode
  tone?: 'warning' | 'critical' | undefined
  to?: string | undefined
}

function Figure({ label, value, note, tone, to }: FigureProps) {
  const id = useId()
  return (
    <li className={`${page.card} ${styles.kpi}`} data-level={tone} aria-busy={value === undefined}>
      <span id={id} className={page.small}>
        {to === undefined ? (
          label
        ) : (
          <Link to={to} className={styles.whole}>
            {label}
          </Link>
        )}
      </span>
      <strong aria-labelledby={id}>{value ?? '\u00a0'}</strong>
      <span className={page.small}>{note}</span>
    </li>
  )
}

/** Cost and energy of this month in all sites, as far as it is known. */
function MonthFigures({ homes, first }: { homes: readonly HomeWithRooms[]; first: HomeWithRooms }) {
  const t = useT()
  const now = useNow()
  const lacks = useMissingData()
  const { data, isPending } = useDailySums(homes)
  const zones = new Map(homes.map(({ HomeID, TimeZone }) => [HomeID, TimeZone]))
  const points = (data ?? []).flatMap(
    ({ HomeID, Days }) => usageOf(Days, now, zones.get(HomeID) ?? first.TimeZone).month,
  )
  const { kWh, Cost, Coverage } = totalOf(points)
  const span = { ...spansOf(now, first.TimeZone).month, to: now }
  const isPartial = lacks({ coverage: Coverage, span }).missing !== undefined
  const note = (value: number | null) =>
    isPending
      ? undefined
      : value === null
        ? t('dashboard:kpi.none')
        : t(isPartial ? 'dashboard:kpi.atLeast' : 'dashboard:kpi.soFar')
  const to = `${pathTo('Electricity', { HomeID: first.HomeID })}?range=month`
  return (
    <>
      <Figure
        label={t('dashboard:kpi.cost')}
        value={isPending ? undefined : moneyText(Cost)}
        note={note(Cost)}
        to={`${to}&measure=cost`}
      />
      <Figure
        label={t('dashboard:kpi.energy')}
        value={isPending ? undefined : energyText(kWh)}
        note={note(kWh)}
        to={to}
      />
    </>
  )
}

/** Demand of the site that is nearest to its contract capacity. */
function DemandFigure({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const { demands, pending } = useDemands()
  const [nearest] = homes
    .flatMap((home) => {
      const share = shareOf(demands.get(home.HomeID))
      return share === undefined ? [] : [{ home, share }]
    })
    .toSorted((a, b) => b.share - a.share)
  return (
    <Figure
      label={t('dashboard:kpi.demand')}
      value={pending ? undefined : nearest ? `${Math.floor(nearest.share * 100)}%` : NO_VALUE}
      note={
        pending
          ? undefined
          : nearest
            ? homes.length > 1 && nearest.home.HomeName
            : t('dashboard:kpi.noContract')
      }
      tone={nearest && nearest.share >= 1 ? 'critical' : undefined}
      to={nearest && `${pathTo('Tariff', { HomeID: nearest.home.HomeID })}?tab=demand`}
    />
  )
}

/** Possible saving per month in all sites. */
function SavingFigure({ first }: { first: HomeWithRooms }) {
  const t = useT()
  const { data, isPending } = useQuery(callQuery(findings.getSaving, {}))
  const Amount = data?.Amount ?? null
  return (
    <Figure
      label={t('dashboard:kpi.saving')}
      value={
        isPending
          ? undefined
          : Amount === null
            ? NO_VALUE
            : t('dashboard:kpi.about', { amount: formatSaving(Amount) })
      }
      note={isPending ? undefined : t(Amount === null ? 'dashboard:kpi.noSaving' : 'dashboard:kpi.perMonth')}
      to={pathTo('Insight', { HomeID: first.HomeID })}
    />
  )
}

/** Items of the company that need attention. */
function OpenItems({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const { attention } = useAttention(homes)
  const urgent = attention?.Items.filter(({ Severity }) => Severity !== 'info') ?? []
  const critical = urgent.filter(({ Severity }) => Severity === 'critical').length
  return (
    <Figure
      label={t('dashboard:kpi.open')}
      value={attention && String(urgent.length)}
      note={critical > 0 && t('dashboard:kpi.critical', { count: critical })}
      tone={critical > 0 ? 'critical' : undefined}
      to="?all=1"
    />
  )
}
