import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/** Vite mode in which the page runs on recorded data. */
export const MOCK = 'mock'

const WORKER = 'mockServiceWorker.js'
const workerCode = () =>
  readFileSync(
    join(dirname(createRequire(import.meta.url).resolve('msw/package.json')), 'lib', WORKER),
    'utf8',
  )

/**
 * Vite plugin of the page on recorded data: starts with `mock/start.ts`, adds the service worker that answers calls, and supports
 * any path on a plain file server, which serves 404.html for unknown ones.
 */
export function mockPage(): Plugin {
  return {
    name: 'mock-page',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('/src/main.tsx', '/mock/start.ts'),
    },
    configureServer(server) {
      server.middlewares.use(`/${WORKER}`, (_request, response) => {
        response.setHeader('content-type', 'text/javascript').end(workerCode())
      })
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        this.emitFile({ type: 'asset', fileName: WORKER, source: workerCode() })
        const page = bundle['index.html']
        if (page?.type === 'asset')
          this.emitFile({ type: 'asset', fileName: '404.html', source: page.source })
      },
    },
  }
}
