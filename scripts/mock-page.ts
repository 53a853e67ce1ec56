import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/** Mode of Vite in which the page runs on recorded data. */
export const MOCK = 'mock'

const WORKER = 'mockServiceWorker.js'
const workerCode = () =>
  readFileSync(
    join(dirname(createRequire(import.meta.url).resolve('msw/package.json')), 'lib', WORKER),
    'utf8',
  )

/**
 * The page on recorded data: begins with `mock/start.ts`, has the worker that answers beside it, and answers every address
 * also from a plain file server, which sends 404.html for those that it does not know.
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
