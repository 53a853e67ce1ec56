import { createStore } from '../../lib/store.ts'
import { seemsSignedIn } from './tokens.ts'

/** Why the sign-in page is shown, for a sentence on it; a key of `auth:reason`. */
export type SignInReason =
  'signedOut' | 'expired' | 'denied' | 'network' | 'permissionsChanged' | 'userDeleted'

/** Which of the two front doors is open: the light sign-in page or the application. */
export const entrance = createStore<'signIn' | 'app'>('signIn')
export const signInReason = createStore<SignInReason | undefined>(undefined)

export function openEntrance(): void {
  entrance.set(seemsSignedIn() ? 'app' : 'signIn')
}

/** Somebody has just signed in: the application opens at the address that was asked for. */
export function enter(): void {
  signInReason.set(undefined)
  entrance.set('app')
}
