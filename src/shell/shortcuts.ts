import { createStore, useStore } from '../lib/store.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Label of the search shortcut on this device. */
export const SHORTCUT = isMac ? '⌘K' : 'Ctrl K'

/** Pages opened by a key after `g`. */
export const GOES = {
  d: 'Dashboard',
  b: 'ConferenceRoomBooking',
  e: 'Electricity',
  l: 'DeviceList',
  a: 'Alarm',
  m: 'Meters',
} as const
export type GoKey = keyof typeof GOES

/** Single keys of a page; `data-keys` marks the control that they activate. */
export const PAGE_KEYS = ['/', 't', '[', ']', 'c', 'e'] as const
type PageKey = (typeof PAGE_KEYS)[number]

export type Shortcut =
  'search' | 'list' | { go: GoKey } | { page: PageKey } | { row: 'next' | 'previous' | 'open' | 'tick' }

const KEYS_OFF = 'keys.off'
const enabledStore = createStore(localStorage.getItem(KEYS_OFF) === null)
/** Turns single keys on or off (WCAG 2.1.4) on this device. */
export function switchKeys(): void {
  if (enabledStore.get()) localStorage.setItem(KEYS_OFF, '1')
  else localStorage.removeItem(KEYS_OFF)
  enabledStore.set(!enabledStore.get())
}
export const useKeysOn = (): boolean => useStore(enabledStore)

/** Maximum time between `g` and its second key, in ms. */
const SECOND_MS = 1_000
let begunAt = -Infinity

const ROW_KEYS: Readonly<Record<string, 'next' | 'previous' | 'open' | 'tick'>> = {
  j: 'next',
  k: 'previous',
  o: 'open',
  x: 'tick',
}

/**
 * Shortcut of a key press: Ctrl/Cmd-K for the search, `?` for the list of shortcuts, and single keys while they are on. None while an
 * input method composes (Enter and K belong to it), and no single key while the user types.
 *
 * now  ms of a monotonic clock
 */
export function shortcutOf(event: KeyboardEvent, now: number = performance.now()): Shortcut | undefined {
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return undefined
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') return 'search'
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return undefined
  if (event.key === '?') return 'list'
  if (!enabledStore.get()) return undefined
  const isSecond = now - begunAt < SECOND_MS
  begunAt = -Infinity
  if (isSecond) return event.key in GOES ? { go: event.key as GoKey } : undefined
  if (event.key === 'g') begunAt = now
  const row = ROW_KEYS[event.key]
  if (row) return { row }
  const page = PAGE_KEYS.find((key) => key === event.key)
  return page && { page }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type="checkbox"]), textarea, select, [role="combobox"], [role="menuitem"]'))

type Row = Extract<Shortcut, { row: unknown }>['row']

/** Control of a key on the page, by its `data-keys`; null if there is none. */
const controlOf = (key: PageKey): HTMLElement | null =>
  document.querySelector<HTMLElement>(`main [data-keys="${CSS.escape(key)}"]:not(:disabled)`)

/** Keys that controls of the page declare. */
export const keysOnPage = (): ReadonlySet<string> =>
  new Set(
    [...document.querySelectorAll<HTMLElement>('main [data-keys]')].map(
      ({ dataset }) => dataset['keys'] ?? '',
    ),
  )
export const hasRows = (): boolean => rows().length > 0

/** Clicks the control of a key, or focuses it if it is a field. */
export function pressOnPage(key: PageKey): boolean {
  const control = controlOf(key)
  if (!control) return false
  const field = control.matches('input, select') ? control : control.querySelector<HTMLElement>('input')
  if (field) field.focus()
  else control.click()
  return true
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main [data-row-key]')]
const linkOf = (row: HTMLElement) => row.querySelector<HTMLElement>('a, button')

/** Moves between the rows of a list, opens the focused row, or selects it. */
export function pressRow(to: Row): boolean {
  const all = rows()
  const at = all.findIndex((row) => row.contains(document.activeElement))
  const row = all[at]
  if (to === 'next' || to === 'previous') {
    const next = at < 0 ? all[0] : all[at + (to === 'next' ? 1 : -1)]
    const link = next && linkOf(next)
    link?.focus()
    next?.scrollIntoView({ block: 'nearest' })
    return link !== undefined && link !== null
  }
  if (!row) return false
  if (to === 'open') linkOf(row)?.click()
  else row.querySelector<HTMLElement>('input[type="checkbox"]')?.click()
  return true
}
