import type { IncomingMessage } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { createSecureContext, type SecureContext } from 'node:tls'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { GatewayError } from '../kernel/errors.ts'
import type { KeyPair } from '../lib/settings/certificates.ts'
import type { Clock, Log } from '../kernel/ports.ts'
import { toHttpResponse, type HttpResponse } from './response.ts'
import { readJsonBodies } from './body.ts'
import { isUntrustedForwarder } from './caller-address.ts'
import { compressed } from './compress.ts'
import type { Admission, AnyHandler, Call, CallHead } from './dispatch.ts'
import { createMalformedSenders, senderOf } from '../lib/payloads/malformed-senders.ts'
import type { RateLimits } from './rate-limits.ts'
import { CALL_HEADERS, pageHeaders, TRANSPORT_SECURITY } from './security-headers.ts'
import { createSlowSenders, Disconnected } from './slow-senders.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Limits of a call whose caller is authorized. */
    admission: Admission | undefined
  }
}

/** Longest request body of a call, in bytes. */
const BODY_LIMIT = 1_048_576
/** How long a request has for its body, and one on a route with `config.slow`, whose body is large, in ms. */
export const BODY_TIMEOUT_MS = 60_000
const SLOW_BODY_WITHIN = 15 * 60_000

const secured = ({ cert, key }: Pick<KeyPair, 'cert' | 'key'>) => ({
  cert,
  key,
  minVersion: 'TLSv1.2' as const,
})

type ShowCertificate = (error: null, certificate: SecureContext | undefined) => void

export interface ServerOptions {
  /** Every call with what handles it, e.g. createRoutes of the registry. */
  routes: readonly { endpoint: AnyEndpoint; handler: AnyHandler }[]
  dispatch: (endpoint: AnyEndpoint, handler: AnyHandler) => Call
  limits: RateLimits
  log: Log
  clock: Clock
  /** Serves over TLS. */
  https?: KeyPair | undefined
  /** Whose X-Forwarded-* headers count: nobody's, or those of a list of addresses and networks. */
  trustProxy: false | string
  /** Origins besides the gateway's own whose pages may call it. */
  corsOrigins: readonly string[]
  /** Further origins that pages may connect to. */
  connectOrigins: readonly string[]
  /** Distinguishes the request ids of this start from those of others. */
  startId: string
}

export interface Server {
  app: FastifyInstance
  /** Resolves when no call is at work. */
  drained(): Promise<void>
  /** Stops accepting at once; resolves when the last connection has ended. */
  close(): Promise<void>
}

/**
 * Makes the HTTP side with every call mounted; plugins for pages, pool, images and operation are registered on it.
 *
 * Errors of any kind leave as the envelope: what is not JSON, too large or of a wrong type is INVALID, what does not exist
 * is NOT_FOUND, and what is unexpected is INTERNAL.
 */
export function createServer(options: ServerOptions): Server {
  const { limits, log } = options
  let count = 0
  let atWork = 0
  let idle = () => {}
  const { https } = options
  let certificate = https && createSecureContext(secured(https))
  const app = Fastify({
    // Fastify's types have another kind of instance for TLS, which differs in nothing that is used here.
    ...({
      // Asked by name: `localhost` has an address and a listener of each kind, of which only one can be given another certificate.
      https: https
        ? { ...secured(https), SNICallback: (_: string, show: ShowCertificate) => show(null, certificate) }
        : null,
    } as object),
    logger: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: options.trustProxy,
    requestIdHeader: false,
    genReqId: () => `${options.startId}-${++count}`,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 65_000,
    requestTimeout: SLOW_BODY_WITHIN,
    routerOptions: { maxParamLength: 2_000 },
    // An address that cannot be read: no route, and so no hook, has seen it.
    frameworkErrors: (error, request, reply) =>
      void send(reply, toHttpResponse(known(error), request.id, log, 'unknown')),
  })
  https?.onRenewed?.((pair) => {
    certificate = createSecureContext(secured(pair))
    ;(app.server as unknown as SecureServer).setSecureContext(secured(pair))
  })
  takeBodies(app, options.clock)

  const warnOfProxy = proxyWarning(options)
  const pages = pageHeaders(options.connectOrigins)
  app.addHook('onRequest', (request, reply, done) => {
    warnOfProxy(request.raw)
    if (request.protocol === 'https') reply.header('strict-transport-security', TRANSPORT_SECURITY)
    const { config } = request.routeOptions
    if (!(config as { slow?: boolean }).slow) cutLate(request, options.clock)
    if (!(config as { call?: boolean }).call) reply.headers(pages(request.host ?? ''))
    if ((config as { unlimited?: boolean }).unlimited) return done()
    try {
      limits.address(request.ip)
      // The body of a request that leads nowhere is not read.
      if (request.is404 && hasBody(request)) throw notFound(request)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  if (options.corsOrigins.length) allowOrigins(app, options.corsOrigins)

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Disconnected) {
      reply.header('connection', 'close')
      reply.raw.once('finish', () => request.raw.destroy())
    }
    return send(reply, toHttpResponse(known(error), request.id, log, request.routeOptions.url ?? 'unknown'))
  })
  app.setNotFoundHandler((request, reply) => {
    send(reply, toHttpResponse(notFound(request), request.id, log, 'unknown'))
  })

  for (const { endpoint, handler } of options.routes) {
    const call = options.dispatch(endpoint, handler)
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { call: true } as object,
      onRequest: async (request, reply) => {
        atWork++
        const admission = await call.admit(headOf(request))
        if (--atWork === 0) idle()
        if ('refusal' in admission) return send(reply, admission.refusal)
        request.admission = admission
      },
      handler: async (request, reply) => {
        atWork++
        const answer = await call.handle(request.body, request.admission as Admission)
        if (--atWork === 0) idle()
        const text = JSON.stringify(answer.envelope)
        const packed = compressed(text, request.headers['accept-encoding'])
        if (packed === undefined) return send(reply, answer, text)
        const { vary } = reply.getHeaders()
        reply.headers({
          'content-encoding': 'gzip',
          vary: vary ? `${vary as string}, accept-encoding` : 'accept-encoding',
        })
        return send(reply, answer, await packed)
      },
    })
  }
  const drained = () => (atWork === 0 ? Promise.resolve() : new Promise<void>((resolve) => (idle = resolve)))
  return { app, drained, close: () => closeServer(app) }
}

/**
 * Reads the bodies of requests; senders of many malformed ones are slowed, then disconnected. Sign-ins and uploads, which are read
 * elsewhere, do not wait: one hostile program must not keep everyone at its address from signing in.
 */
function takeBodies(app: FastifyInstance, clock: Clock): void {
  app.decorateRequest('admission', undefined)
  const senders = createSlowSenders({ clock, malformed: createMalformedSenders({ clock }) })
  const senderOfRequest = ({ admission, ip }: FastifyRequest) => senderOf(admission?.actor?.cognitoId, ip)
  readJsonBodies(app, (request) => senders.record(senderOfRequest(request)))
  app.addHook('preParsing', async (request) => {
    if (hasBody(request) && isJson(request)) await senders.waitFor(senderOfRequest(request))
  })
}

/** Ends a request whose body does not come in time. */
function cutLate(request: FastifyRequest, clock: Clock): void {
  const { raw } = request
  if (!hasBody(request)) return
  // A short body comes with its head, and is read as soon as this has returned.
  queueMicrotask(() => {
    if (raw.complete) return
    const stop = clock.after(BODY_TIMEOUT_MS, () => raw.destroy())
    raw.once('close', stop)
  })
}

function hasBody({ raw }: FastifyRequest): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': chunks } = raw.headers
  return length !== '0' || chunks !== undefined
}

const isJson = ({ headers }: FastifyRequest): boolean =>
  /^\s*application\/json/i.test(headers['content-type'] ?? '')

const notFound = ({ method, url }: FastifyRequest) =>
  new GatewayError('NOT_FOUND', `There is no ${method} ${url.slice(0, 200)}`)

/** Between two looks for connections that have become idle, and until those that never do are cut. */
const SWEEP = 50
const PATIENCE = 15_000

async function closeServer(app: FastifyInstance): Promise<void> {
  const { server } = app
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP)
  const cut = setTimeout(() => server.closeAllConnections(), PATIENCE)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(cut)
  }
}

function headOf(request: FastifyRequest): CallHead {
  const { headers } = request
  const text = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
  return {
    authorization: headers.authorization,
    accessToken: text(headers['x-access-token']),
    apiKey: text(headers['x-api-key']),
    ip: request.ip,
    userAgent: headers['user-agent'] ?? '',
    host: request.hostname,
    requestId: request.id,
  }
}

/** Sends an answer, as `body` says it; `reply` itself is the promise that Fastify waits for. */
function send(
  reply: FastifyReply,
  { http, envelope, retryAfter }: HttpResponse,
  body: string | Buffer = JSON.stringify(envelope),
): FastifyReply {
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply.code(http).headers(CALL_HEADERS).send(body)
}

/** Fastify's own refusals in our words, and those who went away before their body was there. */
function known(error: unknown): unknown {
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (error instanceof GatewayError || typeof code !== 'string') return error
  if (code === 'ECONNRESET' && statusCode === 400) return new GatewayError('INVALID', 'The body broke off')
  if (!code.startsWith('FST_')) return error
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new GatewayError('INVALID', 'The body is too large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new GatewayError('INVALID', 'The body must be application/json')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new GatewayError('INVALID', 'The request is not valid')
  return error
}

/** Lets pages of the given origins call the gateway; everybody else stays with the browser's same-origin rule. */
function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const allowed = new Set(origins)
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) return done()
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'date, retry-after',
      vary: 'origin',
    })
    if (request.method !== 'OPTIONS') return done()
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT',
        'access-control-allow-headers':
          'authorization, content-type, x-access-token, x-api-key, x-amz-target, x-amz-user-agent, amz-sdk-invocation-id, amz-sdk-request, cache-control',
        'access-control-max-age': '600',
      })
      .send()
  })
}

/** Says once that a proxy forwards requests and is not trusted, so that all its callers count as one. */
function proxyWarning({ trustProxy, log }: ServerOptions): (request: IncomingMessage) => void {
  const isStranger = isUntrustedForwarder(trustProxy)
  let warned = false
  return (request) => {
    if (warned || !isStranger(request)) return
    warned = true
    log.warn(
      { proxy: request.socket.remoteAddress },
      'X-Forwarded-For ignored: TRUST_PROXY does not include the sender, so all its callers count as one',
    )
  }
}
