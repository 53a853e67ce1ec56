import type { IncomingMessage } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { createSecureContext, type SecureContext } from 'node:tls'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { GatewayError } from '../kernel/errors.ts'
import type { KeyPair } from '../lib/settings/certificates.ts'
import type { Clock, Log } from '../kernel/ports.ts'
import { toHttpResponse, type HttpResponse } from './response.ts'
import { readJsonBodies, createSlowSenders, Disconnected } from './body.ts'
import { isUntrustedForwarder } from './caller-address.ts'
import { compressIfAccepted } from './compress.ts'
import type { Admission, AnyHandler, Call, CallHeaders } from './dispatch.ts'
import { createMalformedSenders, senderOf } from '../lib/payloads/malformed-senders.ts'
import type { RateLimits } from './rate-limits.ts'
import { CALL_HEADERS, pageHeaders, TRANSPORT_SECURITY } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Admission of an authorized call; undefined otherwise. */
    admission: Admission | undefined
  }
}

/** Maximum size of a call's body, in bytes. */
const BODY_LIMIT = 1_048_576
/** Maximum time to receive a body, and a large one on a route with `config.slow`, in ms. */
export const BODY_TIMEOUT_MS = 60_000
const SLOW_BODY_TIMEOUT_MS = 15 * 60_000

const tlsOptions = ({ cert, key }: Pick<KeyPair, 'cert' | 'key'>) => ({
  cert,
  key,
  minVersion: 'TLSv1.2' as const,
})

type SniCallback = (error: null, certificate: SecureContext | undefined) => void

export interface ServerOptions {
  /** All calls with their handlers. */
  routes: readonly { endpoint: AnyEndpoint; handler: AnyHandler }[]
  dispatch: (endpoint: AnyEndpoint, handler: AnyHandler) => Call
  limits: RateLimits
  log: Log
  clock: Clock
  /** Serves over TLS. */
  https?: KeyPair | undefined
  /** Proxies whose X-Forwarded-* headers count: none, or a list of addresses and networks. */
  trustProxy: false | string
  /** Additional origins whose pages may call the gateway. */
  corsOrigins: readonly string[]
  /** Additional origins that pages may connect to. */
  connectOrigins: readonly string[]
  /** Makes request ids of this process unique. */
  startId: string
}

export interface Server {
  app: FastifyInstance
  /** Resolves when no call is in progress. */
  waitUntilIdle(): Promise<void>
  /** Stops accepting immediately; resolves when the last connection has ended. */
  close(): Promise<void>
}

/**
 * Creates the HTTP server with every call; pages, pool, images and operation are registered on it as plugins.
 *
 * All errors are returned in the envelope: INVALID for bodies that are malformed, too large or of a wrong type, NOT_FOUND for unknown
 * paths, and INTERNAL for unexpected errors.
 */
export function createServer(options: ServerOptions): Server {
  const { limits, log } = options
  let count = 0
  let activeCalls = 0
  let onIdle = () => {}
  const { https } = options
  let certificate = https && createSecureContext(tlsOptions(https))
  const app = Fastify({
    // Fastify has a different instance type for TLS, without a difference that matters here.
    ...({
      // Selected by server name: `localhost` has a listener each for IPv4 and IPv6, of which only one can get a renewed certificate
      // otherwise.
      https: https
        ? {
            ...tlsOptions(https),
            SNICallback: (_: string, callback: SniCallback) => callback(null, certificate),
          }
        : null,
    } as object),
    logger: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: options.trustProxy,
    requestIdHeader: false,
    genReqId: () => `${options.startId}-${++count}`,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 65_000,
    requestTimeout: SLOW_BODY_TIMEOUT_MS,
    routerOptions: { maxParamLength: 2_000 },
    // Unparsable URL: no route, and so no hook, has seen it.
    frameworkErrors: (error, request, reply) =>
      void send(reply, toHttpResponse(toGatewayError(error), request.id, log, 'unknown')),
  })
  https?.onRenewed?.((pair) => {
    certificate = createSecureContext(tlsOptions(pair))
    ;(app.server as unknown as SecureServer).setSecureContext(tlsOptions(pair))
  })
  readBodies(app, options.clock)

  const warnAboutProxy = createProxyWarning(options)
  const headersOfPage = pageHeaders(options.connectOrigins)
  app.addHook('onRequest', (request, reply, done) => {
    warnAboutProxy(request.raw)
    if (request.protocol === 'https') reply.header('strict-transport-security', TRANSPORT_SECURITY)
    const { config } = request.routeOptions
    if (!(config as { slow?: boolean }).slow) limitBodyTime(request, options.clock)
    if (!(config as { call?: boolean }).call) reply.headers(headersOfPage(request.host ?? ''))
    if ((config as { unlimited?: boolean }).unlimited) return done()
    try {
      limits.address(request.ip)
      // Do not read the body of a request without a route.
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
    return send(
      reply,
      toHttpResponse(toGatewayError(error), request.id, log, request.routeOptions.url ?? 'unknown'),
    )
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
        activeCalls++
        const admission = await call.admit(headersOf(request))
        if (--activeCalls === 0) onIdle()
        if ('rejection' in admission) return send(reply, admission.rejection)
        request.admission = admission
      },
      handler: async (request, reply) => {
        activeCalls++
        const response = await call.handle(request.body, request.admission as Admission)
        if (--activeCalls === 0) onIdle()
        const text = JSON.stringify(response.envelope)
        const packed = compressIfAccepted(text, request.headers['accept-encoding'])
        if (packed === undefined) return send(reply, response, text)
        const { vary } = reply.getHeaders()
        reply.headers({
          'content-encoding': 'gzip',
          vary: vary ? `${vary as string}, accept-encoding` : 'accept-encoding',
        })
        return send(reply, response, await packed)
      },
    })
  }
  const waitUntilIdle = () =>
    activeCalls === 0 ? Promise.resolve() : new Promise<void>((resolve) => (onIdle = resolve))
  return { app, waitUntilIdle, close: () => closeServer(app) }
}

/**
 * Reads request bodies; senders of many malformed ones are slowed down, then disconnected. Sign-ins and uploads are read elsewhere and
 * not delayed, so that one hostile program does not keep everyone at its address from signing in.
 */
function readBodies(app: FastifyInstance, clock: Clock): void {
  app.decorateRequest('admission', undefined)
  const senders = createSlowSenders({ clock, malformed: createMalformedSenders({ clock }) })
  const senderOfRequest = ({ admission, ip }: FastifyRequest) => senderOf(admission?.actor?.cognitoId, ip)
  readJsonBodies(app, (request) => senders.record(senderOfRequest(request)))
  app.addHook('preParsing', async (request) => {
    if (hasBody(request) && isJson(request)) await senders.waitFor(senderOfRequest(request))
  })
}

/** Ends a request whose body does not arrive in time. */
function limitBodyTime(request: FastifyRequest, clock: Clock): void {
  const { raw } = request
  if (!hasBody(request)) return
  // A short body arrives with its head, and is read right after this function returns.
  queueMicrotask(() => {
    if (raw.complete) return
    const cancel = clock.after(BODY_TIMEOUT_MS, () => raw.destroy())
    raw.once('close', cancel)
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

/** Interval at which idle connections are closed, and time after which all others are, in ms. */
const IDLE_CHECK_MS = 50
const CLOSE_TIMEOUT_MS = 15_000

async function closeServer(app: FastifyInstance): Promise<void> {
  const { server } = app
  const idleTimer = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const forceTimer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS)
  try {
    await app.close()
  } finally {
    clearInterval(idleTimer)
    clearTimeout(forceTimer)
  }
}

function headersOf(request: FastifyRequest): CallHeaders {
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

/** Sends an answer with `body`; `reply` itself is the promise that Fastify awaits. */
function send(
  reply: FastifyReply,
  { http, envelope, retryAfterSeconds }: HttpResponse,
  body: string | Buffer = JSON.stringify(envelope),
): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply.code(http).headers(CALL_HEADERS).send(body)
}

/** Converts Fastify's errors and aborted bodies to a GatewayError. */
function toGatewayError(error: unknown): unknown {
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

/** Enables CORS for the given origins; others are restricted by the browser's same-origin policy. */
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

/** Warns once about an untrusted proxy that forwards requests, because all callers behind it count as one. */
function createProxyWarning({ trustProxy, log }: ServerOptions): (request: IncomingMessage) => void {
  const isUntrusted = isUntrustedForwarder(trustProxy)
  let isWarned = false
  return (request) => {
    if (isWarned || !isUntrusted(request)) return
    isWarned = true
    log.warn(
      { proxy: request.socket.remoteAddress },
      'X-Forwarded-For ignored: TRUST_PROXY does not include the sender, so all its callers count as one',
    )
  }
}
