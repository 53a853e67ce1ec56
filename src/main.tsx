import './lib/zod-without-eval.ts'
import './prefetch.ts'
import { createRoot } from 'react-dom/client'
import { authState, initAuthState } from './data/tokens/auth-state.ts'
import { firstLanguage, loadNamespaces, startI18n, useT } from './lib/i18n/i18n.ts'
import { captureInstallPrompt } from './lib/install-prompt.ts'
import { APP_NAMESPACES, SCREEN_NAMESPACES } from './lib/i18n/namespaces.ts'
import { wordsOf } from './lib/i18n/words.ts'
import { startNativeBridge } from './native/start.ts'
import { directEntryRoutes, directEntryRouteOf } from './direct-entry-routes.ts'
import { readViewFromUrl, isPublicView, view } from './sign-in/views.ts'
import { startTheme } from './ui/theme/theme-mode.ts'
import './ui/theme/base.css'
import { lazy, StrictMode, Suspense } from 'react'
import { useStore } from './lib/store.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'

/** Antd, Refine and the screens: fetched only by who is signed in. */
const App = lazy(async () => {
  const { loadApp } = await import('./load-app.ts')
  return { default: (await loadApp()).App }
})

/** The tablet at a meeting room's door, where nobody signs in. */
const RoomDoor = lazy(async () => {
  const [page] = await Promise.all([
    import('./custom-views/bookings/door-display-page.tsx'),
    loadNamespaces(['bookings']),
  ])
  return page
})
const AT_DOOR = /^\/RoomDoor\/[^/]+\/?$/i

/** The two front doors: a light sign-in page, and the application behind it. */
function Root() {
  const door = useStore(authState)
  const shown = useStore(view)
  if (AT_DOOR.test(location.pathname))
    return (
      <Suspense fallback={<Opening />}>
        <RoomDoor />
      </Suspense>
    )
  return (
    <StrictMode>
      {door === 'signIn' || isPublicView(shown) ? (
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

const opening = directEntryRouteOf(location.pathname)
/** The first screen does without the words and dialogs of all others. */
const isElsewhere = opening && opening !== directEntryRoutes.dashboard

/**
 * What who is signed in will need, all at once instead of one after the other. Whoever needs a part asks for it again, and
 * deals with its failure.
 */
function preloadApp(): void {
  // First, as a browser fetches few files at a time: the frame can be drawn with them while the screen is still on its way.
  const words = wordsOf(firstLanguage(), 'shell')
  const app = import('./load-app.ts').then(({ loadApp }) => loadApp())
  const next = opening?.askNext?.().then(({ askNext }) => askNext())
  const parts: (Promise<unknown> | undefined)[] = [words, app, next]
  if (opening) parts.push(isElsewhere ? opening.load() : app.then(opening.load))
  void Promise.allSettled(parts)
  // A phone takes a tenth of a second to make ready for its first date. Once it has drawn that it waits, it has that time.
  setTimeout(() => new Intl.DateTimeFormat().resolvedOptions(), 100)
}

startTheme()
initAuthState()
readViewFromUrl()
startNativeBridge()
captureInstallPrompt()
if (authState.get() === 'app') preloadApp()
// Not awaited here: a module that waits at its top level has the build give each part that is imported when it is needed a file of its own.
void startI18n(['auth'])
  // The words of the first language are here.
  .catch(() => {})
  .then(() => {
    if (authState.get() === 'app') {
      void loadNamespaces([
        ...APP_NAMESPACES,
        ...(isElsewhere ? [...SCREEN_NAMESPACES, ...opening.words] : []),
      ]).catch(() => {})
    }
    createRoot(document.getElementById('root') as HTMLElement).render(<Root />)
  })
