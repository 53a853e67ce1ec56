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
import type { Db } from '../store/db.ts'
import { toHttpResponse, PermissionDenied, type HttpResponse } from './response.ts'
import { isRecord } from '../../contract/kernel/is-record.ts'
import { type AuditSchemas, writeAudit } from '../domain/audit/write-audit.ts'
import type { CallMetrics } from './metrics.ts'
import type { RateLimits } from './rate-limits.ts'
import { claimRequest, hashInput, isRequestClaimed, storeResults } from './idempotency.ts'
import type { TenantLimit } from './tenant-limit.ts'

/** A handler as the dispatcher calls it: the contract's types are checked where handlers are written. */
export interface AnyHandler {
  // oxlint-disable-next-line typescript/no-explicit-any -- the input type differs for every call
  (input: any, context: any): Promise<unknown>
  // oxlint-disable-next-line typescript/no-explicit-any -- likewise
  precheck?: (input: any, context: any) => Promise<() => void>
}

/** A call before its body is read. */
export interface CallHead {
  authorization: string | undefined
  /** x-access-token, for the calls that need the access token besides the id token. */
  accessToken: string | undefined
  apiKey: string | undefined
  ip: string
  userAgent: string
  /** The host that the caller turned to, without a port, as the caller says. */
  host: string
  requestId: string
}

/** A caller that may make a call, by the head of its request. */
export interface Admission {
  head: CallHead
  /** Undefined for a public call. */
  actor: Actor | undefined
  /** Epoch ms. */
  at: number
  /** Time that it took, in ms. */
  took: number
}

/** One call of the contract, in two steps: nothing of the body is read before the caller is known. */
export interface Call {
  /** Authenticates, authorizes and counts the call, or answers why not. */
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
  /** Who sends this token; throws UNAUTHENTICATED. `accessToo` when the call also takes the access token. */
  authenticate(token: string, accessToo: boolean): Promise<Actor>
  /** What x-api-key must be on public calls. */
  apiKey: string
  limits: RateLimits
  tenantLimit: TenantLimit
  /** For results that carry a secret, as a hub's credentials do. */
  sealer: Sealer
  /** For digests of inputs, which are kept with RequestIDs. */
  requestKey: Uint8Array
  metrics: CallMetrics
  /**
   * Parses every result by its schema, and fails on a difference and on a change of an entity that the call does not declare:
   * for tests and development.
   */
  checkResults: boolean
  /** Hears what each call has changed, e.g. `/CreateRoom` and `room`. */
  onChange?: ((path: string, entity: string) => void) | undefined
}

export type Emission = { [N in EventName]: [N, GatewayEvents[N]] }[EventName]

/** A call under way: what its handler said besides its result. */
interface Work {
  context: Context & { actor?: Actor }
  emissions: Emission[]
  change: { before?: unknown; after?: unknown; input?: unknown }
  /** Nothing was to be changed: no row of the audit. */
  changesNothing: boolean
}

const OK = { code: 0 } as const
const SCHEME = 'bearer '
/** Time after which a caller is authenticated again, because its body took so long to arrive, in ms. */
const ADMITTED_FOR_MS = 1_000
/** Calls of nobody in particular share one line. */
const PUBLIC = 'public'

/**
 * Makes the one way every call takes: who (token to actor), may they (the policy), what (parse), handle, wrap.
 *
 * A mutation runs in a transaction together with its audit row and its RequestID; events leave after the commit.
 * Nothing here is built per call but the context.
 */
export function createDispatch(options: DispatchOptions) {
  const { db, clock, random, files, log, events, limits, tenantLimit, metrics } = options
  const apiKey = Buffer.from(options.apiKey)

  function requireApiKey(given: string | undefined): void {
    const key = Buffer.from(given ?? '')
    if (key.length !== apiKey.length || !timingSafeEqual(key, apiKey))
      throw new GatewayError('UNAUTHENTICATED', 'x-api-key is missing or wrong')
  }

  /** The actor who may do this, or undefined for a public call. Errors: UNAUTHENTICATED, PERMISSION_DENIED. */
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

  /** The admitted caller; checked again if rights may have changed while the body arrived. */
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
    // Nobody's repetition is known.
    const key =
      requestId === undefined || !actor
        ? undefined
        : { actor, requestId, path, inputHash: hashInput(options.requestKey, input) }
    const leave = await handler.precheck?.(input, context).catch(async (refusal: unknown) => {
      // What stands in the way may be this very call's own work, asked for again.
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

  /** Readies one call: everything that does not depend on the request happens here. */
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
      // Who may not is told so, whatever else is wrong with the body.
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
      // Successful reads are in the metrics; a line for each would cost as much as the call.
      if (endpoint.mutates || code !== OK.code)
        log.info({ requestId, path: endpoint.path, code, ip, ms: Math.round(milliseconds) }, 'Call')
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

/** Errors: PERMISSION_DENIED, with the right that is missing. */
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

/** What a call changes makes answers old that show it: screens go by the declaration. A handler that changes more has a bug. */
function refuseUndeclared({ path, changes }: AnyEndpoint, name: DataChangeName): void {
  if (!changes.includes(entityOf(name))) throw new Error(`${path} does not declare the change ${name}`)
}

/** The results as a screen will read them. A handler that sends something else than its schema says has a bug. */
function checked(endpoint: AnyEndpoint, results: unknown): unknown {
  const sent: unknown = JSON.parse(JSON.stringify(results ?? null))
  if (!isDeepStrictEqual(endpoint.results.parse(sent), sent))
    throw new Error(`${endpoint.path} answers with fields that its schema does not have`)
  return results
}

/** The token of a bearer header; undefined when there is none. */
function bearer(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const token = header.slice(SCHEME.length).trim()
  return header.slice(0, SCHEME.length).toLowerCase() === SCHEME && token !== '' ? token : undefined
}

/** A body whose fields go by their own names; one that is there under both keeps both, and is refused for the unknown one. */
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
