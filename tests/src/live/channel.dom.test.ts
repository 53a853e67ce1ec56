import { http as requests, passthrough } from 'msw'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Aedes } from 'aedes'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws'
import { topics } from '../../../contract/channels/table.ts'
import { session } from '../../../contract/people/session-calls.ts'
import { serveChannel } from '../../../src/live/channel-server.ts'
import { connection, setChannelWorker, startChannel } from '../../../src/live/channel.ts'
import type { ChannelEvent } from '../../../src/live/route.ts'
import { answers, owner, server, signInAs, unreachable } from '../../support/msw.ts'

const rootId = owner.RootCognitoId
const TOPIC = topics.statusChange.topic({ rootId, homeId: 'h1' })

let broker: Aedes
let http: Server
/** Fails each worker that was opened, with a message. */
const failures: ((message: string) => void)[] = []
const events: ChannelEvent[] = []
const gaps: boolean[] = []

/** The worker's program on this thread, behind real message ports. */
function workerHere(): ReturnType<Parameters<typeof setChannelWorker>[0]> {
  const { port1, port2 } = new MessageChannel()
  const endConnection = serveChannel(port1)
  port1.start()
  port2.start()
  return {
    postMessage: (message) => port2.postMessage(message),
    addEventListener(type: string, listener: (event: never) => void) {
      if (type === 'error') failures.push((message) => listener({ message } as never))
      else port2.addEventListener('message', listener as (event: MessageEvent) => void)
    },
    terminate() {
      endConnection()
      port1.close()
      port2.close()
    },
  }
}

beforeEach(async () => {
  broker = await Aedes.createBroker()
  http = createServer()
  new WebSocketServer({ server: http }).on('connection', (socket) =>
    broker.handle(createWebSocketStream(socket)),
  )
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  const { port } = http.address() as AddressInfo
  signInAs(owner)
  server.use(
    answers(session.connectRealtime, () => ({
      Url: `ws://127.0.0.1:${port}/mqtt`,
      ClientID: 'page',
      Username: 'u',
      Password: 'p',
      ExpiresAt: Date.now() + 3_600_000,
      Now: Date.now(),
    })),
  )
  server.use(requests.get('*/mqtt', () => passthrough()))
  // The one of Node.js does not accept the events of jsdom.
  vi.stubGlobal('WebSocket', WebSocket)
  setChannelWorker(workerHere)
  events.length = gaps.length = failures.length = 0
})

afterEach(async () => {
  connection.stop()
  http.closeAllConnections()
  http.close()
  await new Promise<void>((closed) => broker.close(closed))
})

async function connect(): Promise<void> {
  startChannel({ receive: (event) => void events.push(event), ready: (afterGap) => void gaps.push(afterGap) })
  void connection.want([TOPIC])
  await expect.poll(() => gaps.length).toBe(1)
}

const publish = (uid: string) =>
  broker.publish(
    {
      cmd: 'publish',
      topic: TOPIC,
      payload: JSON.stringify({ Peripherals: [{ PeripheralUID: uid }] }),
      qos: 1,
      retain: false,
      dup: false,
    },
    () => {},
  )
const received = () =>
  events.map(
    ({ payload }) => (payload as { Peripherals: { PeripheralUID: string }[] }).Peripherals[0]?.PeripheralUID,
  )

it('passes on the messages of subscribed topics in their order, within and across batches', async () => {
  await connect()
  const uids = Array.from({ length: 200 }, (_, i) => `p${i}`)
  for (const uid of uids.slice(0, 100)) publish(uid)
  await expect.poll(() => events.length).toBe(100)
  for (const uid of uids.slice(100)) publish(uid)
  await expect.poll(received).toEqual(uids)
  expect(events[0]).toMatchObject({ channel: 'statusChange', params: { rootId, homeId: 'h1' } })
})

it('publishes after the broker has taken the message, and not at all without a connection', async () => {
  await expect(connection.publish('before', {})).rejects.toThrow('not connected')
  await connect()
  const taken: string[] = []
  broker.on('publish', ({ topic, payload }) => void taken.push(`${topic} ${payload.toString()}`))
  await connection.publish('own/topic', { Value: 1 })
  expect(taken).toContain('own/topic {"Value":1}')
  connection.stop()
  expect(connection.state.get()).toBe('ended')
  await expect(connection.publish('after', {})).rejects.toThrow('not connected')
})

it('leaves the broker when it is ended in a page without a worker', async () => {
  await connect()
  expect(broker.connectedClients).toBe(1)
  connection.stop()
  await expect.poll(() => broker.connectedClients).toBe(0)
})

it('keeps the other messages of a batch if the handler of one fails', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  startChannel({
    receive(event) {
      events.push(event)
      if (events.length === 1) throw new Error('handler')
    },
    ready: (afterGap) => void gaps.push(afterGap),
  })
  void connection.want([TOPIC])
  await expect.poll(() => gaps.length).toBe(1)
  publish('p1')
  publish('p2')
  await expect.poll(received).toEqual(['p1', 'p2'])
  expect(reported).toHaveBeenCalledTimes(1)
})

it('starts a failed worker again, subscribes again and has what was missed fetched', async () => {
  await connect()
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const pending = connection.publish('own/topic', {})
  failures[0]?.('out of memory')
  await expect(pending).rejects.toThrow('not connected')
  expect(connection.state.get()).toBe('error')
  expect(connection.nextAttemptAt.get()).toBeGreaterThan(Date.now())
  expect(warn).toHaveBeenCalledWith('The channel worker: out of memory')

  connection.retryNow()
  await expect.poll(() => gaps).toEqual([false, true])
  publish('p1')
  await expect.poll(received).toEqual(['p1'])
  expect(failures).toHaveLength(2)
})

it('reports credentials that the gateway refuses, and tries again later', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  server.use(unreachable(session.connectRealtime))
  startChannel({ receive: () => {}, ready: () => {} })
  await expect.poll(() => connection.state.get()).toBe('error')
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('The realtime channel'))
  expect(connection.nextAttemptAt.get()).toBeGreaterThan(Date.now())
})
