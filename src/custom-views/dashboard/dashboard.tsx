import { Link } from 'react-router'
import type { HomeWithRooms } from '../../../contract/resources/home.ts'
import { pathTo } from '../../paths.ts'
import { useDevices, useHomes } from '../../providers/homes.ts'
import { useT } from '../../providers/i18n.ts'
import { useLiveHomes } from '../../providers/live/live.ts'
import { statuses, useStatusVersion } from '../../providers/live/status-store.ts'
import { useMay } from '../../providers/session.ts'
import { PowerValue } from '../../ui/power-value.tsx'
import { StateTag } from '../../ui/state-tag.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './dashboard.module.css'
import { summarize } from './summarize.ts'

/** The company at a glance: one card per home, live. Plain elements only, because it is the first screen to load. */
export default function Dashboard() {
  const t = useT()
  const homes = useHomes()
  const mayRead = useMay('device', 'Read')
  useLiveHomes(homes?.map(({ HomeID }) => HomeID) ?? [])
  return (
    <section aria-labelledby="dashboard-title">
      <h1 id="dashboard-title" className={styles.title}>
        {t('screens:dashboard.title')}
      </h1>
      <ul className={styles.homes} aria-busy={homes === undefined}>
        {homes
          ? homes.map((home) => (
              <li key={home.HomeID}>
                <HomeCard home={home} mayRead={mayRead} />
              </li>
            ))
          : [1, 2, 3].map((n) => <li key={n} className={`${styles.card} ${styles.waiting}`} />)}
      </ul>
      {homes?.length === 0 && <p className={styles.note}>{t('screens:dashboard.noHomes')}</p>}
    </section>
  )
}

function HomeCard({ home, mayRead }: { home: HomeWithRooms; mayRead: boolean }) {
  const t = useT()
  const query = useDevices(home.HomeID)
  useStatusVersion()
  const now = useNow()
  const sum = query.data && summarize(query.data, statuses.get, now)
  return (
    <article className={styles.card} aria-busy={mayRead && !query.data && !query.error}>
      <h2>
        {mayRead ? (
          <Link to={pathTo('DeviceList', { HomeID: home.HomeID })}>{home.HomeName}</Link>
        ) : (
          home.HomeName
        )}
      </h2>
      {!mayRead ? (
        <p className={styles.note}>{t('screens:dashboard.rooms', { count: home.RoomList.length })}</p>
      ) : query.error && !query.data ? (
        <p className={styles.note}>
          {t('screens:loadFailed')}{' '}
          <button type="button" className={styles.retry} onClick={() => void query.refetch()}>
            {t('screens:retry')}
          </button>
        </p>
      ) : !sum ? (
        <div className={styles.skeleton} />
      ) : (
        <>
          <div className={styles.power}>
            {sum.meters === 0 ? (
              <span className={styles.note}>{t('screens:dashboard.noMeters')}</span>
            ) : (
              <>
                <PowerValue watts={sum.watts} large />
                <span className={sum.metersReporting < sum.meters ? styles.partial : styles.note}>
                  {t('screens:dashboard.reporting', { reporting: sum.metersReporting, meters: sum.meters })}
                </span>
              </>
            )}
          </div>
          <dl className={styles.facts}>
            <Fact label={t('screens:dashboard.devices')}>{sum.devices}</Fact>
            <Fact label={t('screens:dashboard.hubs')}>
              {sum.hubsOnline < sum.hubs ? (
                <StateTag tone="warning">
                  {sum.hubsOnline} / {sum.hubs}
                </StateTag>
              ) : (
                `${sum.hubsOnline} / ${sum.hubs}`
              )}
            </Fact>
            <Fact label={t('screens:dashboard.lights')}>
              {sum.lightsOn} / {sum.lights}
            </Fact>
            <Fact label={t('screens:dashboard.doors')}>
              {sum.doorsOpen > 0 ? <StateTag tone="warning">{sum.doorsOpen}</StateTag> : 0}
            </Fact>
          </dl>
        </>
      )}
    </article>
  )
}

const Fact = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
