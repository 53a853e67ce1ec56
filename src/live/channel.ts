import { session } from '../../contract/people/session-calls.ts'
import { call } from '../data/api.ts'
import { me } from '../data/session.ts'
import { gatewayNow, syncGatewayClock } from '../lib/gateway-clock.ts'
import { logFault, messageOf } from '../lib/log-fault.ts'
import { createStore, useStore } from '../lib/store.ts'
import type { ChannelPort, PageMessage, WorkerMessage } from './channel-messages.ts'
import type { ConnectionState } from './connection-machine.ts'
import { firstAttemptEnded, followReach } from './reach.ts'
import type { ChannelEvent } from './route.ts'

/** Receiver of what the channel delivers. */
export interface ChannelListener {
  receive(event: ChannelEvent): void
  /**
   * Called when all topics are subscribed after a connect or reconnect, to fetch what was missed.
   *
   * afterGap  whether there was a time without connection since the start
   */
  ready(afterGap: boolean): void
}

/** The page's end of the channel worker. */
interface ChannelWorker extends ChannelPort<PageMessage, WorkerMessage> {
  addEventListener(type: 'message', listener: (event: MessageEvent<WorkerMessage>) => void): void
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void
  terminate(): void
}

/** Pause before a worker that failed is started again, ms: doubled with each failure, up to `MAX_RESTART_PAUSE_MS`. */
const RESTART_PAUSE_MS = 1_000
const MAX_RESTART_PAUSE_MS = 60_000

let openWorker = (): ChannelWorker =>
  new Worker(new URL('./channel.worker.ts', import.meta.url), { type: 'module', name: 'channel' })

/** Replaces the worker, for a page on recorded data and for tests. */
export function setChannelWorker(open: () => ChannelWorker): void {
  openWorker = open
}

let listener: ChannelListener | undefined
let worker: ChannelWorker | undefined
let restart: ReturnType<typeof setTimeout> | undefined
/** Failures of the worker since the last connection. */
let failures = 0
let wanted: readonly string[] = []
let lastId = 0
/** Requests that the worker has not answered. */
const requests = new Map<number, { resolve(value: boolean): void; reject(error: Error): void }>()

const state = createStore<ConnectionState>('idle')
const nextAttemptAt = createStore<number | undefined>(undefined)

/**
 * The realtime channel of this page. It reconnects with backoff, renews credentials before they expire, and restores subscriptions. While
 * it is down, publishing fails: a command must not be sent later than it was given.
 */
export const connection = {
  state,
  /** Time of the next attempt, epoch ms, while waiting for one. */
  nextAttemptAt,
  start() {
    if (!worker) openChannel()
  },
  /** Ends the connection, at sign-out. */
  stop() {
    closeChannel()
    failures = 0
    wanted = []
    state.set('ended')
  },
  /** Tries now: the user asked for it, the network is back, or the page is visible again. */
  retryNow() {
    if (worker) send(worker, { type: 'retryNow' })
    else if (restart !== undefined) openChannel()
  },
  /** Ends the connection after the browser lost its network; MQTT keep-alive would notice only after 45 s. */
  networkLost() {
    if (worker) send(worker, { type: 'networkLost' })
  },
  /** Replaces the subscribed topics, now and after every reconnect; resolves to false if there is no connection. */
  async want(topics: readonly string[]): Promise<boolean> {
    wanted = topics
    return request((id) => ({ type: 'want', id, topics })).catch(() => false)
  },
  /**
   * Publishes with QoS 1.
   *
   * errors  rejects at once if not connected
   */
  async publish(topic: string, payload: object): Promise<void> {
    await request((id) => ({ type: 'publish', id, topic, payload }))
  },
}

const send = (to: ChannelWorker, message: PageMessage) => to.postMessage(message, [])

function request(message: (id: number) => PageMessage): Promise<boolean> {
  if (!worker) return Promise.reject(new Error('not connected'))
  const id = ++lastId
  send(worker, message(id))
  return new Promise((resolve, reject) => requests.set(id, { resolve, reject }))
}

function openChannel(): void {
  closeChannel()
  state.set('connecting')
  const opened = openWorker()
  worker = opened
  // Messages of a worker that was replaced change nothing.
  opened.addEventListener('message', ({ data }) => worker === opened && handleMessage(data))
  opened.addEventListener('error', ({ message }) => worker === opened && handleFailure(message))
  send(opened, { type: 'start' })
  if (wanted.length > 0) void connection.want(wanted)
}

function closeChannel(): void {
  clearTimeout(restart)
  restart = undefined
  worker?.terminate()
  worker = undefined
  nextAttemptAt.set(undefined)
  for (const { reject } of requests.values()) reject(new Error('not connected'))
  requests.clear()
}

/** Restarts the worker after a pause: its program could not be loaded, or it ended with an error. */
function handleFailure(message: string): void {
  closeChannel()
  const pauseMs = Math.min(RESTART_PAUSE_MS * 2 ** failures++, MAX_RESTART_PAUSE_MS)
  restart = setTimeout(openChannel, pauseMs)
  nextAttemptAt.set(Date.now() + pauseMs)
  state.set('error')
  logFault('The channel worker', message || 'could not be loaded')
}

function handleMessage(message: WorkerMessage): void {
  switch (message.type) {
    case 'state':
      nextAttemptAt.set(message.nextAttemptAt)
      state.set(message.state)
      break
    case 'events':
      for (const event of message.events) handleEvent(event)
      break
    case 'ready':
      listener?.ready(message.afterGap || failures > 0)
      failures = 0
      break
    case 'getCredentials':
      void sendCredentials()
      break
    case 'answer':
      requests.get(message.id)?.resolve(message.value)
      requests.delete(message.id)
      break
    case 'rejected':
      requests.get(message.id)?.reject(new Error(message.reason))
      requests.delete(message.id)
      break
    case 'failed':
      // Errors of the realtime channel are not shown (§8).
      logFault('The realtime channel', message.reason)
  }
}

/** An error in the handler of one event must not lose the others of its batch. */
function handleEvent(event: ChannelEvent): void {
  try {
    listener?.receive(event)
  } catch (error) {
    reportError(error)
  }
}

async function sendCredentials(): Promise<void> {
  const asking = worker
  const answer = await fetchCredentials()
  if (asking) send(asking, answer)
}

async function fetchCredentials(): Promise<PageMessage> {
  try {
    const requestedAt = Date.now()
    const credentials = await call(session.connectRealtime, {})
    syncGatewayClock(credentials.Now, requestedAt)
    // The gateway may return a path, which means the same host as the page.
    const url = new URL(credentials.Url, location.href)
    if (url.protocol.startsWith('http')) url.protocol = url.protocol.replace('http', 'ws')
    return { type: 'credentials', credentials: { ...credentials, Url: url.href }, gatewayNow: gatewayNow() }
  } catch (error) {
    return { type: 'noCredentials', reason: messageOf(error) }
  }
}

/** Starts the channel; its credentials and subscriptions follow the signed-in user. */
export function startChannel(to: ChannelListener): void {
  listener = to
  connection.start()
}

export const useConnection = (): ConnectionState => useStore(connection.state)

/** Whether commands would fail because the channel is down. */
export const isCutOff = followReach(connection.state)

/** Publishes a command with the time at which it was given, by the gateway's clock. */
export async function publishCommand(topic: string, payload: object): Promise<void> {
  const givenAt = Date.now()
  await firstAttemptEnded(connection.state)
  // The gateway's clock is known after connecting.
  const At = gatewayNow() - (Date.now() - givenAt)
  await connection.publish(topic, { ...payload, At })
}

/** Company of the signed-in user; undefined before the permissions are known. */
export const currentRootId = (): string | undefined => me.get()?.RootCognitoId
