import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../kernel/errors.ts'
import { DOCUMENT_HEADERS } from './security-headers.ts'

export interface WebOptions {
  /** Directory of the built dashboard; without it, or without index.html, no pages are served. */
  directory: string | undefined
  /** Public settings that the dashboard needs before sign-in. Addresses begin with `origin` if set. */
  readConfig(origin: string): Promise<object>
  /** Public URL of the gateway; without it, settings contain paths only, because a Host header can be forged. */
  publicUrl: string | undefined
}

/**
 * Serves the dashboard's files and GET /config.json.
 *
 * Files with a hash in their name are cached without limit, precompressed ones (.br, .gz) are sent as they are, and a navigation to any
 * path of the dashboard returns its page. Unknown calls and files stay NOT_FOUND.
 */
export function serveWeb(app: FastifyInstance, { directory, readConfig, publicUrl }: WebOptions): void {
  app.get('/config.json', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    return readConfig(publicUrl ?? '')
  })
  if (directory === undefined || !existsSync(join(directory, 'index.html'))) return

  app.register(fastifyStatic, {
    root: directory,
    serve: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      if (SUBRESOURCE.test(path)) for (const name of DOCUMENT_HEADERS) reply.removeHeader(name)
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  // Resolved per request: a new build may replace the old one while the gateway runs.
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = request.params['*']
    if (!BUILT_FILE_PATH.test(path)) return reply.callNotFound()
    return reply.sendFile(path, SUBRESOURCE.test(path) ? { acceptRanges: false, lastModified: false } : {})
  })
  const index = join(directory, 'index.html')
  app.addHook('preHandler', async (request, reply) => {
    if (isNavigation(request)) return sendPage(reply, index)
  })
}

/** Path within the build: plain names, none hidden or leading upward, the last one with an extension. */
const BUILT_FILE_PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.\w+$/

/** File that is only loaded as part of a page. */
const SUBRESOURCE = /(?:^|\/)assets\/[\w.-]+\.(?:js|css)(?:\.gz|\.br)?$/

/**
 * Whether a request opens a page: from a browser, which asks for HTML, or from a client that accepts anything (curl, monitors, link
 * previews), unless its path names a file.
 */
function isNavigation({ method, is404, url, headers: { accept = '*/*' } }: FastifyRequest): boolean {
  if (!is404 || (method !== 'GET' && method !== 'HEAD')) return false
  return accept.includes('text/html') || (accept.includes('*/*') && !HAS_EXTENSION.test(url))
}

/** Path with a dot in it: a file, or hidden. */
const HAS_EXTENSION = /^[^?]*\./

async function sendPage(reply: FastifyReply, index: string): Promise<FastifyReply> {
  const html = await readFile(index).catch((cause: unknown) => {
    throw new GatewayError('UNAVAILABLE', 'The pages are being replaced', undefined, { cause })
  })
  return reply
    .code(200)
    .headers({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
    .send(html)
}
