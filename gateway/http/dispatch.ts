import { timingSafeEqual } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { DataChangeName } from '../../contract/data-change.ts'
import { type Access, decide } from '../../contract/kernel/permissions.ts'
import { resources } from '../../contract/index.ts'
import { accessOf, type AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { Entity } from '../../contract/kernel/entities.ts'
import { fieldErrors } from '../../contract/kernel/envelope.ts'
import { RequestID } from '../../contract/kernel/scalars.ts'
import type { Actor, Context } from '../kernel/context.ts'
import { GatewayError } from '../kernel/errors.ts'
import type { EventName, Events, GatewayEvents } from '../kernel/events.ts'
import type { Clock, Files, Log, Random } from '../kernel/ports.ts'
import type { Sealer } from '../lib/sealer.ts'
import type { Db } from '../kernel/db.ts'
import { toHttpResponse, PermissionDenied, type HttpResponse } from './response.ts'
import { isRecord } from '../../contract/kernel/is-record.ts'
import { type AuditSchemas, writeAudit } from '../domain/audit/write-audit.ts'
import type { CallMetrics } from './metrics.ts'
import type { RateLimits } from './rate-limits.ts'
import { claimRequest, hashInput, isRequestClaimed, storeResults } from './idempotency.ts'
import type { TenantLimit } from './tenant-limit.ts'

/** Handler without static types: these are checked where handlers are defined. */
export interface AnyHandler {
  // oxlint-disable-next-line typescript/no-explicit-any -- the input type differs for every call
  (input: any, context: any): Promise<unknown>
  // oxlint-disable-next-line typescript/no-explicit-any -- likewise
  precheck?: (input: any, context: any) => Promise<() => void>
}

/** Request data of a call before its body is read. */
export interface CallHead {
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
  head: CallHead
  /** Undefined for a public call. */
  actor: Actor | undefined
  /** Epoch ms. */
  at: number
  /** Duration of the admission, in ms. */
  took: number
}

/** Call of the contract in two steps: the body is read only after the caller is admitted. */
export interface Call {
  /** Authenticates, authorizes and counts the call, or returns the refusal. */
  admit(head: CallHead): Promise<Admission | { refusal: HttpResponse }>
  handle(body: unknown, admission: Admission): Promise<HttpResponse>
}

export interface DispatchOptions {
  db: Db
  clock: Clock
  random: Random
  files: Files
  log: Log
  events: Events
  /** Authenticates a token; throws UNAUTHENTICATED. `accessToo` if the call also accepts the access token. */
  authenticate(token: string, accessToo: boolean): Promise<Actor>
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
interface Work {
  context: Context & { actor?: Actor }
  emissions: Emission[]
  change: { before?: unknown; after?: unknown; input?: unknown }
  /** Whether nothing was changed, so no audit row is written. */
  changesNothing: boolean
}

const OK = { code: 0 } as const
const SCHEME = 'bearer '
/** Age of an admission after which the caller is authenticated again, because the body took long to arrive, in ms. */
const ADMITTED_FOR_MS = 1_000
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

  function requireApiKey(given: string | undefined): void {
    const key = Buffer.from(given ?? '')
    if (key.length !== apiKey.length || !timingSafeEqual(key, apiKey))
      throw new GatewayError('UNAUTHENTICATED', 'x-api-key is missing or wrong')
  }

  /** Authorized actor, or undefined for a public call. Errors: UNAUTHENTICATED, PERMISSION_DENIED. */
  async function permit(endpoint: AnyEndpoint, head: CallHead) {
    const { access } = endpoint
    if (access === 'public') {
      limits.auth(head.ip)
      requireApiKey(head.apiKey)
      return undefined
    }
    const actor = await authenticate(endpoint, head)
    limits.user(actor.cognitoId)
    limits.tenant(actor.tenant)
    refuseUnless(access, actor)
    return actor
  }

  /** Errors: UNAUTHENTICATED. */
  async function authenticate({ accessToken }: AnyEndpoint, { authorization }: CallHead): Promise<Actor> {
    const token = bearer(authorization)
    if (token === undefined) throw new GatewayError('UNAUTHENTICATED', 'A token is needed')
    return options.authenticate(token, accessToken)
  }

  /** Returns the admitted caller; authorizes again if rights may have changed while the body arrived. */
  async function stillPermitted(endpoint: AnyEndpoint, { head, actor, at }: Admission) {
    if (!actor || clock.now() - at <= ADMITTED_FOR_MS) return actor
    const current = await authenticate(endpoint, head)
    refuseUnless(endpoint.access, current)
    return current
  }

  function begin(
    endpoint: AnyEndpoint,
    head: CallHead,
    actor: Actor | undefined,
    data: Record<string, unknown>,
  ): Work {
    const emissions: Emission[] = []
    const change: Work['change'] = {}
    const context: Work['context'] = {
      db,
      clock,
      random,
      files,
      log,
      requestId: head.requestId,
      ip: head.ip,
      userAgent: head.userAgent,
      host: head.host,
      accessToken: head.accessToken ?? (endpoint.accessToken ? bearer(head.authorization) : undefined),
      emit: (name, event) => void emissions.push([name, event] as Emission),
      actFor(person) {
        context.actor = person
      },
      change(name, record) {
        const { actor } = context
        if (!actor) throw new Error('A public call has no company to tell of a change')
        if (options.checkResults) refuseUndeclared(endpoint, name)
        const requestId = data['RequestID']
        const by = actor.cognitoId
        const event = { tenant: actor.tenant, name, record, by, requestId } as GatewayEvents['dataChange']
        emissions.push(['dataChange', event])
      },
      audit: (said) => void (said === 'none' ? (work.changesNothing = true) : Object.assign(change, said)),
    }
    if (actor) context.actor = actor
    const work: Work = { context, emissions, change, changesNothing: false }
    return work
  }

  async function mutate(
    endpoint: AnyEndpoint,
    handler: AnyHandler,
    input: object,
    requestId: string | undefined,
    work: Work,
  ) {
    const { path } = endpoint
    const { context } = work
    const { actor } = context
    // Anonymous calls are not deduplicated.
    const key =
      requestId === undefined || !actor
        ? undefined
        : { actor, requestId, path, inputHash: hashInput(options.requestKey, input) }
    const leave = await handler.precheck?.(input, context).catch(async (refusal: unknown) => {
      // The conflict may result from an earlier attempt of this same call.
      if (!key || !(await isRequestClaimed(db, key, clock.now()))) throw refusal
    })
    const done = db.transaction(async (tx) => {
      const first = key && (await claimRequest(tx, key, clock.now(), options.sealer))
      if (first) return first.results
      context.db = tx
      const results = await handler(input, context)
      if (!work.changesNothing) await writeAudit(tx, entryOf(endpoint, input, work))
      if (key) await storeResults(tx, key, { results, schema: endpoint.results }, options.sealer)
      return results
    })
    return leave ? done.finally(leave) : done
  }

  async function commitItself(endpoint: AnyEndpoint, handler: AnyHandler, input: object, work: Work) {
    const results = await handler(input, work.context)
    await writeAudit(db, entryOf(endpoint, input, work))
    return results
  }

  const entryOf = (endpoint: AnyEndpoint, input: object, { context, change }: Work) => ({
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
    const repeatable = endpoint.mutates && !endpoint.commitsItself
    const schema: z.ZodObject = repeatable
      ? endpoint.input.safeExtend({ RequestID: RequestID.optional() })
      : endpoint.input
    const measure = metrics.of(endpoint.path)
    const aliases = Object.entries(endpoint.aliases)
    const named = (body: unknown) => (aliases.length > 0 ? withoutAliases(aliases, body) : body)

    async function handle(received: unknown, admission: Admission): Promise<unknown> {
      const actor = await stillPermitted(endpoint, admission)
      const body = named(received ?? {})
      const parsed = schema.safeParse(body)
      // Authorize before validating the body.
      if (endpoint.accessBy) refuseUnless(accessOf(endpoint, parsed.success ? parsed.data : body), actor)
      if (!parsed.success)
        throw new GatewayError('INVALID', 'The request is not valid', fieldErrors(parsed.error))
      const work = begin(endpoint, admission.head, actor, parsed.data)
      const line = actor?.tenant ?? PUBLIC
      const turn = tenantLimit.acquire(line)
      if (turn) await turn
      try {
        const results = await execute(parsed.data, work)
        for (const emission of work.emissions) {
          events.emit(...(emission as [never, never]))
          if (emission[0] === 'dataChange') options.onChange?.(endpoint.path, entityOf(emission[1].name))
        }
        return options.checkResults ? checked(endpoint, results) : results
      } finally {
        tenantLimit.release(line)
      }
    }

    function execute(data: Record<string, unknown>, work: Work): Promise<unknown> {
      if (!endpoint.mutates) return handler(data, work.context)
      if (endpoint.commitsItself) return commitItself(endpoint, handler, data, work)
      const { RequestID: requestId, ...input } = data
      return mutate(endpoint, handler, input, requestId as string | undefined, work)
    }

    const refusalOf = (error: unknown, { requestId }: CallHead): HttpResponse =>
      toHttpResponse(error, requestId, log, endpoint.path)

    function record({ requestId, ip }: CallHead, { envelope }: HttpResponse, milliseconds: number): void {
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
          const actor = await permit(endpoint, head)
          return { head, actor, at: clock.now(), took: performance.now() - started }
        } catch (error) {
          const refusal = refusalOf(error, head)
          record(head, refusal, performance.now() - started)
          return { refusal }
        }
      },

      async handle(body, admission) {
        const { head } = admission
        const started = performance.now() - admission.took
        let answer: HttpResponse
        try {
          const results = await handle(body, admission)
          answer = { http: 200, envelope: { status: OK, results } }
        } catch (error) {
          answer = refusalOf(error, head)
        }
        record(head, answer, performance.now() - started)
        return answer
      },
    }
  }
}

/** Throws PERMISSION_DENIED with the missing right. */
function refuseUnless(access: Access, actor: Actor | undefined): void {
  const missing = decide(access, actor)
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
function refuseUndeclared({ path, changes }: AnyEndpoint, name: DataChangeName): void {
  if (!changes.includes(entityOf(name))) throw new Error(`${path} does not declare the change ${name}`)
}

/** Validates the results as screens receive them, and throws if they differ from the schema. */
function checked(endpoint: AnyEndpoint, results: unknown): unknown {
  const sent: unknown = JSON.parse(JSON.stringify(results ?? null))
  if (!isDeepStrictEqual(endpoint.results.parse(sent), sent))
    throw new Error(`${endpoint.path} answers with fields that its schema does not have`)
  return results
}

/** Token of a bearer header; undefined if there is none. */
function bearer(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const token = header.slice(SCHEME.length).trim()
  return header.slice(0, SCHEME.length).toLowerCase() === SCHEME && token !== '' ? token : undefined
}

/** Renames aliases to field names; a body with both keeps both, and is rejected for the unknown one. */
function withoutAliases(aliases: readonly [alias: string, field: string][], body: unknown): unknown {
  if (!isRecord(body)) return body
  const named = { ...body }
  for (const [alias, field] of aliases)
    if (Object.hasOwn(named, alias) && !Object.hasOwn(named, field)) {
      named[field] = named[alias]
      delete named[alias]
    }
  return named
}
