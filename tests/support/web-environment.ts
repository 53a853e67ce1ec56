import { builtinEnvironments, type Environment } from 'vitest/runtime'

const { jsdom } = builtinEnvironments

/** jsdom with what it lacks and our components ask for; one for all files of a worker. */
export default {
  name: 'web',
  viteEnvironment: 'client',
  async setup(global, options) {
    const environment = await jsdom.setup(global, options)
    addLayout(global)
    quickenStyles(global)
    return environment
  },
} satisfies Environment

/** jsdom has no layout: every media query about width matches, so that menus are those of a desk; nobody prefers dark or less motion, or has the page on a home screen. */
function addLayout(global: typeof globalThis): void {
  global.matchMedia = (query) => ({
    matches: !/prefers-|display-mode/.test(query),
    media: query,
    onchange: null,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
    dispatchEvent: () => false,
  })
  global.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  global.Element.prototype.scrollIntoView ??= () => {}
}

/** An element's style is asked for at each question of the testing library: jsdom takes most of a test's time for it. */
function quickenStyles({ window, document, Element, HTMLStyleElement }: typeof globalThis): void {
  // jsdom knows no pseudo-elements: at each question for one it warns, and computes the whole style of the element itself.
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
  Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
    get(this: Element) {
      return wholeText.get(this) ?? read.call(this)
    },
    set(this: Element, css: string) {
      wholeText.set(this, css)
      write.call(this, onlyHiding(css))
    },
  })
}

const onlyHiding = (css: string) =>
  css.replace(/([^{}]+)\{([^{}]*)\}/g, (_rule, selector: string, declarations: string) => {
    const kept = declarations
      .split(';')
      .filter((one) => /^\s*(display|visibility|pointer-events)\s*:/.test(one))
    return kept.length ? `${selector}{${kept.join(';')}}` : ''
  })
