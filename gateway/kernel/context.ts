import type { Permission } from '../../contract/kernel/permissions.ts'
import type { DataChangeName, DataChangePayload } from '../../contract/data-change.ts'
import type { AnyEndpoint, InputOf, ResultsOf } from '../../contract/kernel/define-endpoint.ts'
import type { EventName, GatewayEvents } from './events.ts'
import type { Clock, Files, Log, Random } from './ports.ts'
import type { Db } from '../store/db.ts'

/** The signed-in person a call acts for. Root's cognitoId is the tenant's id (protocol, Who is who). */
export interface Actor {
  tenant: string
  cognitoId: string
  email: string
  name: string
  isRoot: boolean
  permissions: Permission[]
  /** Which session the token belongs to (origin_jti). */
  sessionId: string
}

/** What every handler receives. In a mutation `db` is the open transaction and events wait for its commit. */
export interface Context {
  db: Db
  clock: Clock
  random: Random
  files: Files
  log: Log
  requestId: string
  /** The caller's address, for limits and the audit. */
  ip: string
  /** What the caller calls itself, for the list of sessions. */
  userAgent: string
  /** The host by which the caller reaches the gateway, without a port. The caller says so: nothing secret goes there by its word. */
  host: string
  /** The access token of a session call, as sent in `x-access-token` (§7 Auth). */
  accessToken: string | undefined
  /** Of a public call: for whom it acts, as it has found out itself. What it changes is told and audited as that person's. */
  actFor(actor: Actor): void
  /** Tells the screens of a changed record. */
  change<N extends DataChangeName>(name: N, record: DataChangePayload<N>): void
  /** Tells the other features of the gateway. */
  emit<N extends EventName>(name: N, event: GatewayEvents[N]): void
  /**
   * What the audit row keeps of the record before and after; handlers of updates and removals call it. `input` stands for an
   * input of thousands of rows. `none` of a call that found nothing to change: it gets no row.
   */
  audit(change: { before?: unknown; after?: unknown; input?: unknown } | 'none'): void
}

/** A call's context; the dispatcher has made sure there is an actor unless the call is public. */
export type SignedIn = Context & { actor: Actor }

type HandlerContext<E extends AnyEndpoint> = E['access'] extends 'public' ? Context : SignedIn

/** One call's work. Permission and parsing have already happened; throws GatewayError for what the caller may know. */
export interface Handler<E extends AnyEndpoint> {
  (input: InputOf<E>, context: HandlerContext<E>): Promise<ResultsOf<E>>
  /**
   * Of a mutation that many may ask for in vain: says no with one question, before the transaction begins. It decides
   * nothing: who passes is looked at again. What it answers is called when the transaction has ended.
   */
  precheck?: (input: InputOf<E>, context: HandlerContext<E>) => Promise<() => void>
}

/** One handler for each operation of a resource or family; the compiler asks for every one. */
export type HandlersOf<Operations extends Record<string, AnyEndpoint>> = {
  [V in keyof Operations]: Handler<Operations[V]>
}
