import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 767px)')

function subscribe(listener: () => void) {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether the screen is as narrow as a phone's: below 768 px, as in every style sheet. */
export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
