import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, useEffect, useMemo, useState } from 'react'
import { type RouteObject, UNSAFE_createBrowserHistory, useLocation, useRoutes } from 'react-router'
import { guardedHistory } from './lib/guarded-history.ts'
import { useStore } from './lib/store.ts'
import { queryClient, onSessionEnd } from './data/api.ts'
import { onBeforeSignOut, syncSignOutAcrossTabs, signOut } from './live/sign-out.ts'
import { describeFailure, failureDetail } from './data/failure.ts'
import { me, subjectOf } from './data/session.ts'
import { loadNamespaces, useT } from './lib/i18n/i18n.ts'
import { APP_NAMESPACES } from './lib/i18n/namespaces.ts'
import { connection } from './live/channel.ts'
import { forcedSignOut } from './live/session.ts'
import { startSession, start } from './live/start-session.ts'
import { mayOpen } from './navigation/may-open.ts'
import { pathOf, paths, type PathName, recordPages } from './navigation/paths.ts'
import { routeOf } from './routes.ts'
import { preloadScreen, screens } from './screens.ts'
import { ControlReach } from './shell/connection-strip.tsx'
import { CatchCrash } from './shell/crash.tsx'
import { Gate } from './shell/permission-gate.tsx'
import { Layout } from './shell/layout.tsx'
import { ShellLoading } from './shell/loading.tsx'
import { NotFound } from './shell/not-found.tsx'
import { MessagePage } from './ui/page/message-page.tsx'
import { FollowHistory } from './ui/page/page-history.tsx'
import { startPrinting } from './ui/page/printing.ts'
import { PlainButton } from './ui/plain/plain-button.tsx'

/** Time in ms that the reason of a forced sign-out has to arrive after a refused call. */
const FORCED_SIGN_OUT_GRACE_MS = 1_000

/** Application of a signed-in user: providers, start flow, shell. */
export function App() {
  const [hasWords, setHasWords] = useState(false)
  useEffect(() => {
    let endTimer: ReturnType<typeof setTimeout> | undefined
    onSessionEnd(() => {
      // A forced sign-out shows the reason in a dialog and signs out itself; its message may arrive after the refused call.
      endTimer ??= setTimeout(() => {
        endTimer = undefined
        if (!forcedSignOut.get()) void signOut('expired')
      }, FORCED_SIGN_OUT_GRACE_MS)
    })
    const stopFollowing = syncSignOutAcrossTabs()
    const stopLeaving = onBeforeSignOut(detachPush)
    const stopTasks = runBackgroundTasks()
    const stopPrinting = startPrinting()
    void preloadScreen(location.pathname)
    void Promise.all([loadNamespaces(APP_NAMESPACES).then(() => setHasWords(true)), startOpened()])
    return () => {
      stopLeaving()
      stopFollowing()
      stopTasks()
      stopPrinting()
      onSessionEnd(() => {})
      clearTimeout(endTimer)
    }
  }, [])
  if (!hasWords) return null
  return (
    <QueryClientProvider client={queryClient}>
      <Started />
    </QueryClientProvider>
  )
}

/** Starts the session, and fetches the first queries of the opened screen if the user may open it. */
const startOpened = () =>
  startSession((home) => {
    const opened = routeOf(location.pathname)
    if (!opened?.route.prefetch?.queries || mayOpen(opened.name, subjectOf(me.get())) !== true) return
    opened.route.prefetch.queries().then(
      ({ prefetchQueries }) => prefetchQueries(home),
      // If the code cannot be loaded, the screen fetches for itself.
      () => {},
    )
  })

/** Removes the push subscription, at sign-out. */
const detachPush = async () => {
  if ('serviceWorker' in navigator) await (await import('./domain/push/leave.ts')).unsubscribePush()
}

function Started() {
  const t = useT()
  const started = useStore(start)
  if (started === 'loading') return <ShellLoading />
  if (typeof started === 'object')
    return (
      <MessagePage
        title={t('shell:start.failed')}
        text={describeFailure(started.error)}
        detail={failureDetail(started.error)}
        actions={
          <>
            <PlainButton main onClick={() => void startOpened()}>
              {t('shell:retry')}
            </PlainButton>
            <PlainButton onClick={() => void signOut()}>{t('shell:header.signOut')}</PlainButton>
          </>
        }
      />
    )
  return <Site />
}

/** Loads and starts the background tasks once the realtime channel starts, after the first paint. Returns the stop function. */
function runBackgroundTasks(): () => void {
  let isOver = false
  let stop = () => {}
  const startOnce = () => {
    if (connection.state.get() === 'idle') return
    unsubscribe()
    import('./background-tasks.ts').then(
      ({ startBackgroundTasks }) => {
        if (!isOver) stop = startBackgroundTasks()
      },
      () => {},
    )
  }
  const unsubscribe = connection.state.subscribe(startOnce)
  return () => {
    isOver = true
    unsubscribe()
    stop()
  }
}

/** Refine, loaded with the first page of a record: the first screen does not need it. */
const RefineFrame = lazy(async () => ({
  default: (await import('./providers/refine-frame.tsx')).RefineFrame,
}))

const OfCurrentHome = lazy(async () => ({
  default: (await import('./shell/of-current-home.tsx')).OfCurrentHome,
}))

/** The pages, with a history that is tracked from their first render on. */
function Site() {
  const [history] = useState(() => guardedHistory(UNSAFE_createBrowserHistory({ v5Compat: true })))
  return (
    <FollowHistory history={history}>
      <Pages />
    </FollowHistory>
  )
}

/** The screen of the address. Matches only its own routes: matching those of all screens takes a phone 0.1 s. */
function Pages() {
  const name = pathOf(useLocation().pathname)?.name
  return useRoutes(useMemo(() => routesFor(name), [name]))
}

const withCrashPage = (element: ReactNode) => <CatchCrash>{element}</CatchCrash>

const routesFor = (name: PathName | undefined): RouteObject[] => [
  {
    element: withCrashPage(
      <ControlReach>
        <Layout />
      </ControlReach>,
    ),
    children: [
      ...routesOf(name),
      { path: '/Alarm', element: <OfCurrentHome name="Alarm" /> },
      { path: '*', element: <NotFound /> },
    ],
  },
]

function routesOf(name: PathName | undefined): RouteObject[] {
  const Screen = name && screens[name]
  if (!Screen) return []
  const element = withCrashPage(
    <Gate name={name}>
      <Screen />
    </Gate>,
  )
  const routes = paths[name].patterns.map((path) => ({ path, element }))
  return recordPages.includes(name) ? [{ element: withCrashPage(<RefineFrame />), children: routes }] : routes
}
