import { lazy, StrictMode, Suspense } from 'react'
import { useStore } from './lib/store.ts'
import { authState } from './data/tokens/auth-state.ts'
import { loadNamespaces, useT } from './lib/i18n/i18n.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { isPublicView, view } from './sign-in/views.ts'

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
export function Root() {
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
