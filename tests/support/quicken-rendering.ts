import { createRequire } from 'node:module'
import * as React from 'react'

/** Resolves modules as the component library does. */
const requireOfComponents = createRequire(createRequire(import.meta.url).resolve('antd'))

/** Skips debugging work of the development builds of React and the component library at each render; half of a test's time. */
export function quickenRendering(): void {
  noteNoOwners()
  cacheStyles()
  insertStylesOnce()
}

/** React captures a stack for each created element, for its warnings, for at most 10,000 elements per second. */
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

/**
 * The library discards a component's styles when its last instance unmounts, at the end of each test, and computes them again for the next
 * test.
 */
function cacheStyles(): void {
  const { createCache } = requireOfComponents('@ant-design/cssinjs') as { createCache(): object }
  type Entry = [used: number, styles: unknown]
  const Cache = createCache().constructor as {
    prototype: {
      cache: Map<string, Entry>
      opUpdate(path: string, update: (former?: Entry) => Entry | null): void
    }
  }
  Cache.prototype.opUpdate = function (path, update) {
    const former = this.cache.get(path)
    this.cache.set(path, update(former) ?? [0, former?.[1]])
  }
}

/** Each new button searches the whole head for the styles of buttons. */
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
