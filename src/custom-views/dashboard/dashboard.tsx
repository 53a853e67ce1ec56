import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState, type CSSProperties } from 'react'
import { Link } from 'react-router'
import type { HomeWithRooms } from '../../../contract/resources/home.ts'
import { pathTo } from '../../paths.ts'
import { describeFailure } from '../../data/failure.ts'
import { homesQuery } from '../../data/homes.ts'
import { loadNamespaces, useT } from '../../lib/i18n/i18n.ts'
import { SCREEN_NAMESPACES } from '../../lib/i18n/namespaces.ts'
import { usePersonalConfig } from '../../data/personal.ts'
import { useMay } from '../../data/session.ts'
import { whenSettled } from '../../data/when-settled.ts'
import { Begin } from '../../domain/setup/begin.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { readArrangement, type Arrangement, type CardName } from './arrangement.ts'
import page from '../../ui/page/page.module.css'
import styles from './dashboard.module.css'
import { Facts, Power } from './figures.tsx'
import { HomeCard } from './home-card.tsx'
import { FiguresSkeleton } from './skeleton.tsx'
import { total } from './summarize.ts'
import { useOverview, type HomeOverview } from './use-overview.ts'

/** The company at a glance, live. Plain elements only, because it is the first screen to load. */
export default function Dashboard() {
  const t = useT()
  const { data: homes, error, refetch } = useQuery(homesQuery)
  return (
    <section aria-labelledby="dashboard-title" className={styles.page}>
      <h1 id="dashboard-title">{t('dashboard:title')}</h1>
      {homes && <Begin homes={homes}>{homes.length > 0 ? <Homes homes={homes} /> : <NoHomes />}</Begin>}
      {!homes && !error && <Waiting />}
      {!homes && error && (
        <div role="alert" className={styles.empty}>
          <h2>{t('dashboard:homesFailed')}</h2>
          <p className={page.small}>{describeFailure(error)}</p>
          <button type="button" className={styles.button} onClick={() => void refetch()}>
            {t('dashboard:retry')}
          </button>
        </div>
      )}
    </section>
  )
}

const words = () => loadNamespaces([...SCREEN_NAMESPACES, 'cards', 'charts', 'energy', 'insight', 'tariff'])
const LaterCard = lazyPart(async () => (await Promise.all([import('./cards/card.tsx'), words()]))[0], {
  meanwhile: <span className={page.card} aria-hidden="true" />,
})
const ArrangePanel = lazyPart(
  async () => (await Promise.all([import('./cards/arrange-panel.tsx'), words()]))[0],
)

function Homes({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const mayRead = useMay('device', 'Read')
  const mayEnergy = useMay('electricity', 'Read')
  const overview = useOverview(homes)
  const { CustomDashboard } = usePersonalConfig()
  const saved = useMemo(() => readArrangement(CustomDashboard), [CustomDashboard])
  const [draft, setDraft] = useState<Arrangement>()
  const { order, hidden } = draft ?? saved
  const [settled, setSettled] = useState(false)
  useEffect(() => whenSettled(() => setSettled(true)), [])

  const offers: Record<CardName, boolean> = {
    saving: mayEnergy,
    company: mayRead && homes.length > 1,
    homes: true,
    usage: mayEnergy,
    day: mayEnergy,
    ranking: mayEnergy,
    categories: mayEnergy,
    alarms: mayRead,
    hubs: mayRead,
  }
  const offered = order.filter((name) => offers[name])
  const shown = offered.filter((name) => !hidden.includes(name))
  return (
    <>
      <button
        type="button"
        className={`${styles.button} ${styles.arrange}`}
        aria-expanded={draft !== undefined}
        onClick={() => setDraft(draft ? undefined : saved)}
      >
        {t('dashboard:arrange')}
      </button>
      {draft && (
        <ArrangePanel
          draft={draft}
          saved={saved}
          offered={offered}
          change={setDraft}
          close={() => setDraft(undefined)}
        />
      )}
      {!mayRead && <p className={page.small}>{t('dashboard:withoutRight')}</p>}
      {shown.length === 0 && <p className={styles.empty}>{t('dashboard:allHidden')}</p>}
      <div
        className={styles.board}
        style={{ '--lines': homes.length > 1 ? homes.length : 0 } as CSSProperties}
      >
        {shown.map((name) => {
          if (name === 'company') return <Company key={name} overview={overview} />
          if (name === 'homes')
            return (
              <ul key={name} className={styles.homes}>
                {overview.map((one) => (
                  <li key={one.home.HomeID}>
                    <HomeCard {...one} />
                  </li>
                ))}
              </ul>
            )
          const live = name === 'alarms' || name === 'hubs'
          return (
            <div key={name} className={`${styles.slot} ${styles[name] ?? ''}`}>
              {settled ? (
                <LaterCard name={name} homes={homes} overview={live ? overview : undefined} />
              ) : (
                <span className={page.card} aria-hidden="true" />
              )}
            </div>
          )
        })}
      </div>
    </>
  )
}

const nowhere = () => undefined

/** All homes together, as far as they are known. */
function Company({ overview }: { overview: readonly HomeOverview[] }) {
  const t = useT()
  const known = overview.flatMap(({ summary }) => summary ?? [])
  const waiting = overview.some(({ summary, error }) => !summary && error === undefined)
  if (known.length === 0 && !waiting) return null
  const sum = total(known)
  return (
    <section
      className={`${page.card} ${styles.card} ${styles.company}`}
      aria-label={t('dashboard:company')}
      aria-busy={waiting}
    >
      <h2>
        {t('dashboard:company')}
        {!waiting && known.length < overview.length && (
          <span className={styles.partial}>
            {t('dashboard:homesCounted', { counted: known.length, homes: overview.length })}
          </span>
        )}
      </h2>
      {waiting ? (
        <FiguresSkeleton />
      ) : (
        <div className={styles.together}>
          <Power summary={sum} list={nowhere} />
          <Facts summary={sum} list={nowhere} />
        </div>
      )}
    </section>
  )
}

function NoHomes() {
  const t = useT()
  const mayCreate = useMay('home', 'Create')
  return (
    <div className={styles.empty}>
      <h2>{t('dashboard:noHomes')}</h2>
      <p className={page.small}>{t(mayCreate ? 'dashboard:noHomesNext' : 'dashboard:noHomesAsk')}</p>
      {mayCreate && (
        <Link to={pathTo('CreateHome')} className={styles.button}>
          {t('dashboard:createHome')}
        </Link>
      )}
    </div>
  )
}

const Waiting = () => (
  <ul className={styles.homes} aria-busy="true">
    {[1, 2, 3].map((n) => (
      <li key={n} className={`${page.card} ${styles.card}`}>
        <FiguresSkeleton />
      </li>
    ))}
  </ul>
)
