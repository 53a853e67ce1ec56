import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../kernel/errors.ts'
import { DOCUMENT_HEADERS } from './security-headers.ts'

export interface WebOptions {
  /** The built dashboard; undefined, or a directory without index.html, serves no pages. */
  directory: string | undefined
  /** What the dashboard must know before anybody signs in; nothing secret. Addresses begin with `origin`, if that is set. */
  config(origin: string): Promise<object>
  /** Where browsers reach the gateway; without it they are told paths, for whoever asks may invent a Host. */
  publicUrl: string | undefined
}

/**
 * The dashboard's files and GET /config.json.
 *
 * Files with a hash in their name are kept without limit, precompressed ones (.br, .gz) go out as they are, and a navigation to
 * any path of the dashboard gets its page. Calls and files that do not exist stay NOT_FOUND.
 */
export function serveWeb(app: FastifyInstance, { directory, config, publicUrl }: WebOptions): void {
  app.get('/config.json', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    return config(publicUrl ?? '')
  })
  if (directory === undefined || !existsSync(join(directory, 'index.html'))) return

  app.register(fastifyStatic, {
    root: directory,
    serve: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      if (SUBRESOURCE.test(path)) for (const name of DOCUMENT_HEADERS) reply.removeHeader(name)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  // Looked up at each request: a new build may take the place of the old one while the gateway runs.
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = request.params['*']
    if (!BUILT_FILE.test(path)) return reply.callNotFound()
    return reply.sendFile(path, SUBRESOURCE.test(path) ? { acceptRanges: false, lastModified: false } : {})
  })
  const index = join(directory, 'index.html')
  app.addHook('preHandler', async (request, reply) => {
    if (isNavigation(request)) return page(reply, index)
  })
}

/** A path within the build: names of letters and digits, none hidden or leading upwards, the last one with an ending. */
const BUILT_FILE = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.\w+$/

/** What only ever arrives as part of a page. */
const SUBRESOURCE = /(?:^|\/)assets\/[\w.-]+\.(?:js|css)(?:\.gz|\.br)?$/

/**
 * Whoever opens a page: a browser, which asks for HTML, and what takes anything (curl, monitors, link previews), unless its
 * path names a file.
 */
function isNavigation({ method, is404, url, headers: { accept = '*/*' } }: FastifyRequest): boolean {
  if (!is404 || (method !== 'GET' && method !== 'HEAD')) return false
  return accept.includes('text/html') || (accept.includes('*/*') && !FILE_NAMED.test(url))
}

/** A path with a dot in it: of a file, or hidden. */
const FILE_NAMED = /^[^?]*\./

async function page(reply: FastifyReply, index: string): Promise<FastifyReply> {
  const html = await readFile(index).catch((cause: unknown) => {
    throw new GatewayError('UNAVAILABLE', 'The pages are being replaced', undefined, { cause })
  })
  return reply
    .code(200)
    .headers({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
    .send(html)
}
