import type { PageKey, Shortcut } from './shortcuts.ts'

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
