/** Fields to fill in; not switches, which act at once, nor files, which a button selects. */
const FIELDS = [
  'input:not([type="hidden"], [type="file"], [tabindex="-1"])',
  'textarea:not([tabindex="-1"])',
  'select',
  '[contenteditable="true"]',
]
  .map((field) => `${field}:not(:disabled)`)
  .join()

/** Menus and dialogs close with the dialog that they opened, so they cannot get the focus back. */
const MENUS = '[role="menu"], .ant-dropdown'
const DIALOGS = '.ant-modal-root, .ant-drawer'

let lastFocused: Element | null = null
// In tests of models there is no document, hence no focus.
globalThis.document?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && !target.closest(`${MENUS}, ${DIALOGS}`)) lastFocused = target
})

/** Elements that opened a dialog, nearest first, by the dialog's outermost element. */
const openersOf = new WeakMap<Element, readonly Element[]>()

/** The elements to which a dialog that opens now returns the focus, in order of preference. */
export function findOpeners(): readonly Element[] {
  const active = document.activeElement
  const dialog = active?.closest(DIALOGS)
  // A confirmation has no openers of its own; before it, the page had the focus.
  if (dialog && active) return [active, ...(openersOf.get(dialog) ?? (lastFocused ? [lastFocused] : []))]
  const isOnPage = active && active !== document.body && !active.closest(MENUS)
  return [isOnPage ? active : lastFocused].filter((element) => element !== null)
}

export function rememberOpeners(panel: Element, openers: readonly Element[]): void {
  const dialog = panel.closest(DIALOGS)
  if (dialog) openersOf.set(dialog, openers)
}

/** Focuses an element; false if it is not on the page, not visible or disabled. */
function focus(element: Element): boolean {
  if (!element.isConnected || !(element instanceof HTMLElement || element instanceof SVGElement)) return false
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

const focusContent = () => {
  const content = document.getElementById('content')
  if (content) focus(content)
}

const isFocusLost = () => !document.activeElement || document.activeElement === document.body

/** Moves the focus to the content of the page if this element is removed while it has the focus. */
function followRemoval(element: Element): void {
  const observer = new MutationObserver(() => {
    if (element.isConnected) return
    observer.disconnect()
    if (isFocusLost()) focusContent()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', () => observer.disconnect(), { once: true })
}

/**
 * Returns the focus after a dialog has closed: to its opener, or to the content of the page if the opener is hidden or
 * deleted, also shortly afterwards. Does nothing if the focus has moved elsewhere.
 */
export function returnFocus(openers: readonly Element[], panel?: Element | null): void {
  const active = document.activeElement
  const isInDialog = active !== null && panel?.closest(DIALOGS)?.contains(active)
  // The library may have returned it already.
  const isReturned = active !== null && openers.includes(active)
  if (!isFocusLost() && !isInDialog && !isReturned) return
  const opener = openers.find(focus)
  if (opener) followRemoval(opener)
  else focusContent()
}

/** First field of a dialog: in a group of radio buttons the selected one. */
function firstField(body: Element): HTMLElement | undefined {
  const fields = [...body.querySelectorAll<HTMLElement>(FIELDS)].filter(
    (field) => (field.checkVisibility?.() ?? true) && !field.closest('[aria-hidden="true"]'),
  )
  const [first] = fields
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return first
  return (
    fields.find((field) => field instanceof HTMLInputElement && field.name === first.name && field.checked) ??
    first
  )
}

/**
 * Focuses the first field of a dialog as soon as there is one, unless the dialog already contains the focus. Returns a function that
 * stops waiting for it.
 */
export function focusFirstField(panel: Element): () => void {
  const body = panel.querySelector('.ant-modal-body, .ant-drawer-body')
  if (!body) return () => {}
  const isTaken = () => body.contains(document.activeElement)
  const tryFocus = () => {
    if (!isTaken()) firstField(body)?.focus()
    return isTaken()
  }
  if (tryFocus()) return () => {}
  const observer = new MutationObserver(() => {
    if (tryFocus()) stop()
  })
  const stop = () => observer.disconnect()
  observer.observe(body, { childList: true, subtree: true })
  // Does not move the focus after the user has begun to use the dialog.
  panel.addEventListener('keydown', stop, { once: true })
  panel.addEventListener('pointerdown', stop, { once: true })
  return stop
}
