import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Folder of the simulated native application that the tests use too. */
const FOLDER = 'tests/support/native-shell'
/** Address of the developer's page. */
const PAGE = '/native-shell.html'
/** Query that marks the framed page, with the simulated system. */
const MARK = /[?&]native-shell=(?:ios|android)\b/

/**
 * In development, serves a page that frames the dashboard as an application's web view does, with a button for each message. Not
 * included in the build.
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
