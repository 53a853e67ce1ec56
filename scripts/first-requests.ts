import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { FIRST_REQUESTS } from './page-chunks.ts'

/** Makes `src/prefetch.ts` a script of the page that runs as soon as it arrives, before the rest of the page has loaded. */
export function firstRequests(): Plugin {
  const id = resolve(FIRST_REQUESTS)
  return {
    name: 'first-requests',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id, name: 'first-requests' })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.values(bundle).find((one) => one.type === 'chunk' && one.facadeModuleId === id)
        if (!file) throw new Error(`No file of the build runs ${id}`)
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/${file.fileName}` }
        return [{ tag: 'script', attrs, injectTo: 'head' }]
      },
    },
  }
}
