import { createStore } from '../lib/store.ts'
import { me } from './session.ts'

/** Storage key of the CognitoIds of the users to whom the tour has been offered in this browser; kept after sign-out. */
export const TOUR_OFFERED_KEY = 'tourOffered'

export const hasTour = createStore(false)

const offeredIds = (): string[] => (localStorage.getItem(TOUR_OFFERED_KEY) ?? '').split(' ').filter(Boolean)

/** Whether the tour has been offered to the signed-in user in this browser. */
export const wasTourOffered = (): boolean => offeredIds().includes(me.get()?.CognitoId ?? '')

export function markTourOffered(): void {
  const id = me.get()?.CognitoId
  if (id === undefined) return
  localStorage.setItem(TOUR_OFFERED_KEY, [...new Set([...offeredIds(), id])].join(' '))
}
