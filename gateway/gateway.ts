import type { FastifyInstance } from 'fastify'
import { Registry as Metrics } from 'prom-client'
import type { Envelope } from '../contract/kernel/envelope.ts'
import { followRights, createScreenAccounts, createHubAccounts } from './broker/accounts.ts'
import { deleteDeadGateways } from './broker/hub-connection-rows.ts'
import type { WritePresence } from './kernel/broker.ts'
import { createHubConnections, type HubConnections } from './broker/hub-connections.ts'
import type { HubAddress } from './broker/hub-address.ts'
import type { Broker, BrokerHooks, ThingClient } from './kernel/broker.ts'
import type { Transport } from './kernel/bus.ts'
import type { Deps, GatewayConfig } from './features/deps.ts'
import type { Feature } from './kernel/feature.ts'
import { createEvents, type Events } from './kernel/events.ts'
import { createFeatures } from './features.ts'
import { joinCluster, readinessWarnings } from './cluster/cluster.ts'
import { createRegistry, type Registry, secretFingerprint } from './cluster/registry.ts'
import { callerAddress } from './http/caller-address.ts'
import { createDispatch } from './http/dispatch.ts'
import { createCallMetrics } from './http/metrics.ts'
import { serveOperation, serveMailOutbox, serveSecurityContact } from './http/operation.ts'
import { createRateLimits, createTenantLimit } from './http/rate-limits.ts'
import { serveReference } from './http/reference/addresses.ts'
import { createAsyncApi } from './http/reference/asyncapi.ts'
import { callGroups, createOpenApi } from './http/reference/openapi.ts'
import { createReferencePage } from './http/reference/page.ts'
import { resultRetention } from './http/idempotency.ts'
import { createServer } from './http/server.ts'
import { serveWeb } from './http/web.ts'
import { closeAll } from './lib/close-all.ts'
import { dispatchMqtt, callRoutesOf } from './routes.ts'
import type { Identity } from './domain/identity/identity.ts'
import { startJobs } from './lib/jobs.ts'
import { createSealer, deriveKey } from './lib/seal.ts'
import { CALL_BOUNDS, exceededBound, MESSAGE_BOUNDS } from './lib/payloads/json-bounds.ts'
import { isUnreadable } from './lib/parse-bytes.ts'
import type { Clock, Files, Log, Mail, Random } from './kernel/ports.ts'
import { createDatabaseMetrics, createDatabaseWatch, type DatabaseWatch } from './store/database-watch.ts'
import type { Db } from './kernel/db.ts'
import { createRetentionJob } from './store/retention.ts'

/** Dependencies of a gateway on its environment, and its configuration. */
export interface GatewayOptions {
  db: Db
  broker: Broker
  clock: Clock
  random: Random
  files: Files
  mail: Mail
  log: Log
  /** Creates the user pool; `onRevoked` is called with users whose sessions ended, and those sessions. */
  pool(onRevoked: (cognitoId: string, sessions: readonly string[]) => void): Identity
  /** Pages with unsent emails if no mail server is configured. */
  outbox?: { renderPage(token: string): Promise<string | undefined> } | undefined
  config: GatewayConfig
  registry?: Metrics
  /** Membership among the gateways of the database; alone if omitted. */
  member?: { name: string; isAlone: boolean; transport?: Transport | undefined }
  /** Called with each change of a call, e.g. `/CreateRoom` and `room`: for tests. */
  onChange?: ((path: string, entity: string) => void) | undefined
}

export interface Gateway {
  /** Starts listening; returns the address. Port 0 picks a free one. */
  listen(port: number, host: string): Promise<string>
  /** Makes one call without a socket, for tests. */
  post(
    path: string,
    body?: unknown,
    options?: { token?: string; headers?: Record<string, string> },
  ): Promise<{ http: number; headers: Record<string, unknown> } & Envelope<any>> // oxlint-disable-line typescript/no-explicit-any -- the caller knows the call
  readonly http: FastifyInstance
  readonly events: Events
  readonly identity: Identity
  readonly registry: Metrics
  /** Finishes accepted work, then closes broker and database. May be called twice. */
  close(): Promise<void>
}

/** Creates a gateway and starts its background work; it listens only after `listen`. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { db, broker, config } = options
  const registry = await openRegistry(options)
  const writers = {} as Record<ThingClient['party'], WritePresence>
  const metrics = options.registry ?? new Metrics()
  const hubs = createHubConnections({
    ...options,
    metrics,
    readGatewayId: registry.id,
    presenceWriters: writers,
    notifyTakeover: (takeover) => cluster?.notifyTakeover(takeover),
  })
  const cluster =
    options.member?.transport && joinCluster(options, options.member.transport, { registry, hubs, metrics })
  const deps = createDeps(
    { ...options, metrics, gateways: registry, hubs, bus: cluster?.bus, broker: cluster?.broker ?? broker },
    () => portOf(app.server.address()),
  )
  const watch = createDatabaseWatch(db, deps.log, () => 1 + registry.others().length)
  createDatabaseMetrics(metrics, db, watch)
  const { events, identity } = deps
  const features = createFeatures(deps)
  for (const { presence } of features) Object.assign(writers, presence)
  const {
    app,
    waitUntilIdle: closeConnections,
    close: closeServer,
  } = createCalls(deps, features, { onChange: options.onChange })

  let closing: Promise<void> | undefined
  for (const { registerRoutes } of features) registerRoutes?.(app)
  serveMailOutbox(app, options.outbox)
  serveAbout(app, deps, { features, watch, closing: () => closing !== undefined })

  broker.attach?.(app.server, callerAddress(config.trustProxy))
  await registry.start({
    deleteDead: (tx, dead) => deleteDeadGateways(tx, dead, { clock: deps.clock, presenceWriters: writers }),
    onIdChanged: () => void hubs.reinsert(),
  })
  await Promise.all(features.map(({ prepare }) => prepare?.()))
  await deps.broker.start(createHooks(deps, features, hubs))
  followRights(deps)
  await cluster?.start(events, (command) =>
    features.find(({ executeCommand }) => executeCommand)?.executeCommand?.(command),
  )
  for (const { recover } of features) await recover?.()
  await app.ready()
  const results = createRetentionJob('results of calls', deps, resultRetention(deps))
  await watch.job.run(() => false)
  const jobs = startJobs([results, watch.job, ...features.flatMap((feature) => feature.jobs ?? [])], deps)

  async function close(): Promise<void> {
    cluster?.stopBalancing()
    if (cluster && registry.others().length > 0) {
      // Their rows stay: hubs that reconnect to another gateway in time are never offline.
      await hubs.close()
      await broker.drain?.()
    }
    // Stops accepting immediately; resolves with the last connection, and realtime ones end with the broker.
    const closed = closeServer()
    await closeAll([
      closeConnections,
      () => jobs.close(),
      ...features.toReversed().map((feature) => () => feature.close?.()),
      () => hubs.close(),
      () => broker.close(),
      () => cluster?.close(),
      () => registry.close(),
      () => closed,
      () => identity.close(),
      () => db.close(),
    ])
  }

  return {
    http: app,
    events,
    identity,
    registry: metrics,
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

/** Creates the registry and registers this gateway. */
async function openRegistry(options: GatewayOptions): Promise<Registry> {
  const { db, clock, log, random, files, member, config } = options
  const isAlone = member?.isAlone ?? true
  return createRegistry({
    db,
    clock,
    log,
    newId: () => `g-${Buffer.from(random.bytes(7)).toString('hex')}`,
    name: member?.name ?? '',
    isAlone,
    version: config.version,
    secretMark: secretFingerprint(config.secret),
    filesLocationId: isAlone ? null : await files.readLocationId(),
  })
}

function createDeps(
  { pool, ...options }: GatewayOptions & Pick<Deps, 'gateways' | 'hubs' | 'metrics' | 'bus'>,
  httpPort: () => number,
): Deps {
  const { broker, clock, log, config } = options
  return {
    ...options,
    events: createEvents((err, event) => log.error({ err, event }, 'event listener failed')),
    identity: pool((cognitoId, sessions) => {
      broker
        .disconnect({ cognitoId, sessions })
        .catch((err: unknown) => log.warn({ err }, 'client not disconnected'))
    }),
    limits: createRateLimits(config.limits, clock),
    keyFor: (purpose) => deriveKey(config.secret, purpose),
    httpPort,
  }
}

function createCalls(
  deps: Deps,
  features: readonly Feature[],
  hooks: Pick<Parameters<typeof createDispatch>[0], 'onChange'>,
) {
  const { config, identity, random } = deps
  const dispatch = createDispatch({
    ...deps,
    apiKey: config.apiKey,
    tenantLimit: createTenantLimit(config.tenantConcurrency),
    sealer: createSealer(config.secret, 'results'),
    requestKey: deps.keyFor('requests'),
    ...hooks,
    metrics: createCallMetrics(deps.metrics),
    checkResults: config.checkResults ?? false,
    authenticate: identity.authenticate,
  })
  return createServer({
    ...deps,
    routes: callRoutesOf(features),
    dispatch,
    trustProxy: config.trustProxy,
    https: config.https,
    corsOrigins: config.corsOrigins,
    connectOrigins: config.connectOrigins,
    startId: random.uuid().slice(0, 8),
  })
}

/** Mounts addresses outside of features: reference, operation and pages. */
function serveAbout(
  app: FastifyInstance,
  deps: Deps,
  {
    features,
    watch,
    closing,
  }: { features: readonly Feature[]; watch: DatabaseWatch; closing: () => boolean },
): void {
  const { db, broker, bus, config, gateways, identity, metrics } = deps
  serveReference(app, {
    groups: [...callGroups.keys()],
    openApi: (group) => createOpenApi(config.version, group),
    asyncApi: () => createAsyncApi(config.version),
    page: (group) => createReferencePage(config.version, group),
  })
  serveOperation(app, {
    version: config.version,
    pingDatabase: () => db.ping(),
    areWritesFailing: () => db.areWritesFailing(),
    othersReachDatabase: () => bus?.othersReachDatabase() ?? false,
    isBusUnavailable: () => bus?.isUp() === false,
    readWarnings: () =>
      bus ? readinessWarnings(gateways.others(), bus.transportState()?.nodes, watch.readFacts()) : [],
    isBrokerRunning: () => broker.isRunning(),
    isClosing: closing,
    registry: metrics,
    metricsToken: config.metricsToken,
  })
  serveSecurityContact(app, {
    contact: config.securityContact,
    publicUrl: config.publicUrl,
    clock: deps.clock,
  })
  if (config.demo?.ClockAheadMs) stateTime(app, deps.clock)
  serveWeb(app, {
    directory: config.webDirectory,
    publicUrl: config.publicUrl,
    readConfig: async (origin) => ({
      ...(await identity.webConfig(origin)),
      ApiKey: config.apiKey,
      Hub: config.hubAddress && publicly(config.hubAddress),
      ...(config.demo && { Demo: config.demo }),
      ...Object.assign({}, ...(await Promise.all(features.map((feature) => feature.webConfig?.())))),
    }),
  })
}

/** States the time of the demo's clock in each response, by which screens set theirs. */
const stateTime = (app: FastifyInstance, clock: Clock): void =>
  void app.addHook('onSend', async (_request, reply) => {
    reply.header('date', new Date(clock.now()).toUTCString())
  })

/** Broker hooks: authentication of clients, and dispatch of messages and connection events to features. */
function createHooks(deps: Deps, features: readonly Feature[], hubs: HubConnections): BrokerHooks {
  const { identity } = deps
  const hubAccounts = createHubAccounts(deps.db)
  const screenAccounts = createScreenAccounts(deps)
  const observers = features.flatMap((feature) => feature.hubObserver ?? [])
  const receiveMessage = dispatchMqtt(features)
  return {
    async authenticate(credentials) {
      const client = await hubAccounts.authenticate(credentials)
      const { username, address } = credentials
      for (const watch of observers)
        if (client) watch.onAuthenticated(client.thingName, address)
        else watch.onWrongSecret(username, address)
      return client
    },
    findTenant: hubAccounts.findTenant,
    authenticateScreen: screenAccounts.authenticate,
    async checkAuthorized(clients) {
      const [authorizedThings, authorizedScreens] = await Promise.all([
        hubAccounts.filterAuthorized(clients.filter((client) => client.party !== 'screen')),
        screenAccounts.filterAuthorized(clients.filter((client) => client.party === 'screen')),
      ])
      return clients.map((client) =>
        client.party === 'screen' ? authorizedScreens.has(client) : authorizedThings.has(client),
      )
    },
    findSessions: (cognitoIds) => identity.findSessions(cognitoIds),
    async receive(message) {
      const { match, payload, client } = message
      const isReport = match.name === 'meterReport' || match.name === 'statusReport'
      const bounds = isReport ? MESSAGE_BOUNDS : CALL_BOUNDS
      if (!exceededBound(payload, bounds)) {
        await receiveMessage(message)
        if (!isUnreadable(payload)) {
          for (const watch of observers) watch.onMessage(message)
          return undefined
        }
      }
      for (const watch of observers) watch.onRejected(client, 'malformed')
      return 'malformed'
    },
    onRejected(client, reason) {
      for (const watch of observers) watch.onRejected(client, reason)
    },
    onConnected(client, connection) {
      void hubs.connect(client, connection)
      for (const watch of observers) watch.onConnected(client)
      return hubs.connackDelayOf(connection)
    },
    onDisconnected: (_, connection, ending) => hubs.disconnect(connection, ending),
    onSubscribed(client, filter) {
      for (const feature of features) feature.onSubscribed?.(client, filter)
    },
  }
}

/** Address for hubs, limited to public fields. */
const publicly = ({ host, port, tls }: HubAddress): object => ({ host, port, tls })

/** Port of a server; 0 while it does not listen. */
const portOf = (address: ReturnType<FastifyInstance['server']['address']>): number =>
  typeof address === 'object' && address ? address.port : 0
