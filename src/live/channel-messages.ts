import type { RealtimeCredentials } from '../../contract/people/session-calls.ts'
import type { ConnectionState } from './connection-machine.ts'
import type { ChannelEvent } from './route.ts'

/** Messages from the page to the channel worker. `id` is repeated in the answer. */
export type PageMessage =
  | { type: 'start' | 'retryNow' | 'networkLost' }
  /** Replaces the subscribed topics; answered by whether there is a connection. */
  | { type: 'want'; id: number; topics: readonly string[] }
  /** Answered after the broker's acknowledgment. */
  | { type: 'publish'; id: number; topic: string; payload: object }
  /** gatewayNow  time of the gateway's clock when the message was sent, epoch ms */
  | { type: 'credentials'; credentials: RealtimeCredentials; gatewayNow: number }
  | { type: 'noCredentials'; reason: string }

/** Messages from the channel worker to the page. */
export type WorkerMessage =
  | { type: 'state'; state: ConnectionState; nextAttemptAt: number | undefined }
  /** In the order of their arrival; at most one message per `BATCH_MS`. */
  | { type: 'events'; events: readonly ChannelEvent[] }
  | { type: 'ready'; afterGap: boolean }
  /** Requests credentials; answered by `credentials` or `noCredentials`. */
  | { type: 'getCredentials' }
  | { type: 'answer'; id: number; value: boolean }
  | { type: 'rejected'; id: number; reason: string }
  | { type: 'failed'; reason: string }

/** Interval at which received messages are passed to the page, ms. */
export const BATCH_MS = 50

/** One end of the connection between page and worker: a `Worker`, the worker's global scope, or a `MessagePort`. */
export interface ChannelPort<Sent, Received> {
  postMessage(message: Sent, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<Received>) => void): void
}
