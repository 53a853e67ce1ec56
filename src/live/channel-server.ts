import mqtt from 'mqtt'
import type { RealtimeCredentials } from '../../contract/people/session-calls.ts'
import { syncGatewayClock } from '../lib/gateway-clock.ts'
import { messageOf } from '../lib/log-fault.ts'
import { BATCH_MS, type ChannelPort, type PageMessage, type WorkerMessage } from './channel-messages.ts'
import { createConnection } from './connection.ts'
import { route, type ChannelEvent } from './route.ts'

/**
 * Serves the realtime channel to a page: holds the connection, parses messages and passes them on in batches.
 *
 * returns  function that ends the connection; the end of a worker needs none
 */
export function serveChannel(page: ChannelPort<WorkerMessage, PageMessage>): () => void {
  let batch: ChannelEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let awaited: { resolve(credentials: RealtimeCredentials): void; reject(error: Error): void } | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (batch.length > 0) page.postMessage({ type: 'events', events: batch }, [])
    batch = []
  }
  /** Sends a message after all events that came before it. */
  const post = (message: WorkerMessage) => {
    flush()
    page.postMessage(message, [])
  }

  const connection = createConnection({
    connect: (url, options) => mqtt.connect(url, options),
    credentials: () =>
      new Promise((resolve, reject) => {
        awaited = { resolve, reject }
        post({ type: 'getCredentials' })
      }),
    receive(topic, payload) {
      const event = route(topic, payload)
      if (!event) return
      batch.push(event)
      timer ??= setTimeout(flush, BATCH_MS)
    },
    ready: (afterGap) => post({ type: 'ready', afterGap }),
    failed: (error) => post({ type: 'failed', reason: messageOf(error) }),
  })
  const postState = () =>
    post({ type: 'state', state: connection.state.get(), nextAttemptAt: connection.nextAttemptAt.get() })
  connection.state.subscribe(postState)
  connection.nextAttemptAt.subscribe(postState)

  page.addEventListener('message', ({ data }) => {
    switch (data.type) {
      case 'want':
        void connection.want(data.topics).then((value) => post({ type: 'answer', id: data.id, value }))
        break
      case 'publish':
        void connection.publish(data.topic, data.payload).then(
          () => post({ type: 'answer', id: data.id, value: true }),
          (error: unknown) => post({ type: 'rejected', id: data.id, reason: messageOf(error) }),
        )
        break
      case 'credentials':
        syncGatewayClock(data.gatewayNow, Date.now())
        awaited?.resolve(data.credentials)
        break
      case 'noCredentials':
        awaited?.reject(new Error(data.reason))
        break
      default:
        connection[data.type]()
    }
  })
  return () => {
    connection.stop()
    clearTimeout(timer)
  }
}
