import { createRequire } from 'node:module'
import * as React from 'react'

/** Resolves as the components' library does. */
const requireOfComponents = createRequire(createRequire(import.meta.url).resolve('antd'))

/** Leaves out what the development builds of React and the components' library do at each render for people who debug; half of a test's time. */
export function quickenRendering(): void {
  noteNoOwners()
  keepStyles()
  insertStylesOnce()
}

/** React takes a stack where each element is made, for its warnings, of at most 10,000 elements in a second. */
function noteNoOwners(): void {
  const internals = (React as unknown as Record<string, object>)[
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
  ] as object
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Infinity,
    set: () => {},
    configurable: true,
  })
}

/** A component's styles are forgotten with the last of its kind, at each test's end, and computed again for the next test. */
function keepStyles(): void {
  const { createCache } = requireOfComponents('@ant-design/cssinjs') as { createCache(): object }
  type Entry = [used: number, styles: unknown]
  const Cache = createCache().constructor as {
    prototype: {
      cache: Map<string, Entry>
      opUpdate(path: string, make: (former?: Entry) => Entry | null): void
    }
  }
  Cache.prototype.opUpdate = function (path, make) {
    const former = this.cache.get(path)
    this.cache.set(path, make(former) ?? [0, former?.[1]])
  }
}

/** Each button that appears looks through the whole head for the styles of buttons. */
function insertStylesOnce(): void {
  const styles = requireOfComponents('rc-util/lib/Dom/dynamicCSS') as {
    updateCSS: ((css: string, key: string, options?: object) => HTMLStyleElement) & { isQuick?: true }
  }
  const insert = styles.updateCSS
  if (insert.isQuick) return
  const inserted = new Map<string, { css: string; element: HTMLStyleElement }>()
  const insertOnce: typeof insert = (css, key, options) => {
    const former = inserted.get(key)
    if (former?.css === css && former.element.isConnected) return former.element
    const element = insert(css, key, options)
    inserted.set(key, { css, element })
    return element
  }
  insertOnce.isQuick = true
  styles.updateCSS = insertOnce
}
