import type { FastifyInstance } from 'fastify'
import type {
  ChannelName,
  procedures,
  ProcedureFamily,
  ResourceName,
  resources,
} from '../../contract/index.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { Client, ConnectRefusal, ReceivedMessage, ThingClient, WritePresence } from './broker.ts'
import type { BusRequest, BusResponse } from './bus.ts'
import type { Handler } from './context.ts'

type OperationsOf<N> = (N extends ResourceName ? (typeof resources)[N]['operations'] : unknown) &
  (N extends ProcedureFamily ? (typeof procedures)[N] : unknown)

/** Handlers of all calls, by family and verb. */
export type AllHandlers = {
  [N in ResourceName | ProcedureFamily]: {
    [V in keyof OperationsOf<N>]: OperationsOf<N>[V] extends AnyEndpoint ? Handler<OperationsOf<N>[V]> : never
  }
}

/** Periodic background work. Several gateways of a database may run it concurrently. */
export interface Job {
  /** Name in the log. */
  name: string
  /** Milliseconds from the end of each run to the next; the first run follows the start, after about five minutes if this is longer. */
  intervalMs: number
  /**
   * Does the pending work; ends early once `isStopped`. A failure is logged, and the next run follows as usual.
   *
   * returns  milliseconds until the next run, if not `intervalMs`
   */
  run(isStopped: () => boolean): Promise<number | void>
}

/** Self-contained part of the gateway. It imports no other feature: features.ts passes dependencies between them. */
export interface Feature {
  /** Calls that it answers. Exactly one feature answers each call of the contract. */
  handlers?: { [N in keyof AllHandlers]?: Partial<AllHandlers[N]> }
  /** Topics that it subscribes to, one feature per topic; a resolved promise means that the message is stored. */
  topics?: { [C in ChannelName]?: (message: ReceivedMessage) => Promise<void> }
  /** Mounts HTTP addresses other than calls. */
  registerRoutes?(app: FastifyInstance): void
  jobs?: readonly Job[]
  /** Public settings for /config.json. */
  webConfig?(): Promise<object>
  /** Stores the presence of hubs or scanners; one feature per party. */
  presence?: { [P in ThingClient['party']]?: WritePresence }
  /** Answers requests of other gateways; one feature per kind. */
  executeCommand?(command: BusRequest['carry']): Promise<BusResponse['carried']>
  /**
   * Observes hub activity without consuming messages: each message before it is processed, sign-ins with the right or a wrong secret and
   * their address, and messages to topics that a hub may not publish to. Called on every message, so it must return immediately.
   */
  hubObserver?: {
    onMessage(message: ReceivedMessage): void
    onConnected(client: ThingClient): void
    onAuthenticated(thingName: string, address: string | undefined): void
    onWrongSecret(thingName: string, address: string | undefined): void
    onRejected(client: Client, reason: ConnectRefusal): void
  }
  /** Called when a client has subscribed to a filter. */
  onSubscribed?(client: Client, filter: string): void
  /** Prepares state that must exist before anyone connects. */
  prepare?(): Promise<void>
  /** Resumes work that was pending when the gateway ended. */
  recover?(): Promise<void>
  /** Finishes accepted work and begins nothing more. Features are closed in the reverse order of features.ts. */
  close?(): Promise<void> | void
}
