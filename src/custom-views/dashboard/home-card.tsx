import { Link } from 'react-router'
import { pathTo } from '../../paths.ts'
import { describeFailure } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'
import styles from './dashboard.module.css'
import { Facts, Power } from './figures.tsx'
import { FiguresSkeleton } from './skeleton.tsx'
import type { AlarmingDevice, OfflineHub } from './summarize.ts'
import type { HomeOverview } from './use-overview.ts'

/** Hubs and alarming devices that are named; the rest is counted. */
const NAMED_HUBS = 3
const NAMED_DEVICES = 5

/** One home: its power first, then what is on, open or moving, then the hubs that are missing. */
export function HomeCard({ home, summary, error, retry }: HomeOverview) {
  const t = useT()
  const mayRead = useMay('device', 'Read')
  const mayAdd = useMay('device', 'Create')
  const list = pathTo('DeviceList', { HomeID: home.HomeID })
  const waiting = mayRead && !summary && error === undefined
  return (
    <article className={`${page.card} ${styles.card}`} aria-label={home.HomeName} aria-busy={waiting}>
      <h2>{mayRead ? <Link to={list}>{home.HomeName}</Link> : home.HomeName}</h2>
      {waiting && <FiguresSkeleton />}
      {!mayRead && <p className={page.small}>{t('dashboard:rooms', { count: home.RoomList.length })}</p>}
      {error !== undefined && (
        <div role="alert" className={styles.failed}>
          <p>{t('dashboard:homeFailed')}</p>
          <p className={page.small}>{describeFailure(error)}</p>
          <button type="button" className={styles.button} onClick={retry}>
            {t('dashboard:retry')}
          </button>
        </div>
      )}
      {summary && summary.devices + summary.hubs.total === 0 && (
        <div className={styles.failed}>
          <p className={page.small}>{t('dashboard:noDevices')}</p>
          {mayAdd && (
            <Link to={pathTo('AddDevices', { HomeID: home.HomeID })} className={styles.button}>
              {t('dashboard:addHub')}
            </Link>
          )}
        </div>
      )}
      {summary && summary.devices + summary.hubs.total > 0 && (
        <>
          <Power summary={summary} list={(kind) => listOf(list, kind)} />
          <Facts summary={summary} list={(kind) => listOf(list, kind)} />
          {summary.alarming.length > 0 && <Alarming devices={summary.alarming} list={list} />}
          {summary.offlineHubs.length > 0 && <OfflineHubs hubs={summary.offlineHubs} list={list} />}
        </>
      )}
    </article>
  )
}

/** The device list of a home, narrowed to one kind. */
export const listOf = (list: string, kind: string | undefined): string =>
  kind ? `${list}?kind=${kind}` : list

function Alarming({ devices, list }: { devices: readonly AlarmingDevice[]; list: string }) {
  const t = useT()
  return (
    <div className={styles.offline} role="status">
      <StateTag tone="alarm">{t('dashboard:alarming')}</StateTag>
      <ul>
        {devices.slice(0, NAMED_DEVICES).map(({ PeripheralUID, PeripheralName }) => (
          <li key={PeripheralUID}>
            <Link to={`${list}?device=${encodeURIComponent(PeripheralUID)}`}>{PeripheralName}</Link>
          </li>
        ))}
        {devices.length > NAMED_DEVICES && (
          <li>{t('dashboard:moreDevices', { count: devices.length - NAMED_DEVICES })}</li>
        )}
      </ul>
    </div>
  )
}

function OfflineHubs({ hubs, list }: { hubs: readonly OfflineHub[]; list: string }) {
  const t = useT()
  return (
    <div className={styles.offline}>
      <StateTag tone="offline">{t('dashboard:offlineHubs')}</StateTag>
      <ul>
        {hubs.slice(0, NAMED_HUBS).map(({ ThingName, DeviceName }) => (
          <li key={ThingName}>
            <Link to={`${list}?kind=Hub&device=${encodeURIComponent(ThingName)}`}>{DeviceName}</Link>
          </li>
        ))}
        {hubs.length > NAMED_HUBS && (
          <li>
            <Link to={listOf(list, 'Hub')}>
              {t('dashboard:moreHubs', { count: hubs.length - NAMED_HUBS })}
            </Link>
          </li>
        )}
      </ul>
    </div>
  )
}
