import { useSyncExternalStore } from 'react'
import { isPrinting } from './printing.ts'

const narrow = matchMedia('(max-width: 767px)')

function subscribe(listener: () => void) {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Paper is narrower than a screen: a printed page keeps the layout of the screen. */
let wasNarrow = narrow.matches
const isNarrow = () => {
  if (!isPrinting()) wasNarrow = narrow.matches
  return wasNarrow
}

/** Whether the screen is as narrow as a phone: below 768 px, as in every style sheet. */
export const usePhone = (): boolean => useSyncExternalStore(subscribe, isNarrow)
