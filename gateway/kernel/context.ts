import type { Access, PermissionSubject } from '../../contract/kernel/permissions.ts'
import type { DataChangeName, DataChangePayload } from '../../contract/data-change.ts'
import type { AnyEndpoint, InputOf, ResultsOf } from '../../contract/kernel/define-endpoint.ts'
import type { GatewayError } from './errors.ts'
import type { EventName, GatewayEvents } from './events.ts'
import type { Clock, Files, Log, Random } from './ports.ts'
import type { Db } from './db.ts'

/** Signed-in user that a call acts for. Root's cognitoId is the tenant's id (protocol, Who is who). */
export interface Actor extends Required<PermissionSubject> {
  tenant: string
  cognitoId: string
  email: string
  name: string
  /** Session of the token (origin_jti). */
  sessionId: string
}

/** Context of a handler. In a mutation, `db` is the open transaction, and events are emitted after its commit. */
export interface Context {
  db: Db
  clock: Clock
  random: Random
  files: Files
  log: Log
  requestId: string
  /** Caller's address, for limits and the audit. */
  ip: string
  /** Caller's user agent, for the list of sessions. */
  userAgent: string
  /** Host without a port, as stated by the caller: it can be forged, so no secret may be sent there. */
  host: string
  /** Access token of a session call, as sent in `x-access-token` (§7 Auth). */
  accessToken: string | undefined
  /**
   * For a public call: sets the user that it acts for, as determined by the handler. Its changes are published and audited as that user's.
   */
  actFor(actor: Actor): void
  /**
   * Asserts that the caller may make the call at the home of a record; null means the company itself. Handlers of class `record` call it.
   *
   * missing  returns the error if the caller may not know the home: the same as if the record did not exist
   * errors   PERMISSION_DENIED
   */
  at(homeId: string | null, missing: () => GatewayError): void
  /**
   * Homes at which the caller has an access, that of the call by default; null means all, also those added later. Handlers of class
   * `mixed` limit their answer to them.
   */
  homes(access?: Access): readonly string[] | null
  /** Publishes a record change to screens. */
  change<N extends DataChangeName>(name: N, record: DataChangePayload<N>): void
  /** Emits an event to other features of the gateway. */
  emit<N extends EventName>(name: N, event: GatewayEvents[N]): void
  /**
   * Sets the before and after states of the audit row; handlers of updates and deletions call it. `input` replaces an input of thousands
   * of rows. `none` means that nothing was changed: no row is written.
   */
  audit(change: { before?: unknown; after?: unknown; input?: unknown } | 'none'): void
}

/** Context of a signed-in call; the dispatcher guarantees the actor unless the call is public. */
export type SignedIn = Context & { actor: Actor }

type HandlerContext<E extends AnyEndpoint> = E['access'] extends 'public' ? Context : SignedIn

/** Handler of one call. Authorization and parsing have already happened; throws GatewayError for errors that the caller may see. */
export interface Handler<E extends AnyEndpoint> {
  (input: InputOf<E>, context: HandlerContext<E>): Promise<ResultsOf<E>>
  /**
   * Cheap rejection of a mutation that often fails, with one query before the transaction begins. It decides nothing: the handler checks
   * again. The returned function is called when the transaction has ended.
   */
  precheck?: (input: InputOf<E>, context: HandlerContext<E>) => Promise<() => void>
}

/** Handlers for all operations of a resource or family; the compiler requires every one. */
export type HandlersOf<Operations extends Record<string, AnyEndpoint>> = {
  [V in keyof Operations]: Handler<Operations[V]>
}
