import { createStore } from '../../lib/store.ts'
import { seemsSignedIn } from './tokens.ts'

/** Why the sign-in page is shown, for a sentence on it; a key of `auth:reason`. */
export type SignInReason =
  'signedOut' | 'expired' | 'denied' | 'network' | 'permissionsChanged' | 'userDeleted'

/** Which of the two front doors is open: the light sign-in page or the application. */
export const entrance = createStore<'signIn' | 'app'>('signIn')
export const signInReason = createStore<SignInReason | undefined>(undefined)

/** One stay in the application: a late answer that belongs to an earlier one must not end it. */
export interface Visit {
  /** Whether it began with tokens that were kept, not with a sign-in. */
  readonly resumed: boolean
}

let visit: Visit = { resumed: false }
export const currentVisit = (): Visit => visit

export function openEntrance(): void {
  visit = { resumed: true }
  entrance.set(seemsSignedIn() ? 'app' : 'signIn')
}

/** Somebody has just signed in: the application opens at the address that was asked for. */
export function enter(): void {
  visit = { resumed: false }
  signInReason.set(undefined)
  entrance.set('app')
}

/** Somebody was signed out: the sign-in page opens and says why. */
export function leaveEntrance(reason: SignInReason): void {
  visit = { resumed: false }
  signInReason.set(reason)
  history.replaceState(null, '', '/')
  entrance.set('signIn')
}
