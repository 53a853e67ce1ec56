import './lib/zod-without-eval.ts'
import './prefetch.ts'
import { createRoot } from 'react-dom/client'
import { authState, initAuthState } from './data/auth-state.ts'
import { firstLanguage, loadNamespaces, startI18n, useT } from './lib/i18n/i18n.ts'
import { captureInstallPrompt } from './lib/install-prompt.ts'
import { APP_NAMESPACES, SCREEN_NAMESPACES } from './lib/i18n/namespaces.ts'
import { wordsOf } from './lib/i18n/words.ts'
import { startNativeBridge } from './native/start.ts'
import { loadApp } from './load-app.ts'
import { routeOf } from './routes.ts'
import { readViewFromUrl, isPublicView, view } from './sign-in/views.ts'
import { startTheme } from './ui/theme/theme-mode.ts'
import './ui/theme/base.css'
import { lazy, StrictMode, Suspense } from 'react'
import { useStore } from './lib/store.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'

/** Antd, Refine and the screens: loaded only for signed-in users. */
const App = lazy(async () => ({ default: (await loadApp()).App }))

/** Door display of a conference room, without sign-in. */
const RoomDoor = lazy(async () => {
  const [page] = await Promise.all([
    import('./custom-views/bookings/door-display-page.tsx'),
    loadNamespaces(['bookings']),
  ])
  return page
})
const AT_DOOR = /^\/RoomDoor\/[^/]+\/?$/i

/** Root component: the light sign-in page, the application, or a door display. */
function Root() {
  const door = useStore(authState)
  const shownView = useStore(view)
  if (AT_DOOR.test(location.pathname))
    return (
      <Suspense fallback={<Opening />}>
        <RoomDoor />
      </Suspense>
    )
  return (
    <StrictMode>
      {door === 'signIn' || isPublicView(shownView) ? (
        <SignInPage />
      ) : (
        <Suspense fallback={<Opening />}>
          <App />
        </Suspense>
      )}
    </StrictMode>
  )
}

function Opening() {
  const t = useT()
  return (
    <div className="opening" role="status">
      <span className="opening-bar" aria-hidden="true" />
      {t('auth:opening')}
    </div>
  )
}

const opened = routeOf(location.pathname)?.route
/** Namespaces of the opened screen in addition to those of the application. */
const screenWords = !opened || opened.words === 'app' ? [] : [...SCREEN_NAMESPACES, ...(opened.words ?? [])]

/** Starts what a signed-in user needs besides the files that `prefetch.ts` requests. */
function preloadWords(): void {
  // A failure is ignored: the application loads the words again.
  wordsOf(firstLanguage(), 'shell').catch(() => {})
  // A phone takes 0.1 s to initialize date formats: do it while the page waits for its files.
  globalThis.requestIdleCallback?.(() => void new Intl.DateTimeFormat().resolvedOptions())
}

startTheme()
initAuthState()
readViewFromUrl()
startNativeBridge()
captureInstallPrompt()
if (authState.get() === 'app') preloadWords()
// No top-level await: it would make the build give each dynamically imported part a file of its own.
void startI18n(['auth'])
  // On failure, the words of the first language are available.
  .catch(() => {})
  .then(() => {
    if (authState.get() === 'app') {
      void loadNamespaces([...APP_NAMESPACES, ...screenWords]).catch(() => {})
    }
    createRoot(document.getElementById('root') as HTMLElement).render(<Root />)
  })
