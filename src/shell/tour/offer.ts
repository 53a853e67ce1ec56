import { createStore } from '../../lib/store.ts'

const SEEN_KEY = 'tour.seen'

/** Whether the tour is open. */
export const hasTour = createStore(false)

/** Whether the tour was offered on this device. */
export const wasOffered = (): boolean => localStorage.getItem(SEEN_KEY) !== null
export const noteOffered = (): void => localStorage.setItem(SEEN_KEY, '1')
