import { setWithExpiry } from '../lib/storage-with-expiry.ts'
import { createStore, useStore } from '../lib/store.ts'
import { CURRENT_HOME_KEY } from './home-to-show.ts'

const selectedHome = createStore<string | undefined>(undefined)

/** The home that the user chose or whose page is open; undefined before one is known. */
export const currentHomeId = (): string | undefined => selectedHome.get()
export const useCurrentHomeId = (): string | undefined => useStore(selectedHome)

/** Sets the current home and stores it for an hour (§2, §9). */
export function setCurrentHome(homeId: string | undefined): void {
  selectedHome.set(homeId)
  if (homeId) setWithExpiry(CURRENT_HOME_KEY, homeId)
  else localStorage.removeItem(CURRENT_HOME_KEY)
}
