import { useQuery } from '@tanstack/react-query'
import { startTransition, useEffect, useMemo, useState, type CSSProperties, type ReactNode } from 'react'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { pathTo } from '../../navigation/paths.ts'
import { describeFailure } from '../../data/failure.ts'
import { homesQuery } from '../../data/homes.ts'
import { loadNamespaces, useT } from '../../lib/i18n/i18n.ts'
import { SCREEN_NAMESPACES } from '../../lib/i18n/namespaces.ts'
import { usePersonalConfig } from '../../data/personal.ts'
import { useMay } from '../../data/session.ts'
import { onQueriesSettled } from '../../data/on-settled.ts'
import { GettingStartedCard } from '../../domain/setup/getting-started-card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { usePhone } from '../../ui/page/use-screen.ts'
import { lazyPart, plainPart } from '../../ui/page/lazy.tsx'
import { ButtonLink, PlainButton } from '../../ui/plain/plain-button.tsx'
import { readArrangement, type Arrangement, type CardName } from './common/arrangement.ts'
import { AttentionPanel } from './attention/attention-panel.tsx'
import { DEFAULT_BOARD, useOpenBoard } from './boards/use-boards.ts'
import page from '../../ui/page/page.module.css'
import styles from './common/dashboard.module.css'
import { FiguresSkeleton, RoomTile, SiteTile } from './tiles/tiles.tsx'
import { useLiveAttention } from './common/attention.ts'
import { NotNear, useNear } from './common/near.tsx'
import { useLiveOverview, useOccupiedRooms } from './common/overview.ts'

/**
 * Dashboard of the company: key figures, items that need attention, power, saving, all sites, then the person's own cards, which a phone
 * shows on request. Uses plain elements only, because it is the first screen to load.
 */
export default function Dashboard() {
  const t = useT()
  const { data: homes, error, refetch } = useQuery(homesQuery)
  return (
    <Page title={t('dashboard:title')} className={styles.page}>
      {homes && (
        <GettingStartedCard homes={homes}>
          {homes.length > 0 ? <Homes homes={homes} /> : <NoHomes />}
        </GettingStartedCard>
      )}
      {!homes && !error && <Waiting />}
      {!homes && error && (
        <div role="alert" className={`${page.dashed} ${styles.empty}`}>
          <h2>{t('dashboard:homesFailed')}</h2>
          <p className={page.small}>{describeFailure(error)}</p>
          <PlainButton onClick={() => void refetch()}>{t('dashboard:retry')}</PlainButton>
        </div>
      )}
    </Page>
  )
}

const loadTexts = () =>
  loadNamespaces([...SCREEN_NAMESPACES, 'cards', 'charts', 'energy', 'insight', 'tariff'])
/** Placeholder of a card that is loading. */
function Coming({ name }: { name: CardName | 'power' | 'saving' }) {
  const t = useT()
  return <NotNear title={t(`dashboard:cards.${name}`)} />
}

const LaterCard = plainPart(async () => (await Promise.all([import('./cards/card.tsx'), loadTexts()]))[0], {
  fallback: ({ name }) => <Coming name={name} />,
})
const PowerCard = plainPart(
  async () => (await Promise.all([import('./cards/power-card.tsx'), loadTexts()]))[0],
  {
    fallback: <Coming name="power" />,
  },
)
const SavingCard = plainPart(
  async () => (await Promise.all([import('./cards/saving-card.tsx'), loadTexts()]))[0],
  { fallback: <Coming name="saving" /> },
)
const ArrangePanel = lazyPart(
  async () => (await Promise.all([import('./cards/arrange-panel.tsx'), loadTexts()]))[0],
)
/** Placeholder of the key figures, of the same size. */
const KpisComing = () => (
  <ul className={styles.kpis} aria-busy="true">
    {[1, 2, 3, 4, 5].map((n) => (
      <li key={n} className={`${page.card} ${styles.kpi}`} />
    ))}
  </ul>
)

const KpiRow = plainPart(async () => (await Promise.all([import('./kpi-row.tsx'), loadTexts()]))[0], {
  fallback: <div className={styles.kpis} aria-busy="true" />,
})
const TourCard = plainPart(() => import('./tour-card.tsx'))
const StartPageCard = plainPart(
  async () => (await Promise.all([import('./start-page-card.tsx'), loadNamespaces(['personal'])]))[0],
)
const BoardBar = plainPart(
  async () =>
    (await Promise.all([import('./boards/board-bar.tsx'), loadTexts(), loadNamespaces(['boards'])]))[0],
)
const Board = lazyPart(
  async () => (await Promise.all([import('./boards/board.tsx'), loadTexts(), loadNamespaces(['boards'])]))[0],
  { fallback: <span className={page.card} aria-hidden="true" /> },
)

/** Proposals that a user answers once; on a phone below the items that need attention. */
const Offers = () => (
  <>
    <TourCard />
    <StartPageCard />
  </>
)

function Homes({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const mayRead = useMay('device', 'Read')
  const mayEnergy = useMay('electricity', 'Read')
  const open = useOpenBoard()
  const isPhone = usePhone()
  const [showsMore, setShowsMore] = useState(false)
  const [settled, setSettled] = useState(false)
  useEffect(() => onQueriesSettled(() => startTransition(() => setSettled(true))), [])
  return (
    <>
      <LiveData homes={homes} />
      {settled && !isPhone && <Offers />}
      {mayEnergy && (settled ? <KpiRow homes={homes} /> : <KpisComing />)}
      <AttentionPanel homes={homes} />
      {settled && isPhone && <Offers />}
      {!mayRead && <p className={page.small}>{t('dashboard:withoutRight')}</p>}
      <div className={styles.fixed}>
        {mayEnergy && (
          <>
            <div className={styles.powerSlot} data-several={homes.length > 1}>
              {settled ? <PowerCard homes={homes} /> : <Coming name="power" />}
            </div>
            {!isPhone && (
              <div className={styles.savingSlot}>
                {settled ? <SavingCard homes={homes} /> : <Coming name="saving" />}
              </div>
            )}
          </>
        )}
        <Tiles homes={homes} settled={settled} />
      </div>
      {isPhone && !showsMore && open === DEFAULT_BOARD ? (
        <PlainButton className={page.fill} onClick={() => setShowsMore(true)}>
          {t('dashboard:more')}
        </PlainButton>
      ) : (
        <>
          {isPhone && mayEnergy && settled && <SavingCard homes={homes} />}
          <div className={styles.boards}>{settled && <BoardBar open={open} />}</div>
          {open === DEFAULT_BOARD ? (
            <OwnCards homes={homes} settled={settled} />
          ) : (
            settled && <Board key={open} id={open} homes={homes} />
          )}
        </>
      )}
    </>
  )
}

/** Fetches and follows the live data of the dashboard; renders nothing, so that a new answer renders only what shows it. */
function LiveData({ homes }: { homes: readonly HomeWithRooms[] }) {
  useLiveOverview(homes)
  useLiveAttention()
  return null
}

/** Tiles of all sites; for a company with one site, also of its rooms with devices. */
function Tiles({ homes, settled }: { homes: readonly HomeWithRooms[]; settled: boolean }) {
  const [singleHome] = homes.length === 1 ? homes : []
  const occupied = useOccupiedRooms(singleHome)
  return (
    <ul className={styles.homes}>
      {homes.map((home) => (
        <li key={home.HomeID}>
          <SiteTile home={home} homes={homes} settled={settled} />
        </li>
      ))}
      {singleHome?.RoomList.filter(({ RoomID }) => occupied.has(RoomID)).map((room) => (
        <li key={`room ${room.RoomID}`}>
          <RoomTile home={singleHome} homes={homes} room={room} />
        </li>
      ))}
    </ul>
  )
}

function OwnCards({ homes, settled }: { homes: readonly HomeWithRooms[]; settled: boolean }) {
  const t = useT()
  const mayRead = useMay('device', 'Read')
  const mayEnergy = useMay('electricity', 'Read')
  const { CustomDashboard } = usePersonalConfig()
  const saved = useMemo(() => readArrangement(CustomDashboard), [CustomDashboard])
  const [draft, setDraft] = useState<Arrangement>()
  const { order, hidden } = draft ?? saved
  const offeredCards = order.filter((name) => (name === 'hubs' ? mayRead : mayEnergy))
  const shownCards = offeredCards.filter((name) => !hidden.includes(name))
  if (offeredCards.length === 0) return null
  return (
    <>
      <div className={`${page.actions} ${page.below12}`}>
        <PlainButton
          aria-expanded={draft !== undefined}
          data-keys="e"
          onClick={() => setDraft(draft ? undefined : saved)}
        >
          {t('dashboard:arrange')}
        </PlainButton>
      </div>
      {draft && (
        <ArrangePanel
          draft={draft}
          saved={saved}
          offeredCards={offeredCards}
          change={setDraft}
          close={() => setDraft(undefined)}
        />
      )}
      {shownCards.length === 0 && (
        <p className={`${page.dashed} ${styles.empty}`}>{t('dashboard:allHidden')}</p>
      )}
      <div
        className={styles.board}
        style={{ '--lines': homes.length > 1 ? homes.length : 0 } as CSSProperties}
      >
        {shownCards.map((name) => (
          <Slot key={name} name={name} settled={settled}>
            <LaterCard name={name} homes={homes} />
          </Slot>
        ))}
      </div>
    </>
  )
}

/** Slot with the height of its card; loads the card when it is near the viewport. */
function Slot({ name, settled, children }: { name: CardName; settled: boolean; children: ReactNode }) {
  const { isNear, ref } = useNear()
  return (
    <div ref={ref} className={`${styles.slot} ${styles[name] ?? ''}`}>
      {settled && isNear ? children : <Coming name={name} />}
    </div>
  )
}

function NoHomes() {
  const t = useT()
  const mayCreate = useMay('home', 'Create')
  return (
    <div className={`${page.dashed} ${styles.empty}`}>
      <h2>{t('dashboard:noHomes')}</h2>
      <p className={page.small}>{t(mayCreate ? 'dashboard:noHomesNext' : 'dashboard:noHomesAsk')}</p>
      {mayCreate && (
        <ButtonLink main to={pathTo('CreateHome')}>
          {t('dashboard:createHome')}
        </ButtonLink>
      )}
    </div>
  )
}

const Waiting = () => (
  <ul className={styles.homes} aria-busy="true">
    {[1, 2, 3].map((n) => (
      <li key={n} className={`${page.card} ${styles.tile}`}>
        <FiguresSkeleton />
      </li>
    ))}
  </ul>
)
