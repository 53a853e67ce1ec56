import { formatEnergy, formatShare } from '../../../../contract/kernel/numbers.ts'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { pathTo } from '../../../navigation/paths.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { AmountValue } from '../../../ui/tags/power-value.tsx'
import { useThemeMode } from '../../../ui/theme/theme-mode.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { MissingDataNote } from '../../../domain/energy/missing-data.tsx'
import { useSeriesNames, useNamedMeters } from '../../../domain/energy/use-names.ts'
import { QueryCard, CardFrame, Empty } from './card-frame.tsx'
import pageStyles from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import { SeriesNotes } from './coverage-notes.tsx'
import { NoMeters } from './no-meters.tsx'
import { sharesOf, silentOf } from './shares.ts'
import { siteCard, type SiteProps } from './site-card.tsx'
import { useMeterIds, useMonth } from './use-card-energy.ts'

const MAX_SHOWN = 5

/** Devices with the highest energy in a home this month. */
export function RankingOfSite({ home, choice, title }: SiteProps) {
  const t = useT()
  const mode = useThemeMode()
  const { span, query } = useMonth(home, 'meter')
  const all = useMeterIds(home.HomeID)
  const ids = useMemo(
    () => all ?? (query.data?.Series ?? []).map(({ Key }) => ({ PeripheralUID: Key })),
    [all, query.data],
  )
  const meters = useNamedMeters(home.HomeID, ids)
  const { nameOf, colorOf } = useSeriesNames(home.HomeID, 'meter', meters)
  const shares = useMemo(() => sharesOf(query.data?.Series ?? []), [query.data])
  const devices = shares.filter(({ key }) => key !== 'untracked')
  const now = useNow()
  const silentShare = silentOf(query.data?.Series ?? [], span, now)
  const page = `${pathTo('Electricity', { HomeID: home.HomeID })}?range=month`
  const renderBody = () => {
    if (query.data?.Meters.Total === 0 && devices.length === 0) return <NoMeters homeId={home.HomeID} />
    if (devices.length === 0) return <Empty why={t('cards:noReadings')} />
    return (
      <>
        <ol className={styles.ranking}>
          {devices.slice(0, MAX_SHOWN).map(({ key, kWh, share, coverage }) => (
            <li key={key}>
              <Link to={`${page}&meters=${encodeURIComponent(key)}`}>
                <span className={styles.named}>
                  <span className={`${pageStyles.ellipsis} ${styles.name}`}>{nameOf(key)}</span>
                  <MissingDataNote coverage={coverage} span={span} />
                </span>
                <span className={styles.bar} aria-hidden="true">
                  <span style={{ width: `${share * 100}%`, background: colorOf(key)[mode] }} />
                </span>
                <AmountValue amount={formatEnergy(kWh)} />
                <span className={styles.share}>{formatShare(share)}</span>
              </Link>
            </li>
          ))}
        </ol>
        {silentShare.length > 0 && (
          <p className={styles.warning}>
            {t('cards:silent', { names: silentShare.map(nameOf).join(t('screens:listComma')) })}
          </p>
        )}
        <SeriesNotes data={query.data} homeId={home.HomeID} />
      </>
    )
  }
  return (
    <CardFrame
      title={title ?? t('dashboard:cards.ranking')}
      to={`${page}&part=ranking`}
      extra={choice}
      busy={query.isPending}
    >
      <QueryCard query={query}>{renderBody()}</QueryCard>
    </CardFrame>
  )
}

export const RankingCard = siteCard(RankingOfSite)
