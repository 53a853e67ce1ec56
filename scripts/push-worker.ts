import { resolve } from 'node:path'
import { rolldown } from 'rolldown'
import type { Plugin } from 'vite'

const SOURCE = 'src/push-worker.ts'
const FILE = 'sw.js'

/** The built service worker: one script without imports, which every browser supports. */
export async function buildPushWorker({ minify = true } = {}): Promise<string> {
  const bundle = await rolldown({ input: resolve(SOURCE), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', minify })
  await bundle.close()
  return output[0].code
}

/** Vite plugin that adds the service worker to the page as /sw.js, a separate file that shares no code with the screens. */
export function pushWorker(): Plugin {
  return {
    name: 'push-worker',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: FILE, source: await buildPushWorker() })
    },
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, (_, response, next) => {
        buildPushWorker({ minify: false }).then(
          (code) =>
            response
              .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' })
              .end(code),
          next,
        )
      })
    },
  }
}
