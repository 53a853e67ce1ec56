import type { t as translate } from '../../lib/i18n/i18n.ts'

/** English accessible names of Ant Design that none of its settings translate, with our texts. */
const NAMES = {
  'Increase Value': 'increase',
  'Decrease Value': 'decrease',
  'Select all': 'selectAll',
  'Custom selection': 'selectAll',
  'expanded dropdown': 'moreTabs',
  'segmented control': 'options',
  Close: 'close',
  remove: 'remove',
} as const

/** Icons that are the only name of a control of Ant Design. */
const ICONS = {
  close: 'close',
  'close-circle': 'clear',
  search: 'search',
  left: 'previous',
  right: 'next',
  'double-left': 'farBack',
  'double-right': 'farAhead',
  ellipsis: 'more',
  eye: 'hidePassword',
  'eye-invisible': 'showPassword',
} as const

type Part = (typeof NAMES)[keyof typeof NAMES] | (typeof ICONS)[keyof typeof ICONS]

/** Original English name of each translated element, for a later change of the language. */
const english = new WeakMap<Element, string>()

const partOf = (names: Readonly<Record<string, Part>>, name: string): Part | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined

/** Name with which Ant Design rendered an icon; undefined if a screen named it. */
function iconNameOf(element: Element): string | undefined {
  const name = english.get(element) ?? element.getAttribute('aria-label') ?? ''
  const isDrawnBy = element.classList.contains(`anticon-${name}`) || element.matches('.ant-collapse-arrow')
  return isDrawnBy ? name : undefined
}

/** Whether an icon is a control itself, or the only name of one. */
function isControl(icon: Element): boolean {
  if (icon.hasAttribute('tabindex')) return true
  const button = icon.closest('button, [role="button"]')
  return !!button && !button.textContent && !button.matches('[aria-label], [aria-labelledby], [title]')
}

function nameElement(element: Element, t: typeof translate): void {
  const icon = element.matches('.anticon') ? iconNameOf(element) : undefined
  // Elements without a role cannot have a name; the fields on both sides of a separator have names of their own.
  if ((icon !== undefined && !isControl(element)) || element.matches('.ant-picker-separator')) {
    element.setAttribute('aria-hidden', 'true')
    return
  }
  const name = english.get(element) ?? element.getAttribute('aria-label') ?? ''
  const part = icon === undefined ? partOf(NAMES, name) : partOf(ICONS, icon)
  if (!part) return
  // The close button of a notice is a link without an address, which has no role that could be named.
  if (element.matches('a:not([href])')) element.setAttribute('role', 'button')
  english.set(element, name)
  element.setAttribute('aria-label', t(`shell:parts.${part}`))
}

function nameIn(root: Element, t: typeof translate): void {
  if (root.hasAttribute('aria-label')) nameElement(root, t)
  for (const element of root.querySelectorAll('[aria-label]')) nameElement(element, t)
}

let followers = 0
let observer: MutationObserver | undefined

/**
 * Translates the accessible names of Ant Design, now and in later renders, and hides icons from assistive technology that repeat the text
 * next to them. Returns a function that stops this.
 */
export function nameParts(t: typeof translate): () => void {
  followers++
  observer?.disconnect()
  nameIn(document.body, t)
  observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof Element) nameIn(node, t)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    if (--followers === 0) observer?.disconnect()
  }
}
