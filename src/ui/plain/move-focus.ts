import type { KeyboardEvent } from 'react'

/** Moves the focus within a menu or a row of tabs: by the two arrow keys in turn, Home and End. Other keys do nothing. */
export function moveFocus(
  event: KeyboardEvent,
  items: readonly HTMLElement[],
  [forward, back]: readonly [forward: string, back: string],
): void {
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = { [forward]: at + 1, [back]: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  items[(next + items.length) % items.length]?.focus()
}
