import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/** Package of the viewer, as listed among the third-party licences. */
export const API_VIEWER = 'node_modules/swagger-ui-dist'
/** Opens the viewer on the page of the gateway (`gateway/http/reference/page.ts`); a file, because pages run no inline scripts. */
const START = `SwaggerUIBundle({
  url: document.querySelector('#calls').dataset.description,
  dom_id: '#calls',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
})
`
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js']

/** Content of a file of the viewer; undefined for another name. */
function contentOf(name: string): string | undefined {
  if (name === 'start.js') return START
  return FILES.includes(name) ? readFileSync(resolve(API_VIEWER, name), 'utf8') : undefined
}

/** Vite plugin that adds Swagger UI below /api-viewer/, for the API reference. */
export function apiViewer(): Plugin {
  return {
    name: 'api-viewer',
    generateBundle() {
      for (const name of [...FILES, 'start.js'])
        this.emitFile({ type: 'asset', fileName: `api-viewer/${name}`, source: contentOf(name) as string })
    },
    configureServer(server) {
      server.middlewares.use('/api-viewer/', (request, response, next) => {
        const name = (request.url ?? '').slice(1)
        const content = contentOf(name)
        if (content === undefined) return next()
        const type = name.endsWith('.css') ? 'text/css' : 'text/javascript'
        response.writeHead(200, { 'content-type': type }).end(content)
      })
    },
  }
}
