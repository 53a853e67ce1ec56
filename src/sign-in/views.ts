import { authState } from '../data/auth-state.ts'
import { createStore } from '../lib/store.ts'

export type AuthView = 'signIn' | 'signUp' | 'forgot' | 'reset' | 'newPassword' | 'invitation'

/** Paths of views that have one; every other path shows the sign-in and is opened after it. */
export const VIEW_PATHS = {
  signUp: '/signUp',
  forgot: '/forgetPassWord',
  reset: '/resetPassWord',
  invitation: '/invitation',
} as const

const viewOf = (pathname: string): AuthView => {
  const entry = Object.entries(VIEW_PATHS).find(
    ([, path]) => path.toLowerCase() === pathname.toLowerCase().replace(/\/+$/, ''),
  )
  return (entry?.[0] as AuthView | undefined) ?? 'signIn'
}

export const view = createStore<AuthView>('signIn')

/** Views that signed-in users can open too, since links in emails lead there. */
export const isPublicView = (authView: AuthView): boolean =>
  authView === 'forgot' ||
  authView === 'reset' ||
  authView === 'invitation' ||
  (authView === 'signUp' && invitation() !== undefined)

/** Follows the address and the browser's Back. Returns a function that stops this. */
export function syncViewWithUrl(): () => void {
  readViewFromUrl()
  addEventListener('popstate', readViewFromUrl)
  return () => removeEventListener('popstate', readViewFromUrl)
}

/** Shows the view of the address. For a signed-in user, a view that is not public redirects to the first page. */
export function readViewFromUrl(): void {
  view.set(viewOf(location.pathname))
  if (authState.get() === 'app' && !isPublicView(view.get())) clearViewFromUrl()
}

/** Shows a view and its path. The path requested while signed out stays on the sign-in view itself. */
export function showView(next: AuthView): void {
  const path = next in VIEW_PATHS ? VIEW_PATHS[next as keyof typeof VIEW_PATHS] : undefined
  if (path && location.pathname !== path) history.pushState(null, '', path)
  if (next === 'signIn' && viewOf(location.pathname) !== 'signIn') history.pushState(null, '', '/')
  view.set(next)
}

/** Address and code from the link of an email, /resetPassWord#email=…&code=…; undefined if absent. */
export function mailedLink(): { email: string; code: string } | undefined {
  const params = new URLSearchParams(location.hash.slice(1))
  const [email, code] = [params.get('email'), params.get('code')]
  return viewOf(location.pathname) === 'reset' && email && code ? { email, code } : undefined
}

/** Address and secret from the invitation of a company, /signUp#email=…&invitation=…; undefined if absent. */
export function invitation(): { email: string; secret: string } | undefined {
  const params = new URLSearchParams(location.hash.slice(1))
  const [email, secret] = [params.get('email'), params.get('invitation')]
  return viewOf(location.pathname) === 'signUp' && email && secret ? { email, secret } : undefined
}

/** Secret from the invitation of a person, /invitation#…; empty if absent. */
export const invitationToken = (): string =>
  viewOf(location.pathname) === 'invitation' ? location.hash.slice(1) : ''

/** Replaces the path of a sign-in view after sign-in. */
export function clearViewFromUrl(): void {
  if (viewOf(location.pathname) !== 'signIn') history.replaceState(null, '', '/')
  // A public view would cover the application.
  view.set('signIn')
}
