import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The page plays the application with what tests play it with. */
const FOLDER = 'tests/support/native-shell'
/** Where the developer's page is. */
const PAGE = '/native-shell.html'
/** What marks the page within it, with the system that is played. */
const MARK = /[?&]native-shell=(?:ios|android)\b/

/**
 * In development, a page that frames the dashboard as an application's web view does, with a button for each message. The
 * build has none of it.
 */
export function nativeShell(): Plugin {
  return {
    name: 'native-shell',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use(PAGE, (_request, response, next) => {
        readFile(join(import.meta.dirname, '..', FOLDER, 'page.html'), 'utf8')
          .then((html) => server.transformIndexHtml(PAGE, html))
          .then((html) => response.setHeader('content-type', 'text/html; charset=utf-8').end(html), next)
      })
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (_html, { originalUrl = '' }) =>
        MARK.test(originalUrl)
          ? [
              {
                tag: 'script',
                attrs: { type: 'module', src: `/${FOLDER}/install.ts` },
                injectTo: 'head-prepend',
              },
            ]
          : [],
    },
  }
}
