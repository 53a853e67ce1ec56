import CloseOutlined from '@ant-design/icons-svg/es/asn/CloseOutlined.js'
import {
  lazy,
  Suspense,
  type ComponentType,
  type MouseEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { useStore } from '../lib/store.ts'
import { setCurrentHome, currentHomeId } from '../data/current-home.ts'
import { useCurrentHome, useDevices, useHomes } from '../data/homes.ts'
import { loadNamespaces, useT } from '../lib/i18n/i18n.ts'
import { LANGUAGES } from '../lib/i18n/words.ts'
import { SCREEN_NAMESPACES } from '../lib/i18n/namespaces.ts'
import { forcedSignOut, startLive } from '../live/session.ts'
import { refreshTopics, useLiveHomes } from '../live/subscriptions.ts'
import { resynchronize } from '../live/hub-states.ts'
import { navigateWith } from '../data/navigator.ts'
import { mayNow, useSubject } from '../data/session.ts'
import { refetchExpired, start } from '../live/start-session.ts'
import { whenIdle, onQueriesSettled } from '../data/on-settled.ts'
import { mayOpen } from '../navigation/may-open.ts'
import { pathOf, paths, pathTo } from '../navigation/paths.ts'
import { Icon } from '../ui/plain/icon.tsx'
import { lazyPart, loadWithAntDesign } from '../ui/page/lazy.tsx'
import { usePhone } from '../ui/page/use-screen.ts'
import { hasScreen, viewOf } from './offered-pages.ts'
import { useIsOfAllHomes } from './alarm-scope.ts'
import { BottomBar } from './bottom-bar.tsx'
import { ConnectionStrip } from './connection-strip.tsx'
import { DemoClock } from './demo-clock.tsx'
import { Dialogs } from './dialogs.tsx'
import { Header } from './header.tsx'
import { ShellLoading } from './loading.tsx'
import { PageCrumbs } from './page-crumbs.tsx'
import { PrintHead } from './print-head.tsx'
import { pressOnPage, pressRow, GOES, shortcutOf, type Shortcut } from './shortcuts.ts'
import { SideMenu } from './side-menu.tsx'
import './shell.css'
import '../ui/print.css'
import { useWaitingNotices } from '../data/notices.ts'

const NoticeHost = lazyPart(() => import('./notice-host.tsx'), { isOverlay: true })

/**
 * Notices over the page. Their renderer is fetched with the first notice.
 *
 * atBell  whether the notification panel is open
 */
function Notices({ atBell }: { atBell: boolean }) {
  const isWaiting = useWaitingNotices().length > 0
  const [isStarted, setStarted] = useState(false)
  if (isWaiting && !isStarted) setStarted(true)
  return isStarted && <NoticeHost atBell={atBell} />
}

/** Fetched on first use: the first screen does not need them. */
const SearchDialog = lazy(() =>
  loadWithAntDesign(async () => {
    const [{ SearchDialog: dialog }] = await Promise.all([
      import('./search/search-dialog.tsx'),
      // The search recognizes verbs in every language.
      ...LANGUAGES.map((language) => loadNamespaces(['search'], language)),
      loadNamespaces(['automation']),
    ])
    return { default: dialog }
  }),
)
const ShortcutList = lazy(() =>
  loadWithAntDesign(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList })),
)
const AboutDialog = lazy(() =>
  loadWithAntDesign(async () => ({ default: (await import('./about-dialog.tsx')).AboutDialog })),
)
const BellPanel = lazyPart(
  async () => {
    const [panel] = await Promise.all([
      import('./notifications/bell-panel.tsx'),
      loadNamespaces([...SCREEN_NAMESPACES, 'automation', 'inbox', 'notifications']),
    ])
    return panel
  },
  { isOverlay: true },
)
/** Fetched after the first paint, the tour and the notice when the browser is idle: the first screen is complete without them. */
const UpdateNotice = lazy<ComponentType>(() =>
  import('./update-notice.tsx').catch(() => ({ default: () => null })),
)
const AlarmBadge = lazy<ComponentType<{ isOfAll: boolean }>>(() =>
  import('./alarm-badge.tsx').catch(() => ({ default: () => null })),
)
const TourHost = lazy<ComponentType>(() =>
  import('./tour/tour-host.tsx').catch(() => ({ default: () => null })),
)
const ForcedSignOutDialog = lazy(() =>
  loadWithAntDesign(async () => ({
    default: (await import('./forced-sign-out-dialog.tsx')).ForcedSignOutDialog,
  })),
)

/** Frame of every signed-in page (§2). */
export function Layout() {
  const t = useT()
  const [menuAt, setMenuAt] = useState<string>()
  const [dialog, setDialog] = useState<'search' | 'list' | 'bell' | 'about'>()
  const forced = useStore(forcedSignOut)
  const isPhone = usePhone()
  const { pathname } = useLocation()
  // Open only on the page on which it was opened: every navigation closes it (§2).
  const menuOpen = menuAt === pathname
  const asideRef = useRef<HTMLElement>(null)
  const [settled, setSettled] = useState(false)
  const [idle, setIdle] = useState(false)
  const press = usePress(dialog !== undefined)
  useFollowHome(pathname)
  useStartPage()
  // The live channel starts after the first paint.
  const settle = useCallback(() => onQueriesSettled(() => setSettled(true)), [])
  useEffect(() => (settled ? whenIdle(() => setIdle(true)) : undefined), [settled])
  useEffect(() => {
    if (settled) startLive()
  }, [settled])
  useEffect(() => (settled ? scheduleWorkerStart() : undefined), [settled])

  useEffect(() => {
    refetchExpired()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- on every navigation (§2)
  }, [pathname])
  // Layout effect, so that no early key press is lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setMenuAt(undefined)
      const shortcut = shortcutOf(event)
      if (!shortcut) return
      if (typeof shortcut === 'string') setDialog(shortcut)
      else if (!press(shortcut)) return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [press])
  useEffect(() => {
    if (menuOpen) asideRef.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [menuOpen])

  const isOfAll = useIsOfAllHomes()
  const alarmBadge = settled && (
    <Suspense>
      <AlarmBadge isOfAll={isOfAll} />
    </Suspense>
  )
  return (
    <div className="shell" data-menu={menuOpen}>
      <a className="skip" href="#content" onClick={skip}>
        {t('shell:header.skip')}
      </a>
      <aside ref={asideRef} className="side">
        <button
          type="button"
          className="header-button menu-close"
          aria-label={t('shell:menu.close')}
          onClick={() => setMenuAt(undefined)}
        >
          <Icon of={CloseOutlined} />
        </button>
        <SideMenu onNavigate={() => setMenuAt(undefined)} alarmBadge={alarmBadge} />
      </aside>
      {menuOpen && <div className="scrim" onClick={() => setMenuAt(undefined)} aria-hidden="true" />}
      <div className="page" inert={menuOpen}>
        <Header
          onMenu={() => setMenuAt(pathname)}
          onSearch={() => setDialog('search')}
          onBell={() => setDialog('bell')}
          onAbout={() => setDialog('about')}
        />
        <ConnectionStrip />
        <DemoClock />
        <main id="content" tabIndex={-1}>
          <PrintHead />
          <PageCrumbs />
          <Suspense key={viewOf(pathOf(pathname)?.name)} fallback={<ShellLoading />}>
            <Outlet />
            <Drawn then={settle} />
          </Suspense>
        </main>
        {isPhone && <BottomBar openMenu={() => setMenuAt(pathname)} alarmBadge={alarmBadge} />}
      </div>
      <Dialogs />
      <Notices atBell={dialog === 'bell'} />
      <Suspense>{idle && <UpdateNotice />}</Suspense>
      <Suspense>{idle && <TourHost />}</Suspense>
      <Suspense>
        {dialog === 'search' && <SearchDialog onClose={() => setDialog(undefined)} />}
        {dialog === 'list' && <ShortcutList onClose={() => setDialog(undefined)} />}
        {dialog === 'about' && <AboutDialog onClose={() => setDialog(undefined)} />}
        {dialog === 'bell' && <BellPanel onClose={() => setDialog(undefined)} />}
        {forced && <ForcedSignOutDialog why={forced} />}
      </Suspense>
    </div>
  )
}

/** Starts the service worker after everything visible. Returns a function that stops its connection listener. */
function scheduleWorkerStart(): () => void {
  let isCancelled = false
  let stop = () => {}
  import('../worker/start.ts').then(
    ({ startWorker }) => {
      if (!isCancelled) stop = startWorker()
    },
    () => {},
  )
  return () => {
    isCancelled = true
    stop()
  }
}

/** Runs an effect once the screen next to it has rendered, without rendering the frame again. */
function Drawn({ then }: { then: () => () => void }) {
  useEffect(then, [then])
  return null
}

/**
 * Handler of single-key shortcuts: opens a page, or activates a control or a row of the current one.
 *
 * covered  whether a dialog covers the page, which disables its keys
 * returns  whether the key did anything
 */
function usePress(covered: boolean): (shortcut: Exclude<Shortcut, string>) => boolean {
  const navigate = useNavigate()
  const subject = useSubject()
  const HomeID = useCurrentHome()?.HomeID
  const latest = useRef({ covered, navigate, subject, HomeID })
  useLayoutEffect(() => {
    latest.current = { covered, navigate, subject, HomeID }
  })
  return useCallback((shortcut) => {
    const now = latest.current
    if (now.covered || document.querySelector('.ant-modal-wrap, .ant-drawer-open')) return false
    if ('row' in shortcut) return pressRow(shortcut.row)
    if ('page' in shortcut) return pressOnPage(shortcut.page)
    const page = GOES[shortcut.go]
    if (!hasScreen(page) || mayOpen(page, now.subject) !== true) return false
    if (paths[page].needsHome && now.HomeID === undefined) return false
    void now.navigate(pathTo(page, { HomeID: now.HomeID }))
    return true
  }, [])
}

/** Makes the home in the address the current one, and subscribes to its devices and hubs. */
function useFollowHome(pathname: string) {
  const homes = useHomes()
  const inAddress = pathOf(pathname)?.params['HomeID']
  useEffect(() => {
    if (inAddress && inAddress !== currentHomeId() && homes?.some((home) => home.HomeID === inAddress))
      setCurrentHome(inAddress)
  }, [inAddress, homes])
  const home = useCurrentHome()
  const hubs = useDevices(home?.HomeID).data?.Things
  const names = hubs?.map((hub) => hub.ThingName).join(' ')
  const homeId = home?.HomeID
  useLiveHomes(homeId ? [homeId] : [])
  useEffect(() => {
    // Now that the hubs are known (§4), their topics can be subscribed.
    if (homeId && names) void refreshTopics().then((isDone) => isDone && resynchronize([homeId]))
  }, [homeId, names])
}

/** Moves the focus without changing the address: guards could not block leaving a history entry that the browser adds itself. */
function skip(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

/** Lets events outside of components navigate; without any home, the first page is CreateHome (§4). */
function useStartPage() {
  const navigate = useNavigate()
  const started = useStore(start)
  useEffect(() => navigateWith((to, options) => void navigate(to, options)), [navigate])
  // The router creates a new function on each page; the start page is chosen only once.
  const replaceWith = useEffectEvent((to: string) => void navigate(to, { replace: true }))
  useEffect(() => {
    if (started !== 'noHome' || !hasScreen('CreateHome') || !mayNow('home', 'Create')) return
    const requestedPath = pathOf(location.pathname)
    // Pages that need no home open as requested; others open after a home has been created.
    if (!requestedPath || requestedPath.name === 'Home') replaceWith(pathTo('CreateHome'))
    else if (paths[requestedPath.name].needsHome) {
      const then = new URLSearchParams([['then', location.pathname + location.search]])
      replaceWith(`${pathTo('CreateHome')}?${then}`)
    }
  }, [started])
}
