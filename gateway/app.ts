import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import type { Envelope } from '../contract/kernel/envelope.ts'
import { serveAddresses } from './addresses.ts'
import { createBrokerHooks } from './broker-hooks.ts'
import { callerAddress } from './caller-address.ts'
import { GatewayError } from './errors.ts'
import { createEvents, type Events } from './events.ts'
import { createRoutes } from './handlers.ts'
import { createDispatch } from './http/dispatch.ts'
import { createCallMetrics } from './http/metrics.ts'
import { createRateLimits } from './http/rate-limits.ts'
import { createServer } from './http/server.ts'
import { createTurns } from './http/turns.ts'
import type { Identity } from './identity/identity.ts'
import { deriveKey } from './identity/seal.ts'
import type { GatewayParts } from './parts.ts'
import { createRooms } from './rooms.ts'
import { createSealer } from './sealer.ts'
import { keepStateFields } from './store/state-fields.ts'
import { startUpkeep } from './upkeep.ts'

/** A whole gateway. */
export interface Gateway {
  /** Begins to answer; returns the address. Port 0 picks a free one. */
  listen(port: number, host: string): Promise<string>
  /** One call without a socket, as tests make it. */
  post(
    path: string,
    body?: unknown,
    options?: { token?: string; headers?: Record<string, string> },
  ): Promise<{ http: number; headers: Record<string, unknown> } & Envelope<any>> // oxlint-disable-line typescript/no-explicit-any -- the caller knows the call
  readonly http: FastifyInstance
  readonly events: Events
  readonly identity: Identity
  readonly registry: Registry
  /** Finishes what was accepted, then closes broker and database. May be called twice. */
  close(): Promise<void>
}

/** A person whose session ended is told why before the connection goes. */
const FAREWELL = 1_000

/** Makes a gateway of its parts and begins its work; nothing listens before `listen`. */
export async function createGateway(parts: GatewayParts): Promise<Gateway> {
  const { db, broker, clock, random, files, log, config } = parts
  const registry = parts.registry ?? new Registry()
  const events = createEvents((err, event) => log.error({ err, event }, 'A listener failed'))
  const pool = parts.pool((cognitoId, sessions) => {
    clock.after(FAREWELL, () => void broker.disconnect({ cognitoId, sessions }).catch(() => {}))
  })
  const { identity } = pool
  events.on('personChanged', ({ cognitoId }) => identity.purge(cognitoId))
  // Likewise whom another gateway of this database changed.
  db.listen('person_changed', {
    heard: (cognitoId) => identity.purge(cognitoId),
    missed: () => identity.purge(),
  })

  const rooms = createRooms({
    ...parts,
    events,
    registry,
    identity,
    httpPort: () => portOf(app.server.address()),
  })
  const limits = createRateLimits(config.limits, clock)
  const dispatch = createDispatch({
    db,
    clock,
    random,
    files,
    log,
    events,
    limits,
    apiKey: config.apiKey,
    turns: createTurns(config.turns),
    sealer: createSealer(config.secret, 'results'),
    requestKey: deriveKey(config.secret, 'requests'),
    beforeCommit: rooms.accounts?.keep,
    metrics: createCallMetrics(registry),
    checkResults: config.checkResults ?? false,
    onChange: parts.onChange,
    authenticate: authenticator(identity),
  })
  const {
    app,
    drained,
    close: closeServer,
  } = createServer({
    routes: createRoutes(rooms.services),
    dispatch,
    limits,
    log,
    clock,
    trustProxy: config.trustProxy,
    https: config.https,
    corsOrigins: config.corsOrigins,
    connectOrigins: config.connectOrigins,
    startId: random.uuid().slice(0, 8),
  })

  let closing: Promise<void> | undefined
  serveAddresses(app, {
    ...parts,
    pool,
    rooms,
    events,
    limits,
    registry,
    closing: () => closing !== undefined,
  })

  broker.attach?.(app.server, callerAddress(config.trustProxy))
  // Whoever is connected to an outside broker stays connected while the gateway starts.
  if (broker.attach) await Promise.all([rooms.shadows.markAllOffline(), rooms.access.markAllOffline()])
  await broker.start(createBrokerHooks({ db, identity, rooms }))
  await keepStateFields(db)
  await rooms.recover()
  await app.ready()

  const upkeep = startUpkeep({
    db,
    clock,
    log,
    metrics: registry,
    keepDays: config.keepDays,
    maxDeviceEvents: config.maxDeviceEvents ?? 0,
    prune: identity.prune,
    withheld: rooms.withheld,
  })

  async function close(): Promise<void> {
    // Stops accepting at once; it ends when the last connection does, and realtime ones end with the broker.
    const closed = closeServer()
    await drained()
    await upkeep.close()
    await rooms.close()
    await broker.close()
    await closed
    await identity.close()
    await db.close()
  }

  return {
    http: app,
    events,
    identity,
    registry,
    listen: (port, host) => app.listen({ port, host }),
    close: () => (closing ??= close()),
    async post(path, body, { token, headers } = {}) {
      const answer = await app.inject({
        method: 'POST',
        url: path,
        payload: (body ?? {}) as object,
        headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      })
      return { http: answer.statusCode, headers: answer.headers, ...answer.json<Envelope>() }
    },
  }
}

/** The port of a server; 0 while it does not listen on one. */
const portOf = (address: ReturnType<FastifyInstance['server']['address']>): number =>
  typeof address === 'object' && address ? address.port : 0

/** Who a token belongs to: an id token, or where a call takes it, the access token. */
function authenticator(identity: Identity) {
  return async (token: string, accessToo: boolean) => {
    if (!accessToo) return identity.authenticate(token)
    const claims = await identity.verifier
      .verify(token, 'access')
      .catch(() => identity.verifier.verify(token, 'id'))
    const actor = await identity.loadActor(claims.sub, claims)
    if (!actor) throw new GatewayError('UNAUTHENTICATED', 'Signed out')
    return actor
  }
}
