import { formatEnergy, formatShare, NO_VALUE } from '../../../../contract/kernel/numbers.ts'
import { Link } from 'react-router'
import { pathTo } from '../../../navigation/paths.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { lazyPart } from '../../../ui/page/lazy.tsx'
import { AmountValue } from '../../../ui/tags/power-value.tsx'
import { useThemeMode } from '../../../ui/theme/theme-mode.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { MissingDataNote } from '../../../domain/energy/missing-data.tsx'
import { useSeriesNames } from '../../../domain/energy/use-names.ts'
import { QueryCard, CardFrame, Empty, type EnergyCardProps } from './card-frame.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import type { Slice } from '../../../ui/chart/donut.tsx'
import type { EnergyPoint, EnergySeries } from '../../../../contract/energy/meter-data-calls.ts'
import { MonthNotes } from './coverage-notes.tsx'
import { NoMeters } from './no-meters.tsx'
import { sharesOf, silentOf } from './shares.ts'
import { useMonths, type HomeMonth } from './use-card-energy.ts'
import { useNear } from '../common/near.tsx'

const Donut = lazyPart(() => import('../../../ui/chart/donut.tsx'))

/** Maximum share of energy without a known use: a chart of "other" says nothing. */
const MAX_VAGUE_SHARE = 0.5
const VAGUE_KEYS: ReadonlySet<string> = new Set(['other', 'unknown', 'untracked'])

interface Props extends EnergyCardProps {
  /** Renders nothing instead of a reason if most energy has no known use. */
  isHiddenIfVague?: boolean
}

/** Energy of homes this month by end use, as a ring chart and in figures. */
export function UsesCard({ homes, title, extra, isHiddenIfVague = false }: Props) {
  const t = useT()
  const mode = useThemeMode()
  const { isNear, ref } = useNear()
  const [home] = homes
  const query = useMonths(homes, 'use')
  const { nameOf, colorOf } = useSeriesNames(home.HomeID, 'use', undefined, undefined)
  const now = useNow()
  const months = query.data ?? []
  const span = months[0]?.span ?? { from: now, to: now }
  const series = byKey(months)
  const shares = sharesOf(series)
  const silentShare = silentOf(series, span, now)
  const slices = shares
    .filter(({ kWh }) => kWh > 0)
    .map(({ key, kWh }): Slice => ({ name: nameOf(key), kWh, color: colorOf(key)[mode] }))
  const vagueShare = shares.reduce((sum, { key, share }) => sum + (VAGUE_KEYS.has(key) ? share : 0), 0)
  const isVague = vagueShare > MAX_VAGUE_SHARE
  if (isVague && isHiddenIfVague) return null
  const renderBody = () => {
    if (months.every(({ data }) => data.Meters.Total === 0) && shares.length === 0)
      return <NoMeters homeId={home.HomeID} />
    if (shares.length === 0) return <Empty why={t('cards:noReadings')} />
    if (isVague)
      return (
        <Empty
          why={t('cards:usesUnknown')}
          next={<Link to={pathTo('Meters', { HomeID: home.HomeID })}>{t('shell:pages.Meters')}</Link>}
        />
      )
    return (
      <>
        <div className={styles.split}>
          <div className={styles.donut} aria-hidden="true">
            {isNear && slices.length > 0 && <Donut slices={slices} mode={mode} />}
          </div>
          <ul className={styles.slices}>
            {shares.map(({ key, kWh, share, coverage }) => (
              <li key={key}>
                <span className={page.swatch} style={{ background: colorOf(key)[mode] }} aria-hidden="true" />
                <span className={page.column}>
                  <span className={page.words}>{nameOf(key)}</span>
                  <MissingDataNote coverage={coverage} span={span} />
                </span>
                <AmountValue amount={formatEnergy(kWh)} />
                <span className={`${page.muted} ${page.figures}`}>{kWh < 0 ? '' : formatShare(share)}</span>
              </li>
            ))}
            {silentShare.map((key) => (
              <li key={key}>
                <span aria-hidden="true" />
                <span className={page.column}>
                  <span className={page.words}>{nameOf(key)}</span>
                  <span className={`${page.small} ${page.warning}`}>{t('charts:missing')}</span>
                </span>
                {NO_VALUE}
                <span className={`${page.muted} ${page.figures}`} />
              </li>
            ))}
          </ul>
        </div>
        {shares.some(({ kWh }) => kWh < 0) && (
          <p className={`${page.small} ${page.warning}`}>{t('energy:negativeWhy')}</p>
        )}
        <MonthNotes months={months} homes={homes} />
      </>
    )
  }
  return (
    <CardFrame
      title={title ?? t('dashboard:cards.categories')}
      to={
        homes.length > 1 ? undefined : `${pathTo('Electricity', { HomeID: home.HomeID })}?range=month&by=use`
      }
      extra={extra}
      busy={query.isPending}
    >
      <div ref={ref} className={styles.grow}>
        <QueryCard query={query}>{renderBody()}</QueryCard>
      </div>
    </CardFrame>
  )
}

/** Series of several homes with the same keys as one each. */
function byKey(months: readonly HomeMonth[]): EnergySeries[] {
  const pointsByKey = new Map<string, EnergyPoint[]>()
  for (const { data } of months)
    for (const { Key, Points } of data.Series)
      pointsByKey.set(Key, [...(pointsByKey.get(Key) ?? []), ...Points])
  return [...pointsByKey].map(([Key, Points]) => ({ Key, Points }))
}
