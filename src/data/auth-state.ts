import { createStore } from '../lib/store.ts'
import { hasStoredSession } from './tokens.ts'

/** Reason why the sign-in page is shown; a key of `auth:reason`. */
export type SignInReason =
  'signedOut' | 'expired' | 'denied' | 'network' | 'permissionsChanged' | 'userDeleted'

/** Whether the sign-in page or the application is shown. */
export const authState = createStore<'signIn' | 'app'>('signIn')
export const signInReason = createStore<SignInReason | undefined>(undefined)

/** One session in the application: a late answer that belongs to an earlier one must not end it. */
export interface SessionVisit {
  /** Whether the session began with stored tokens, not with a sign-in. */
  readonly resumed: boolean
}

let visit: SessionVisit = { resumed: false }
export const currentVisit = (): SessionVisit => visit

export function initAuthState(): void {
  visit = { resumed: true }
  authState.set(hasStoredSession() ? 'app' : 'signIn')
}

/** Opens the application at the requested address, after a sign-in. */
export function setSignedIn(): void {
  visit = { resumed: false }
  signInReason.set(undefined)
  authState.set('app')
}

/** Opens the sign-in page with the reason, after a sign-out. */
export function setSignedOut(reason: SignInReason): void {
  visit = { resumed: false }
  signInReason.set(reason)
  history.replaceState(null, '', '/')
  authState.set('signIn')
}
