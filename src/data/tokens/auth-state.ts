import { createStore } from '../../lib/store.ts'
import { hasStoredSession } from './tokens.ts'

/** Why the sign-in page is shown, for a sentence on it; a key of `auth:reason`. */
export type SignInReason =
  'signedOut' | 'expired' | 'denied' | 'network' | 'permissionsChanged' | 'userDeleted'

/** Which of the two front doors is open: the light sign-in page or the application. */
export const authState = createStore<'signIn' | 'app'>('signIn')
export const signInReason = createStore<SignInReason | undefined>(undefined)

/** One stay in the application: a late answer that belongs to an earlier one must not end it. */
export interface SessionVisit {
  /** Whether it began with tokens that were kept, not with a sign-in. */
  readonly resumed: boolean
}

let visit: SessionVisit = { resumed: false }
export const currentVisit = (): SessionVisit => visit

export function initAuthState(): void {
  visit = { resumed: true }
  authState.set(hasStoredSession() ? 'app' : 'signIn')
}

/** Somebody has just signed in: the application opens at the address that was asked for. */
export function setSignedIn(): void {
  visit = { resumed: false }
  signInReason.set(undefined)
  authState.set('app')
}

/** Somebody was signed out: the sign-in page opens and says why. */
export function setSignedOut(reason: SignInReason): void {
  visit = { resumed: false }
  signInReason.set(reason)
  history.replaceState(null, '', '/')
  authState.set('signIn')
}
