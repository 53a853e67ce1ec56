import { createStore } from '../lib/store.ts'

const SEEN_KEY = 'tour.seen'

export const hasTour = createStore(false)

/** Whether the tour has been offered on this device. */
export const wasTourOffered = (): boolean => localStorage.getItem(SEEN_KEY) !== null
export const markTourOffered = (): void => localStorage.setItem(SEEN_KEY, '1')
