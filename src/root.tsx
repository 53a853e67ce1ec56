import { lazy, StrictMode, Suspense } from 'react'
import { useStore } from './lib/store.ts'
import { entrance } from './providers/auth/entrance.ts'
import { useT } from './providers/i18n.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'

/** Antd, Refine and the screens: fetched only by who is signed in. */
const App = lazy(async () => ({ default: (await import('./App.tsx')).App }))

/** The two front doors: a light sign-in page, and the application behind it. */
export function Root() {
  const door = useStore(entrance)
  return (
    <StrictMode>
      {door === 'signIn' ? (
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
