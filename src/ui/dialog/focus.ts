/** Fields that a person fills in; a switch acts at once, and a file is chosen by a button. */
const FIELDS = [
  'input:not([type="hidden"], [type="file"], [tabindex="-1"])',
  'textarea:not([tabindex="-1"])',
  'select',
  '[contenteditable="true"]',
]
  .map((field) => `${field}:not(:disabled)`)
  .join()

/** Parts of the page from which a dialog opens and that close with it: they cannot get the focus back. */
const MENUS = '[role="menu"], .ant-dropdown'
const DIALOGS = '.ant-modal-root, .ant-drawer'

let lastFocused: Element | null = null
// Without a page, as in tests of models, there is no focus.
globalThis.document?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && !target.closest(`${MENUS}, ${DIALOGS}`)) lastFocused = target
})

/** Elements that opened a dialog, nearest first, by the dialog's outermost element. */
const openersOf = new WeakMap<Element, readonly Element[]>()

/** The elements to which a dialog that opens now returns the focus, in order of preference. */
export function findOpeners(): readonly Element[] {
  const active = document.activeElement
  const within = active?.closest(DIALOGS)
  // A question has no openers of its own; the page had the focus before it.
  if (within && active) return [active, ...(openersOf.get(within) ?? (lastFocused ? [lastFocused] : []))]
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

const isNowhere = () => !document.activeElement || document.activeElement === document.body

/** Moves the focus to the content of the page if this element is removed while it has the focus. */
function followRemoval(element: Element): void {
  const observer = new MutationObserver(() => {
    if (element.isConnected) return
    observer.disconnect()
    if (isNowhere()) focusContent()
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
  if (!isNowhere() && !isInDialog && !isReturned) return
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
 * Focuses the first field of a dialog as soon as there is one, unless the focus is on something of the dialog already.
 * Returns how to stop waiting for it.
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
  // Who has begun to use the dialog is not moved any more.
  panel.addEventListener('keydown', stop, { once: true })
  panel.addEventListener('pointerdown', stop, { once: true })
  return stop
}
