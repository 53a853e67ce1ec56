const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** How the search shortcut is written on this device. */
export const SHORTCUT = isMac ? '⌘K' : 'Ctrl K'

export type Shortcut = 'search' | 'list'

/**
 * The shortcut that a key press means: Ctrl/Cmd-K the search, `?` the list of shortcuts. None while an input method composes
 * (Enter and K belong to it then), and `?` none while somebody types.
 */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return undefined
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') return 'search'
  if (event.key === '?' && !event.ctrlKey && !event.metaKey && !isTyping(event.target)) return 'list'
  return undefined
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="combobox"]'))
