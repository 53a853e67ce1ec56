import { memo } from 'react'
import { Link } from 'react-router'
import type { Alarm } from '../../../../contract/alarms/calls.ts'
import type { AttentionItem } from '../../../../contract/attention/attention.ts'
import { formatAge } from '../../../lib/format-age.ts'
import { formatClock } from '../../../lib/format-when.ts'
import { formatPower } from '../../../lib/format-power.ts'
import { useMay } from '../../../data/session.ts'
import { loadNamespaces, useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { plainPart } from '../../../ui/page/lazy.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { SeveritySign } from '../../../ui/tags/severity-sign.tsx'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { useSnapshot } from '../common/overview.ts'
import page from '../../../ui/page/page.module.css'
import styles from './attention.module.css'
import { AttentionAction } from './row-act.tsx'
import { pageOf } from './page-of.ts'

/** Device states and rule measurements in the words of the `devices` namespace; loaded after the first paint. */
const ExactWords = plainPart(
  async () =>
    (await Promise.all([import('./exact-words.tsx'), loadNamespaces(['devices', 'screens', 'alarms'])]))[0],
)

interface Props {
  item: AttentionItem
  /** The home of the item; undefined if the user cannot see it. */
  home: HomeWithRooms | undefined
  namesHome: boolean
  alarm: Alarm | undefined
}

/** Severity, subject, place and time of an item, with one action. */
export const AttentionRow = memo(function AttentionRow({ item, home, namesHome, alarm }: Props) {
  const t = useT()
  const now = useNow()
  const language = useLanguage()
  const { Severity, Since, RoomID, Acknowledged, Shelved } = item
  const zone = home?.TimeZone
  const room = home?.RoomList.find((one) => one.RoomID === RoomID)?.RoomName
  const name = item.Name ?? home?.HomeName ?? item.Subject
  const to = pageOf(item)
  const places = [namesHome ? home?.HomeName : undefined, room].filter((place) => place !== undefined)
  return (
    <li className={styles.row} data-severity={Severity}>
      <span className={styles.severity}>
        <SeveritySign severity={Severity} />
        {t(`dashboard:attention.severity.${Severity}`)}
      </span>
      <span className={styles.what}>
        {to === undefined ? <b>{name}</b> : <Link to={to}>{name}</Link>}
        <What item={item} home={home} alarm={alarm} />
        {Acknowledged && (
          <span className={styles.small}>
            {t('dashboard:attention.acknowledged', {
              name: Acknowledged.By,
              time: formatClock(Acknowledged.At, now, language, zone),
            })}
          </span>
        )}
        {Shelved && (
          <span className={styles.small}>
            {t('dashboard:attention.shelved', {
              name: Shelved.By,
              time: formatClock(Shelved.Until, now, language, zone),
            })}
          </span>
        )}
      </span>
      <span className={styles.where}>{places.join(' › ')}</span>
      <span className={`${page.numbers} ${styles.since}`}>
        {Since !== null && (
          <>
            <time dateTime={new Date(Since).toISOString()}>{formatClock(Since, now, language, zone)}</time>{' '}
            <span className={styles.small}>{formatAge(Since, now, language)}</span>
          </>
        )}
      </span>
      <AttentionAction item={item} name={name} />
    </li>
  )
})

/** Link to the page that helps to resolve it: reconnection steps for a hub, loads to shed for a demand. */
function WayOut({ item }: { item: AttentionItem }) {
  const t = useT()
  const mayShed = useMay('power_meter_alarm', 'Read')
  const isHub = item.Kind === 'hubLost' || (item.Kind === 'neverSeen' && item.IsHub)
  if (!isHub && !(item.Kind === 'demand' && mayShed)) return null
  const to = isHub ? pageOf(item) : `${pathTo('Alarm', { HomeID: item.HomeID })}?tab=guard`
  return (
    <Link className={styles.steps} to={to ?? ''}>
      {t(isHub ? 'dashboard:attention.steps' : 'dashboard:attention.shed')}
    </Link>
  )
}

/** Reason for the item; general words for a state or a rule until the exact ones have loaded. */
function What({ item, home, alarm }: Pick<Props, 'item' | 'home' | 'alarm'>) {
  const t = useT()
  const now = useNow()
  const language = useLanguage()
  const device = useSnapshot(home)?.Peripherals.find(({ PeripheralUID }) => PeripheralUID === item.Subject)
  const clock = (at: number) => formatClock(at, now, language, home?.TimeZone)
  return (
    <>
      {item.Kind === 'state' || item.Kind === 'breach' || item.Kind === 'rule' ? (
        <ExactWords item={item} device={device} alarm={alarm} />
      ) : item.Kind === 'demand' ? (
        <span>
          {t('dashboard:attention.kinds.demand', {
            forecast: formatPower(item.Forecast),
            limit: formatPower(item.Limit),
            share: Math.floor((item.Forecast / item.Limit) * 100),
          })}
        </span>
      ) : item.Kind === 'lowBattery' ? (
        <span>{t('dashboard:attention.kinds.lowBattery', { percent: Math.floor(item.Battery) })}</span>
      ) : item.Kind === 'quarantined' ? (
        <span>{t('dashboard:attention.kinds.quarantined', { count: item.Count })}</span>
      ) : item.Kind === 'neverSeen' ? (
        <span>{t(`dashboard:attention.kinds.${item.IsHub ? 'neverSeenHub' : 'neverSeen'}`)}</span>
      ) : (
        <span>{t(`dashboard:attention.kinds.${item.Kind}`)}</span>
      )}
      <WayOut item={item} />
      {item.Stale && (
        <span className={styles.stale}>
          {item.Stale.Why === 'removed'
            ? t('dashboard:attention.removed')
            : item.Stale.Since === null
              ? t('dashboard:attention.lost')
              : t('dashboard:attention.lostAt', { time: clock(item.Stale.Since) })}
        </span>
      )}
    </>
  )
}
