import { useSyncExternalStore } from 'react'
import { isPrinting } from './printing.ts'

/**
 * Store of a media query about the width of the screen. The style sheets use the same four widths: 600, 900, 1200 and 1680 px. Paper is
 * narrower than a screen: a printed page keeps the layout of the screen.
 */
function screenStore(query: string) {
  let media: MediaQueryList | undefined
  const read = () => (media ??= matchMedia(query))
  let matched: boolean | undefined
  return {
    subscribe(listener: () => void) {
      const list = read()
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    matches: () => {
      if (matched === undefined || !isPrinting()) matched = read().matches
      return matched
    },
  }
}

const phone = screenStore('(max-width: 599px)')
const wide = screenStore('(min-width: 1200px)')
const veryWide = screenStore('(min-width: 1680px)')

/** Whether the screen is as narrow as a phone, outside of a component. */
export const isPhone = (): boolean => phone.matches()

/** Whether the screen is as narrow as a phone: below 600 px. */
export const usePhone = (): boolean => useSyncExternalStore(phone.subscribe, phone.matches)

/** Whether the screen is a desktop's: from 1,200 px, where the side menu is open. */
export const useWide = (): boolean => useSyncExternalStore(wide.subscribe, wide.matches)

/** Whether the screen is a wide desktop's: from 1,680 px. */
export const useVeryWide = (): boolean => useSyncExternalStore(veryWide.subscribe, veryWide.matches)
