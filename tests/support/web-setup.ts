import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { startI18n } from '../../src/lib/i18n/i18n.ts'
import { APP_NAMESPACES, SCREEN_NAMESPACES } from '../../src/lib/i18n/namespaces.ts'
import { server } from './msw.ts'

// A busy machine is slow, not wrong: waiting for something to appear ends late, never early.
configure({ asyncUtilTimeout: 20_000 })

// jsdom has no layout: every media query about width matches, so that menus are those of a desk; nobody prefers dark or less motion.
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: !query.includes('prefers-'),
  media: query,
  onchange: null,
  addEventListener: () => {},
  removeEventListener: () => {},
  addListener: () => {},
  removeListener: () => {},
  dispatchEvent: () => false,
}))
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
)
Element.prototype.scrollIntoView ??= () => {}

// jsdom knows no pseudo-elements: at each question for one it warns, and reckons the whole style of the element itself.
const styleOf = window.getComputedStyle.bind(window)
const noStyle = document.createElement('i').style
window.getComputedStyle = (element, pseudo) => (pseudo ? noStyle : styleOf(element))

// jsdom asks every rule of the components' library about every element whose style is wanted. Of these rules only those
// count here that hide something or keep a pointer away.
const { get: read, set: write } = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML') as {
  get: (this: Element) => string
  set: (this: Element, text: string) => void
}
const wholeText = new WeakMap<Element, string>()
const onlyHiding = (css: string) =>
  css.replace(/([^{}]+)\{([^{}]*)\}/g, (_rule, selector: string, declarations: string) => {
    const kept = declarations
      .split(';')
      .filter((one) => /^\s*(display|visibility|pointer-events)\s*:/.test(one))
    return kept.length ? `${selector}{${kept.join(';')}}` : ''
  })
Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
  get(this: Element) {
    return wholeText.get(this) ?? read.call(this)
  },
  set(this: Element, css: string) {
    wholeText.set(this, css)
    write.call(this, onlyHiding(css))
  },
})

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error' })
  await startI18n(['auth', ...APP_NAMESPACES, ...SCREEN_NAMESPACES])
})

afterEach(() => {
  cleanup()
  server.resetHandlers()
  localStorage.clear()
  sessionStorage.clear()
})

afterAll(() => server.close())
