import { session } from '../../contract/people/session-calls.ts'
import { call } from '../data/api.ts'
import { me } from '../data/session.ts'
import { gatewayNow, syncGatewayClock } from '../lib/gateway-clock.ts'
import { logFault } from '../lib/log-fault.ts'
import { nextTask } from '../lib/next-task.ts'
import { useStore } from '../lib/store.ts'
import { createConnection, type ConnectionState } from './connection.ts'
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

let listener: ChannelListener | undefined
/** Parser of messages, with the schema of every record: loaded together with mqtt.js, not before. */
let route: ((topic: string, payload: unknown) => ChannelEvent | undefined) | undefined

export const connection = createConnection({
  connect: async () => {
    const [{ default: mqtt }, parsers] = await Promise.all([import('mqtt'), import('./route.ts')])
    route = parsers.route
    // Run the library's code and connect in separate tasks, so that the page stays responsive.
    await nextTask()
    return (url, options) => mqtt.connect(url, options)
  },
  credentials: async () => {
    const requestedAt = Date.now()
    const credentials = await call(session.connectRealtime, {})
    syncGatewayClock(credentials.Now, requestedAt)
    // The gateway may return a path, which means the same host as the page.
    const url = new URL(credentials.Url, location.href)
    if (url.protocol.startsWith('http')) url.protocol = url.protocol.replace('http', 'ws')
    return { ...credentials, Url: url.href }
  },
  receive: (topic, payload) => {
    const event = route?.(topic, payload)
    if (event) listener?.receive(event)
  },
  ready: (afterGap) => listener?.ready(afterGap),
  // Errors of the realtime channel are not shown (§8).
  failed: (error) => logFault('The realtime channel', error),
})

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
