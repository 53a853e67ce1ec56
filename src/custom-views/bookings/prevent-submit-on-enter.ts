import type { KeyboardEvent } from 'react'

/** Makes Enter confirm a date or time without submitting the form. */
export const PREVENT_SUBMIT_ON_ENTER = {
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter') event.preventDefault()
  },
}
