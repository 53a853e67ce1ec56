import type { PageKey, Shortcut } from './shortcuts.ts'

type Row = Extract<Shortcut, { row: unknown }>['row']

/** What a key presses on the page, or undefined where it presses nothing: controls name theirs by `data-keys`. */
const controlOf = (key: PageKey): HTMLElement | null =>
  document.querySelector<HTMLElement>(`main [data-keys="${CSS.escape(key)}"]:not(:disabled)`)

/** The keys that the page has, for the list of them. */
export const keysOnPage = (): ReadonlySet<string> =>
  new Set(
    [...document.querySelectorAll<HTMLElement>('main [data-keys]')].map(
      ({ dataset }) => dataset['keys'] ?? '',
    ),
  )
export const hasRows = (): boolean => rows().length > 0

/** Presses the control of a key; a field takes the focus instead. */
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

/** Walks through the rows of a list, opens the one that has the focus, or ticks it. */
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
