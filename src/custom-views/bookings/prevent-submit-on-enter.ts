import type { KeyboardEvent } from 'react'

/** Enter ends what was typed as a date or a time, and does not book yet. */
export const PREVENT_SUBMIT_ON_ENTER = {
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter') event.preventDefault()
  },
}
