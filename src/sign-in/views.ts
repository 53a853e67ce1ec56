import { authState } from '../data/tokens/auth-state.ts'
import { createStore } from '../lib/store.ts'

export type AuthView = 'signIn' | 'signUp' | 'forgot' | 'reset' | 'newPassword' | 'invitation'

/** Addresses of the views that have one; every other address shows the sign-in and is kept for after it. */
export const VIEW_PATHS = {
  signUp: '/signUp',
  forgot: '/forgetPassWord',
  reset: '/resetPassWord',
  invitation: '/invitation',
} as const

const viewOf = (pathname: string): AuthView => {
  const found = Object.entries(VIEW_PATHS).find(
    ([, path]) => path.toLowerCase() === pathname.toLowerCase().replace(/\/+$/, ''),
  )
  return (found?.[0] as AuthView | undefined) ?? 'signIn'
}

export const view = createStore<AuthView>('signIn')

/** Views that are also for who is signed in: a link of a mail leads there, whoever opens it. */
export const isPublicView = (shown: AuthView): boolean =>
  shown === 'forgot' ||
  shown === 'reset' ||
  shown === 'invitation' ||
  (shown === 'signUp' && invitation() !== undefined)

/** Follows the address and the browser's Back. Returns how to stop. */
export function syncViewWithUrl(): () => void {
  readViewFromUrl()
  addEventListener('popstate', readViewFromUrl)
  return () => removeEventListener('popstate', readViewFromUrl)
}

/** Shows the view of the address. One that is only for who is signed out leads to the first page of who is signed in. */
export function readViewFromUrl(): void {
  view.set(viewOf(location.pathname))
  if (authState.get() === 'app' && !isPublicView(view.get())) clearViewFromUrl()
}

/** Shows a view under its address. The address somebody asked for while signed out stays on the sign-in itself. */
export function showView(next: AuthView): void {
  const path = next in VIEW_PATHS ? VIEW_PATHS[next as keyof typeof VIEW_PATHS] : undefined
  if (path && location.pathname !== path) history.pushState(null, '', path)
  if (next === 'signIn' && viewOf(location.pathname) !== 'signIn') history.pushState(null, '', '/')
  view.set(next)
}

/** Address and secret of the link of a mail, as /resetPassWord#email=…&code=… carries them; undefined without them. */
export function mailedLink(): { email: string; code: string } | undefined {
  const given = new URLSearchParams(location.hash.slice(1))
  const [email, code] = [given.get('email'), given.get('code')]
  return viewOf(location.pathname) === 'reset' && email && code ? { email, code } : undefined
}

/** Address and secret of the invitation of a company, as /signUp#email=…&invitation=… carries them; undefined without them. */
export function invitation(): { email: string; secret: string } | undefined {
  const given = new URLSearchParams(location.hash.slice(1))
  const [email, secret] = [given.get('email'), given.get('invitation')]
  return viewOf(location.pathname) === 'signUp' && email && secret ? { email, secret } : undefined
}

/** The secret of the invitation of a person, as /invitation#… carries it; empty without one. */
export const invitationToken = (): string =>
  viewOf(location.pathname) === 'invitation' ? location.hash.slice(1) : ''

/** After a sign-in the address of a sign-in view means nothing any more. */
export function clearViewFromUrl(): void {
  if (viewOf(location.pathname) !== 'signIn') history.replaceState(null, '', '/')
  // One that is for everybody would stand before the application.
  view.set('signIn')
}
