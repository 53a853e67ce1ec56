import { timingSafeEqual } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { DataChangeName } from '../../contract/data-change.ts'
import {
  type Access,
  type AccessPlace,
  decide,
  EVERYWHERE,
  homesWith,
  mayKnowHome,
} from '../../contract/kernel/permissions.ts'
import { resources } from '../../contract/index.ts'
import { accessOf, type AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { Entity } from '../../contract/kernel/entities.ts'
import { fieldErrors } from '../../contract/kernel/envelope.ts'
import { RequestID } from '../../contract/kernel/scalars.ts'
import type { Actor, Context } from '../kernel/context.ts'
import { GatewayError } from '../kernel/errors.ts'
import type { EventName, Events, GatewayEvents } from '../kernel/events.ts'
import type { Clock, Files, Log, Random } from '../kernel/ports.ts'
import type { Sealer } from '../lib/seal.ts'
import type { Db } from '../kernel/db.ts'
import { toHttpResponse, PermissionDenied, type HttpResponse } from './response.ts'
import { isRecord } from '../../contract/kernel/is-record.ts'
import { type AuditSchemas, writeAudit } from '../domain/audit/write-audit.ts'
import { accessPlaceOf, assertLimited, widestPlaceOf } from './call-homes.ts'
import type { CallMetrics } from './metrics.ts'
import type { RateLimits, TenantLimit } from './rate-limits.ts'
import { claimRequest, hashInput, isRequestClaimed, storeResults } from './idempotency.ts'

/** Handler without static types: these are checked where handlers are defined. */
export interface AnyHandler {
  // oxlint-disable-next-line typescript/no-explicit-any -- the input type differs for every call
  (input: any, context: any): Promise<unknown>
  // oxlint-disable-next-line typescript/no-explicit-any -- likewise
  precheck?: (input: any, context: any) => Promise<() => void>
}

/** Request data of a call before its body is read. */
export interface CallHeaders {
  authorization: string | undefined
  /** x-access-token, for calls that need the access token in addition to the id token. */
  accessToken: string | undefined
  apiKey: string | undefined
  ip: string
  userAgent: string
  /** Host without a port, as stated by the caller. */
  host: string
  requestId: string
}

/** Caller that is allowed to make a call, based on the request head. */
export interface Admission {
  headers: CallHeaders
  /** Undefined for a public call. */
  actor: Actor | undefined
  /** Epoch ms. */
  at: number
  /** Duration of the admission, in ms. */
  admissionMs: number
}

/** Call of the contract in two steps: the body is read only after the caller is admitted. */
export interface Call {
  /** Authenticates, authorizes and counts the call, or returns the refusal. */
  admit(headers: CallHeaders): Promise<Admission | { rejection: HttpResponse }>
  handle(body: unknown, admission: Admission): Promise<HttpResponse>
}

export interface DispatchOptions {
  db: Db
  clock: Clock
  random: Random
  files: Files
  log: Log
  events: Events
  /** Authenticates a token; throws UNAUTHENTICATED. `hasAccessToken` if the call also accepts the access token. */
  authenticate(token: string, hasAccessToken: boolean): Promise<Actor>
  /** Value that x-api-key must have on public calls. */
  apiKey: string
  limits: RateLimits
  tenantLimit: TenantLimit
  /** Encrypts results that contain a secret, such as a hub's credentials. */
  sealer: Sealer
  /** Key for digests of inputs, which are stored with RequestIDs. */
  requestKey: Uint8Array
  metrics: CallMetrics
  /**
   * Validates every result against its schema, and fails on differences and on undeclared changes of entities: for tests and development.
   */
  checkResults: boolean
  /** Called with each change of a call, e.g. `/CreateRoom` and `room`. */
  onChange?: ((path: string, entity: string) => void) | undefined
}

export type Emission = { [N in EventName]: [N, GatewayEvents[N]] }[EventName]

/** Call in progress: what its handler emitted in addition to its result. */
interface PendingCall {
  context: Context & { actor?: Actor }
  emissions: Emission[]
  change: { before?: unknown; after?: unknown; input?: unknown }
  /** Whether nothing was changed, so no audit row is written. */
  isUnchanged: boolean
  /** Whether the handler has decided about the homes of its records (`at`, `homes`). */
  hasDecidedHomes: boolean
}

const OK = { code: 0 } as const
const SCHEME = 'bearer '
/** Age of an admission after which the caller is authenticated again, because the body took long to arrive, in ms. */
const ADMISSION_TTL_MS = 1_000
/** Queue that public calls share. */
const PUBLIC = 'public'

/**
 * Creates the dispatcher that every call passes: authenticate, authorize, parse, handle, wrap.
 *
 * A mutation runs in a transaction with its audit row and its RequestID; events are emitted after the commit. Only the context is created
 * per call.
 */
export function createDispatch(options: DispatchOptions) {
  const { db, clock, random, files, log, events, limits, tenantLimit, metrics } = options
  const apiKey = Buffer.from(options.apiKey)

  function assertApiKey(header: string | undefined): void {
    const key = Buffer.from(header ?? '')
    if (key.length !== apiKey.length || !timingSafeEqual(key, apiKey))
      throw new GatewayError('UNAUTHENTICATED', 'x-api-key is missing or wrong')
  }

  /** Authorized actor, or undefined for a public call. Errors: UNAUTHENTICATED, PERMISSION_DENIED. */
  async function authorize(endpoint: AnyEndpoint, headers: CallHeaders) {
    const { access } = endpoint
    if (access === 'public') {
      limits.auth(headers.ip)
      assertApiKey(headers.apiKey)
      return undefined
    }
    const actor = await authenticate(endpoint, headers)
    limits.user(actor.cognitoId)
    limits.tenant(actor.tenant)
    assertAccess(access, actor, widestPlaceOf(endpoint))
    return actor
  }

  /** Errors: UNAUTHENTICATED. */
  async function authenticate({ accessToken }: AnyEndpoint, { authorization }: CallHeaders): Promise<Actor> {
    const token = bearerTokenOf(authorization)
    if (token === undefined) throw new GatewayError('UNAUTHENTICATED', 'A token is needed')
    return options.authenticate(token, accessToken)
  }

  /** Returns the admitted caller; authorizes again if rights may have changed while the body arrived. */
  async function reauthorize(endpoint: AnyEndpoint, { headers, actor, at }: Admission) {
    if (!actor || clock.now() - at <= ADMISSION_TTL_MS) return actor
    const current = await authenticate(endpoint, headers)
    assertAccess(endpoint.access, current, widestPlaceOf(endpoint))
    return current
  }

  function createCall(
    endpoint: AnyEndpoint,
    headers: CallHeaders,
    { actor, access, data }: { actor: Actor | undefined; access: Access; data: Record<string, unknown> },
  ): PendingCall {
    const emissions: Emission[] = []
    const change: PendingCall['change'] = {}
    const context: PendingCall['context'] = {
      db,
      clock,
      random,
      files,
      log,
      requestId: headers.requestId,
      ip: headers.ip,
      userAgent: headers.userAgent,
      host: headers.host,
      accessToken:
        headers.accessToken ?? (endpoint.accessToken ? bearerTokenOf(headers.authorization) : undefined),
      at(homeId, missing) {
        call.hasDecidedHomes = true
        const { actor } = context
        if (actor && homeId !== null && !mayKnowHome(actor, homeId)) throw missing()
        assertAccess(access, actor, homeId ?? EVERYWHERE)
      },
      homes(other = access) {
        call.hasDecidedHomes = true
        return context.actor ? homesWith(context.actor, other) : []
      },
      emit: (name, event) => void emissions.push([name, event] as Emission),
      actFor(person) {
        context.actor = person
      },
      change(name, record) {
        const { actor } = context
        if (!actor) throw new Error('A public call has no company to tell of a change')
        if (options.checkResults) assertDeclared(endpoint, name)
        const requestId = data['RequestID']
        const by = actor.cognitoId
        const event = { tenant: actor.tenant, name, record, by, requestId } as GatewayEvents['dataChange']
        emissions.push(['dataChange', event])
      },
      audit: (values) => void (values === 'none' ? (call.isUnchanged = true) : Object.assign(change, values)),
    }
    if (actor) context.actor = actor
    const call: PendingCall = { context, emissions, change, isUnchanged: false, hasDecidedHomes: false }
    return call
  }

  async function mutate(
    endpoint: AnyEndpoint,
    handler: AnyHandler,
    input: object,
    requestId: string | undefined,
    call: PendingCall,
  ) {
    const { path } = endpoint
    const { context } = call
    const { actor } = context
    // Anonymous calls are not deduplicated.
    const key =
      requestId === undefined || !actor
        ? undefined
        : { actor, requestId, path, inputHash: hashInput(options.requestKey, input) }
    const onSettled = await handler.precheck?.(input, context).catch(async (error: unknown) => {
      // The conflict may result from an earlier attempt of this same call.
      if (!key || !(await isRequestClaimed(db, key, clock.now()))) throw error
    })
    const transaction = db.transaction(async (tx) => {
      const earlier = key && (await claimRequest(tx, key, clock.now(), options.sealer))
      if (earlier) return earlier.results
      context.db = tx
      const results = await handler(input, context)
      assertLimited(endpoint, actor, { hasDecided: call.hasDecidedHomes, results })
      if (!call.isUnchanged) await writeAudit(tx, auditEntryOf(endpoint, input, call))
      if (key) await storeResults(tx, key, { results, schema: endpoint.results }, options.sealer)
      return results
    })
    return onSettled ? transaction.finally(onSettled) : transaction
  }

  async function runWithoutTransaction(
    endpoint: AnyEndpoint,
    handler: AnyHandler,
    input: object,
    call: PendingCall,
  ) {
    const results = await handler(input, call.context)
    await writeAudit(db, auditEntryOf(endpoint, input, call))
    assertLimited(endpoint, call.context.actor, { hasDecided: call.hasDecidedHomes, results })
    return results
  }

  const auditEntryOf = (endpoint: AnyEndpoint, input: object, { context, change }: PendingCall) => ({
    before: undefined,
    after: undefined,
    actor: context.actor as Actor,
    at: clock.now(),
    ip: context.ip,
    requestId: context.requestId,
    path: endpoint.path,
    schemas: schemasOf(endpoint),
    input,
    ...change,
  })

  /** Prepares one call: everything that does not depend on the request happens here. */
  return function dispatch(endpoint: AnyEndpoint, handler: AnyHandler): Call {
    const isRepeatable = endpoint.mutates && !endpoint.commitsItself
    const schema: z.ZodObject = isRepeatable
      ? endpoint.input.safeExtend({ RequestID: RequestID.optional() })
      : endpoint.input
    const measure = metrics.startTimer(endpoint.path)
    const aliases = Object.entries(endpoint.aliases)
    const withFieldNames = (body: unknown) => (aliases.length > 0 ? withoutAliases(aliases, body) : body)

    async function handle(received: unknown, admission: Admission): Promise<unknown> {
      const actor = await reauthorize(endpoint, admission)
      const body = withFieldNames(received ?? {})
      const parsed = schema.safeParse(body)
      // Authorize before validating the body.
      const access = accessOf(endpoint, parsed.success ? parsed.data : body)
      const place = actor && accessPlaceOf(endpoint, body, actor)
      if (place !== undefined) assertAccess(access, actor, place)
      if (!parsed.success)
        throw new GatewayError('INVALID', 'The request is not valid', fieldErrors(parsed.error))
      const call = createCall(endpoint, admission.headers, { actor, access, data: parsed.data })
      // The home that the input names has been decided.
      call.hasDecidedHomes = typeof place === 'string'
      const queueKey = actor?.tenant ?? PUBLIC
      const queued = tenantLimit.acquire(queueKey)
      if (queued) await queued
      try {
        const results = await execute(parsed.data, call)
        for (const emission of call.emissions) {
          events.emit(...(emission as [never, never]))
          if (emission[0] === 'dataChange') options.onChange?.(endpoint.path, entityOf(emission[1].name))
        }
        return options.checkResults ? assertResultsMatchSchema(endpoint, results) : results
      } finally {
        tenantLimit.release(queueKey)
      }
    }

    async function execute(data: Record<string, unknown>, call: PendingCall): Promise<unknown> {
      if (!endpoint.mutates) {
        const results = await handler(data, call.context)
        assertLimited(endpoint, call.context.actor, { hasDecided: call.hasDecidedHomes, results })
        return results
      }
      if (endpoint.commitsItself) return runWithoutTransaction(endpoint, handler, data, call)
      const { RequestID: requestId, ...input } = data
      return mutate(endpoint, handler, input, requestId as string | undefined, call)
    }

    const rejectionOf = (error: unknown, { requestId }: CallHeaders): HttpResponse =>
      toHttpResponse(error, requestId, log, endpoint.path)

    function record({ requestId, ip }: CallHeaders, { envelope }: HttpResponse, milliseconds: number): void {
      const { code } = envelope.status
      measure(code, milliseconds)
      // Successful reads are only counted in the metrics; a log line for each would cost as much as the call.
      if (endpoint.mutates || code !== OK.code)
        log.info({ requestId, path: endpoint.path, code, ip, ms: Math.round(milliseconds) }, 'call')
    }

    return {
      async admit(head) {
        const started = performance.now()
        try {
          const actor = await authorize(endpoint, head)
          return { headers: head, actor, at: clock.now(), admissionMs: performance.now() - started }
        } catch (error) {
          const rejection = rejectionOf(error, head)
          record(head, rejection, performance.now() - started)
          return { rejection }
        }
      },

      async handle(body, admission) {
        const { headers } = admission
        const started = performance.now() - admission.admissionMs
        let response: HttpResponse
        try {
          const results = await handle(body, admission)
          response = { http: 200, envelope: { status: OK, results } }
        } catch (error) {
          response = rejectionOf(error, headers)
        }
        record(headers, response, performance.now() - started)
        return response
      },
    }
  }
}

/** Throws PERMISSION_DENIED with the missing right. */
function assertAccess(access: Access, actor: Actor | undefined, place: AccessPlace): void {
  const missing = decide(access, actor, place)
  if (missing === true) return
  if (typeof missing === 'object') throw new PermissionDenied(missing)
  throw new GatewayError('PERMISSION_DENIED', 'Only the owner may do this')
}

const RECORDS = new Map(
  Object.values(resources).flatMap(({ record, operations }) =>
    Object.values(operations as Record<string, AnyEndpoint>).map(({ path }) => [path, record as z.ZodType]),
  ),
)

function schemasOf({ path, input, results }: AnyEndpoint): AuditSchemas {
  const record = RECORDS.get(path)
  return { input, records: record ? [results, record] : [results] }
}

const entityOf = (name: DataChangeName) => name.split('.', 1)[0] as Entity

/** Throws if a handler changes an entity that its call does not declare, because screens invalidate their caches by the declaration. */
function assertDeclared({ path, changes }: AnyEndpoint, name: DataChangeName): void {
  if (!changes.includes(entityOf(name))) throw new Error(`${path} does not declare the change ${name}`)
}

/** Validates the results as screens receive them, and throws if they differ from the schema. */
function assertResultsMatchSchema(endpoint: AnyEndpoint, results: unknown): unknown {
  const serialized: unknown = JSON.parse(JSON.stringify(results ?? null))
  if (!isDeepStrictEqual(endpoint.results.parse(serialized), serialized))
    throw new Error(`${endpoint.path} answers with fields that its schema does not have`)
  return results
}

/** Token of a bearer header; undefined if there is none. */
function bearerTokenOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const token = header.slice(SCHEME.length).trim()
  return header.slice(0, SCHEME.length).toLowerCase() === SCHEME && token !== '' ? token : undefined
}

/** Renames aliases to field names; a body with both keeps both, and is rejected for the unknown one. */
function withoutAliases(aliases: readonly [alias: string, field: string][], body: unknown): unknown {
  if (!isRecord(body)) return body
  const renamed = { ...body }
  for (const [alias, field] of aliases)
    if (Object.hasOwn(renamed, alias) && !Object.hasOwn(renamed, field)) {
      renamed[field] = renamed[alias]
      delete renamed[alias]
    }
  return renamed
}
