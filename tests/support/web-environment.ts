import { builtinEnvironments, type Environment } from 'vitest/runtime'

const { jsdom } = builtinEnvironments

/** jsdom with the missing APIs that our components need; one for all files of a worker. */
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

/** Width of the screen in tests, px; a test stubs `innerWidth` for another. */
const SCREEN_WIDTH = 1440

function matchesWidth(query: string, width: number): boolean {
  const limits = [...query.matchAll(/(min|max)-width: *([\d.]+)px/g)]
  return (
    limits.length > 0 &&
    limits.every(([, side, px]) => (side === 'min' ? width >= Number(px) : width <= Number(px)))
  )
}

/**
 * jsdom has no layout and no media queries: those about width are answered for `innerWidth`; queries for dark mode, reduced
 * motion and standalone display do not match.
 */
function addLayout(global: typeof globalThis): void {
  global.innerWidth = SCREEN_WIDTH
  global.matchMedia = (query) => ({
    get matches() {
      return matchesWidth(query, global.innerWidth)
    },
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

/** The testing library reads an element's computed style at each query, which takes most of a test's time in jsdom. */
function quickenStyles({ window, document, Element, HTMLStyleElement }: typeof globalThis): void {
  // jsdom does not support pseudo-elements: each query for one logs a warning and computes the whole style of the element itself.
  const styleOf = window.getComputedStyle.bind(window)
  const noStyle = document.createElement('i').style
  const versionOf = documentVersion(document)
  let version = -1
  let knownStyles = new Map<Element, CSSStyleDeclaration>()
  window.getComputedStyle = (element, pseudo) => {
    if (pseudo) return noStyle
    // A query reads the style of the same ancestors again and again.
    if (versionOf() !== version) {
      version = versionOf()
      knownStyles = new Map()
    }
    const style = knownStyles.get(element) ?? styleOf(element)
    knownStyles.set(element, style)
    return style
  }

  // jsdom matches every rule of the component library against every element whose style is read. Only rules that hide something or block
  // the pointer matter here.
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
    const keptRules = declarations
      .split(';')
      .filter((rule) => /^\s*(display\s*:\s*none|visibility\s*:|pointer-events\s*:)/.test(rule))
    return keptRules.length ? `${selector}{${keptRules.join(';')}}` : ''
  })

/** Returns the function that reads jsdom's count of changes of the document, which its own caches of queries depend on as well. */
function documentVersion(document: Document): () => number {
  const key = Object.getOwnPropertySymbols(document).find(({ description }) => description === 'impl')
  const inner = key && (document as unknown as Record<symbol, { _version?: number }>)[key]
  if (typeof inner?._version !== 'number') throw new Error('jsdom has no version of the document any more')
  return () => inner._version as number
}
