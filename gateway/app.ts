import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { decide } from '../contract/features.ts'
import type { Envelope } from '../contract/kernel/envelope.ts'
import { createAccess } from './access/access.ts'
import { createAnnouncer } from './announce/announcer.ts'
import { createWithheldNews } from './announce/withheld-news.ts'
import { createBookings } from './bookings/bookings.ts'
import { createDoors } from './bookings/doors.ts'
import { createFeeds } from './bookings/feeds.ts'
import { createHubAccounts } from './broker/hub-accounts.ts'
import type { HubAddress } from './broker-choice.ts'
import { createOutsideAccounts } from './broker/outside-accounts.ts'
import type { Broker, Client, Received } from './broker/port.ts'
import { createCameras } from './camera/cameras.ts'
import { callerAddress } from './caller-address.ts'
import { createControl } from './control/control.ts'
import { createBills } from './energy/bills.ts'
import { createEnergy } from './energy/energy.ts'
import { createEvents, type Events } from './events.ts'
import { createDrawing } from './files/drawing.ts'
import { createUploads, MAX_BYTES } from './files/uploads.ts'
import { createRoutes } from './handlers.ts'
import type { Holds } from './holder.ts'
import { createIngest } from './ingest/ingest.ts'
import { serveBookingFeeds } from './http/booking-feeds.ts'
import { serveCameras } from './http/camera.ts'
import { createDispatch } from './http/dispatch.ts'
import { serveImages } from './http/images.ts'
import { createCallMetrics } from './http/metrics.ts'
import { serveOperation } from './http/operation.ts'
import { serveOtaFiles } from './http/ota-files.ts'
import { serveOutbox } from './http/outbox.ts'
import { servePool } from './http/pool.ts'
import { createRateLimits, type Limits } from './http/rate-limits.ts'
import { serveReference } from './http/reference.ts'
import { writeAudit } from './http/audit.ts'
import { serveRoomDoors } from './http/room-door.ts'
import { createServer } from './http/server.ts'
import { createTurns } from './http/turns.ts'
import { serveWeb } from './http/web.ts'
import type { Identity } from './identity/identity.ts'
import { createLibrary } from './ota/library.ts'
import { createOta } from './ota/ota.ts'
import { otaRecords } from './ota/records.ts'
import { deriveKey } from './identity/seal.ts'
import { GatewayError } from './errors.ts'
import { createModbusTables } from './modbus/tables.ts'
import { createHubSettings } from './settings/hub-settings.ts'
import type { Clock, Files, Log, Mail, Random } from './outsides.ts'
import { createAsyncApi } from './reference/asyncapi.ts'
import { createOpenApi } from './reference/openapi.ts'
import { createReferencePage } from './reference/page.ts'
import { createSealer } from './sealer.ts'
import { createShadows } from './shadow/shadows.ts'
import type { Db } from './store/db.ts'
import { keepStateFields } from './store/state-fields.ts'
import { settle } from './telemetry/energy-store.ts'
import { type KeepDays, startUpkeep } from './upkeep.ts'

/** What the configuration decides; main.ts reads it from the environment, tests write it down. */
export interface AppConfig {
  /** Of the product, for the reference. */
  version: string
  /** Master secret, the same on every gateway of a database. */
  secret: string | Uint8Array
  /** What x-api-key must be on public calls. */
  apiKey: string
  /** Where browsers reach the gateway, without a slash at the end, when the request's host does not say it. */
  publicUrl?: string | undefined
  trustProxy: boolean | string
  /** Serves pages, calls and the realtime channel over TLS; PEM texts. */
  https?: { key: string | Buffer; cert: string | Buffer } | undefined
  corsOrigins: readonly string[]
  /** Further origins that the dashboard may connect to. */
  connectOrigins: readonly string[]
  metricsToken?: string | undefined
  /** Where hubs connect, as AddDevice shows it. */
  hubAddress?: HubAddress | undefined
  limits: Limits
  /** The built dashboard; undefined serves calls only. */
  webDirectory?: string | undefined
  /** Calls of one company at work at a time, and in line. */
  turns: { running: number; waiting: number }
  keepDays: KeepDays
  /** The most that is kept of what happened at one device; no limit when left out. */
  maxDeviceEvents?: number
  /** Check every result by its schema: for tests and development. */
  checkResults?: boolean | undefined
}

/** The user pool, ours or an outside one, as the gateway uses it. */
export interface Pool {
  identity: Identity
  /** Its keys stand at /<poolId>/.well-known/jwks.json. */
  poolId: string
}

export interface GatewayParts {
  db: Db
  broker: Broker
  clock: Clock
  random: Random
  files: Files
  mail: Mail
  log: Log
  /** Makes the user pool; `onRevoked` hears of people whose sessions ended, and of which. */
  pool(onRevoked: (cognitoId: string, sessions: readonly string[]) => void): Pool
  /** Mail that waits on a page when no mail server is configured. */
  outbox?: { page(token: string): Promise<string | undefined> } | undefined
  config: AppConfig
  registry?: Registry
}

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

const DAY = 86_400_000
/** A person whose session ended is told why before the connection goes. */
const FAREWELL = 1_000

/** Wires the rooms of the gateway; nothing listens before `listen`. */
export async function createGateway(parts: GatewayParts): Promise<Gateway> {
  const { db, broker, clock, random, files, log, config } = parts
  const registry = parts.registry ?? new Registry()
  const events = createEvents((err, event) => log.error({ err, event }, 'A listener failed'))
  const { identity, poolId } = parts.pool((cognitoId, sessions) => {
    clock.after(FAREWELL, () => void broker.disconnect({ cognitoId, sessions }).catch(() => {}))
  })
  events.on('personChanged', ({ cognitoId }) => identity.purge(cognitoId))
  // Likewise whom another gateway of this database changed.
  db.listen('person_changed', {
    heard: (cognitoId) => identity.purge(cognitoId),
    missed: () => identity.purge(),
  })

  const announcer = createAnnouncer({ events, broker, db, log, clock })
  const withheldNews = createWithheldNews({ db, events, clock, log })
  const withheld = (meterIds: readonly number[]) => events.emit('readingsWithheld', { meterIds })
  const settled = (on: Db, meterIds?: readonly number[]) => settle(on, meterIds, withheld)
  const ingest = createIngest({ db, events, clock, log, metrics: registry })
  const control = createControl({ db, broker, events, clock, log, metrics: registry })
  const modbusTables = createModbusTables({ db, broker, events, clock, log })
  const hubSettings = createHubSettings({ db, broker, events, log })
  const access = createAccess({
    db,
    broker,
    events,
    clock,
    log,
    mail: parts.mail,
    key: deriveKey(config.secret, 'passes'),
    keep: { visitors: config.keepDays.visitors * DAY, scans: config.keepDays.scans * DAY },
  })
  events.on('hubEnrolled', ({ secret, ...hub }) => broker.enrol({ party: 'hub', ...hub }, secret))
  const bookings = createBookings({ db, events, clock, log, mail: parts.mail })
  const shadows = createShadows({ db, broker, events, clock, log, registry })
  const holds: Holds = async ({ cognitoId, sessionId, access }) => {
    const actor = await identity.loadActor(cognitoId, sessionId ? { originJti: sessionId } : {})
    return decide(access, actor) === true
  }
  const uploadKey = deriveKey(config.secret, 'upload tickets')
  const draw = createDrawing(createTurns)
  const uploads = createUploads({ db, files, events, clock, random, log, draw, key: uploadKey, holds })
  events.on('pictureDropped', ({ imageUrl }) => uploads.remove(imageUrl))
  const libraryKey = deriveKey(config.secret, 'firmware')
  const library = createLibrary({ db, files, events, clock, random, log, key: libraryKey, holds })
  const ota = createOta({
    db,
    broker,
    library,
    events,
    clock,
    random,
    log,
    metrics: registry,
    publicUrl: config.publicUrl,
    httpPort: () => portOf(app.server.address()),
    https: config.https !== undefined,
  })
  const accounts = broker.keepsAccounts
    ? createOutsideAccounts({ db, clock, sealer: createSealer(config.secret, 'enrolments') })
    : undefined
  const limits = createRateLimits(config.limits, clock)
  const cameras = createCameras({
    db,
    clock,
    sealer: createSealer(config.secret, 'cameras'),
    key: deriveKey(config.secret, 'camera addresses'),
    holds,
  })
  const otaService = {
    start: ota.start,
    cancel: ota.cancel,
    resume: ota.resume,
    announce: library.announce,
    jobs: otaRecords,
  }
  const energy = createEnergy({ db, clock, settle: settled })
  const routes = createRoutes({
    energy,
    bills: createBills({ db, clock, settle: settled }),
    settle: settled,
    identity,
    uploads,
    broker,
    cameras,
    control,
    ota: otaService,
    access,
  })
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
    beforeCommit: accounts?.keep,
    metrics: createCallMetrics(registry),
    checkResults: config.checkResults ?? false,
    authenticate: authenticator(identity),
  })
  const {
    app,
    drained,
    close: closeServer,
  } = createServer({
    routes,
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
  servePool(app, identity, poolId, limits)
  serveImages(app, { ...uploads, files, maxBytes: MAX_BYTES })
  serveCameras(app, cameras)
  serveOtaFiles(app, library)
  serveBookingFeeds(app, createFeeds({ db, clock }))
  serveRoomDoors(app, createDoors({ db, events, clock, writeAudit }))
  serveOutbox(app, parts.outbox)
  serveReference(app, {
    openApi: () => createOpenApi(config.version),
    asyncApi: () => createAsyncApi(config.version),
    page: () => createReferencePage(config.version),
  })
  serveOperation(app, {
    database: () => db.ping(),
    broker: () => broker.healthy(),
    closing: () => closing !== undefined,
    registry,
    metricsToken: config.metricsToken,
  })
  serveWeb(app, {
    directory: config.webDirectory,
    publicUrl: config.publicUrl,
    config: async (origin) => ({
      ...(await identity.webConfig(origin)),
      ApiKey: config.apiKey,
      Hub: config.hubAddress,
    }),
  })

  /** Each message from hubs and screens to the room it is for. */
  const route = (message: Received): Promise<void> => {
    switch (message.match.name) {
      case 'statusReport':
      case 'meterReport':
        return ingest.receive(message)
      case 'statusRequest':
        return announcer.receive(message)
      case 'controlRequest':
      case 'controlAck':
        return control.receive(message)
      case 'otaRequest':
      case 'otaReport':
        return ota.receive(message)
      case 'modbusRequest':
        return modbusTables.receive(message)
      case 'settingsRequest':
        return hubSettings.receive(message)
      case 'accessScan':
      case 'accessPresence':
        return access.receive(message)
      case 'shadowGet':
      case 'shadowUpdate':
        return shadows.receive(message.match, message.payload, message.client)
      default:
        return Promise.resolve()
    }
  }
  const presence = (client: Client, online: boolean) => {
    if (client.party === 'hub') void shadows.setOnline(client.thingName, online)
    access.presence(client, online)
  }
  broker.attach?.(app.server, callerAddress(config.trustProxy))
  // Whoever is connected to an outside broker stays connected while the gateway starts.
  if (broker.attach) await Promise.all([shadows.markAllOffline(), access.markAllOffline()])
  await broker.start({
    ...createHubAccounts(db),
    ...(accounts && { accounts }),
    async personOf(cognitoId) {
      const actor = await identity.loadActor(cognitoId)
      return actor && { tenant: actor.tenant, subject: actor }
    },
    sessionsOf: identity.sessionsOf,
    receive: route,
    connected: (client) => presence(client, true),
    disconnected: (client) => presence(client, false),
    subscribed: (client, filter) => void shadows.subscribed(client, filter),
  })
  await keepStateFields(db)
  await control.recover()
  await ota.recover()
  await app.ready()

  const upkeep = startUpkeep({
    db,
    clock,
    log,
    metrics: registry,
    keepDays: config.keepDays,
    maxDeviceEvents: config.maxDeviceEvents ?? 0,
    prune: identity.prune,
    withheld,
  })

  async function close(): Promise<void> {
    // Stops accepting at once; it ends when the last connection does, and realtime ones end with the broker.
    const closed = closeServer()
    await drained()
    await bookings.close()
    await upkeep.close()
    await ingest.close()
    await control.close()
    await ota.close()
    library.close()
    withheldNews.close()
    announcer.close()
    shadows.close()
    modbusTables.close()
    hubSettings.close()
    await access.close()
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
