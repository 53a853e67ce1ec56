import { EventEmitter } from 'node:events'
import type { IClientOptions, MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gatewayNow, updateGatewayClock } from '../../../src/lib/gateway-clock.ts'
import {
  CONNECT_TIMEOUT_MS,
  MAX_PAUSE_MS,
  pauseBefore,
  RENEW_BEFORE_MS,
  timeoutOf,
} from '../../../src/live/connection-machine.ts'
import { createConnection } from '../../../src/live/connection.ts'
import { FIRST_CONNECT_TIMEOUT_MS, firstAttemptEnded } from '../../../src/live/reach.ts'

/** Fake mqtt.js client with the parts that the connection uses, controlled by the test. */
class FakeClient extends EventEmitter {
  connected = false
  ended = false
  readonly subscribed: string[][] = []
  readonly unsubscribed: string[][] = []
  readonly published: { topic: string; payload: string }[] = []
  readonly options: IClientOptions
  constructor(options: IClientOptions) {
    super()
    this.options = options
  }
  subscribe(
    topics: string[],
    _: object,
    done: (error: null, granted: { topic: string; qos: number }[]) => void,
  ) {
    this.subscribed.push(topics)
    done(
      null,
      topics.map((topic) => ({ topic, qos: 1 })),
    )
  }
  unsubscribe(topics: string[]) {
    this.unsubscribed.push(topics)
  }
  publishAsync(topic: string, payload: string) {
    this.published.push({ topic, payload })
    return Promise.resolve()
  }
  end() {
    this.ended = true
    this.connected = false
  }
  open() {
    this.connected = true
    this.emit('connect')
  }
  drop() {
    this.connected = false
    this.emit('close')
  }
}

function setUp() {
  const clients: FakeClient[] = []
  let issued = 0
  const credentials = vi.fn(() =>
    Promise.resolve({
      Url: 'ws://gateway/mqtt',
      ClientID: `c${++issued}`,
      Username: 'u',
      Password: `secret${issued}`,
      ExpiresAt: Date.now() + 3_600_000,
      Now: Date.now(),
    }),
  )
  const [receive, ready, failed] = [vi.fn(), vi.fn(), vi.fn()]
  const connection = createConnection({
    connect: (_url: string, options: IClientOptions) => {
      const client = new FakeClient(options)
      clients.push(client)
      return client as unknown as MqttClient
    },
    credentials,
    receive,
    ready,
    failed,
    random: () => 1,
  })
  const settle = () => vi.advanceTimersByTimeAsync(0)
  const up = async () => {
    connection.start()
    await settle()
    clients[0]?.open()
    await settle()
  }
  return { connection, clients, credentials, receive, ready, failed, settle, up }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('backoff delays', () => {
  it('double from a second up to half an hour, with 50 % jitter', () => {
    expect([0, 1, 2, 30].map((attempt) => pauseBefore(attempt, 1))).toEqual([1000, 2000, 4000, MAX_PAUSE_MS])
    expect(pauseBefore(2, 0)).toBe(2000)
    expect(MAX_PAUSE_MS).toBe(1_800_000)
  })

  it('give the first attempt the specified second, and later ones more', () => {
    expect(timeoutOf(0)).toBe(CONNECT_TIMEOUT_MS)
    expect(CONNECT_TIMEOUT_MS).toBe(1000)
    expect(timeoutOf(20)).toBe(16_000)
  })
})

describe('the realtime connection', () => {
  it('uses protocol 4, subscribes in batches of six, and queues nothing while offline', async () => {
    const { connection, clients, settle } = setUp()
    connection.start()
    await settle()
    expect(clients[0]?.options).toMatchObject({
      protocolVersion: 4,
      subscribeBatchSize: 6,
      queueQoSZero: false,
      clientId: 'c1',
      password: 'secret1',
      connectTimeout: 1000,
    })
  })

  it('is connected only once its topics are subscribed', async () => {
    const { connection, clients, ready, up } = setUp()
    void connection.want(['a', 'b'])
    expect(connection.state.get()).toBe('idle')
    await up()
    expect(clients[0]?.subscribed).toEqual([['a', 'b']])
    expect(connection.state.get()).toBe('connected')
    expect(ready.mock.calls).toEqual([[false]])
  })

  it('subscribes to new topics and unsubscribes from removed ones', async () => {
    const { connection, clients, up } = setUp()
    void connection.want(['a', 'b'])
    await up()
    await connection.want(['b', 'c'])
    expect(clients[0]?.subscribed).toEqual([['a', 'b'], ['c']])
    expect(clients[0]?.unsubscribed).toEqual([['a']])
  })

  it('delivers messages and reports invalid JSON', async () => {
    const { clients, receive, failed, up } = setUp()
    await up()
    clients[0]?.emit('message', 't', Buffer.from('{"x":1}'))
    clients[0]?.emit('message', 't', Buffer.from('{oops'))
    expect(receive).toHaveBeenCalledExactlyOnceWith('t', { x: 1 })
    expect(failed).toHaveBeenCalledTimes(1)
  })

  it('reconnects by itself and subscribes again', async () => {
    const { connection, clients, ready, settle, up } = setUp()
    void connection.want(['a'])
    await up()
    clients[0]?.drop()
    expect(connection.state.get()).toBe('reconnecting')
    await vi.advanceTimersByTimeAsync(1000)
    clients[1]?.open()
    await settle()
    expect(connection.state.get()).toBe('connected')
    expect(clients[1]?.subscribed).toEqual([['a']])
    // Events during the disconnect were not received.
    expect(ready.mock.calls).toEqual([[false], [true]])
  })

  it('backs off after each failure, and resets after a success', async () => {
    const { connection, clients, settle, up } = setUp()
    await up()
    clients[0]?.drop()
    await vi.advanceTimersByTimeAsync(1000)
    clients[1]?.drop()
    await vi.advanceTimersByTimeAsync(1999)
    expect(clients).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(clients).toHaveLength(3)
    clients[2]?.open()
    await settle()
    clients[2]?.drop()
    await vi.advanceTimersByTimeAsync(1000)
    expect(clients).toHaveLength(4)
    connection.stop()
  })

  it('reconnects after a sleep, but not for merely slow timers', async () => {
    const { connection, clients, ready, settle, up } = setUp()
    void connection.want(['a'])
    await up()
    vi.setSystemTime(Date.now() + 61_000)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(clients).toHaveLength(1)
    vi.setSystemTime(Date.now() + 3_600_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(connection.state.get()).toBe('reconnecting')
    expect(clients[0]?.ended).toBe(true)
    clients[0]?.drop()
    clients[1]?.open()
    await settle()
    expect(connection.state.get()).toBe('connected')
    expect(clients[1]?.subscribed).toEqual([['a']])
    expect(ready).toHaveBeenCalledTimes(2)
    connection.stop()
  })

  it("keeps credentials for the gateway's lifetime on a device whose clock is a day ahead", async () => {
    const { clients, credentials, connection, settle } = setUp()
    const wrong = Date.now() + 86_400_000
    vi.setSystemTime(wrong)
    updateGatewayClock(new Date(wrong - 86_400_000).toUTCString(), wrong)
    credentials.mockImplementation(() =>
      Promise.resolve({
        Url: 'ws://gateway/mqtt',
        ClientID: 'c1',
        Username: 'u',
        Password: 'secret',
        ExpiresAt: gatewayNow() + 3_600_000,
        Now: gatewayNow(),
      }),
    )
    connection.start()
    await settle()
    clients[0]?.open()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(credentials).toHaveBeenCalledTimes(1)
    expect(clients).toHaveLength(1)
    connection.stop()
    updateGatewayClock(new Date().toUTCString(), Date.now())
  })

  it('rejects a publish while offline', async () => {
    const { connection, clients, up } = setUp()
    await expect(connection.publish('t', {})).rejects.toThrow('not connected')
    await up()
    await connection.publish('t', { a: 1 })
    expect(clients[0]?.published).toEqual([{ topic: 't', payload: '{"a":1}' }])
    clients[0]?.drop()
    await expect(connection.publish('t', {})).rejects.toThrow('not connected')
  })

  it('buffers a command while the page first connects, and no longer', async () => {
    const { connection, clients, settle } = setUp()
    const told = vi.fn()
    connection.start()
    void firstAttemptEnded(connection.state).then(told)
    await settle()
    expect(told).not.toHaveBeenCalled()
    clients[0]?.open()
    await settle()
    expect(told).toHaveBeenCalledOnce()
    clients[0]?.drop()
    await expect(firstAttemptEnded(connection.state)).resolves.toBeUndefined()
  })

  it('does not keep a command for a connection that fails', async () => {
    const { connection } = setUp()
    const told = vi.fn()
    void firstAttemptEnded(connection.state).then(told)
    await vi.advanceTimersByTimeAsync(FIRST_CONNECT_TIMEOUT_MS - 1)
    expect(told).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(told).toHaveBeenCalledOnce()
  })

  it('renews its credentials when 300 seconds remain, without a gap', async () => {
    const { connection, clients, credentials, ready, settle, up } = setUp()
    void connection.want(['a'])
    await up()
    await vi.advanceTimersByTimeAsync(3_600_000 - RENEW_BEFORE_MS - 1000)
    expect(credentials).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(credentials).toHaveBeenCalledTimes(2)
    expect(clients[0]?.ended).toBe(false)
    expect(connection.state.get()).toBe('connected')
    clients[1]?.open()
    await settle()
    expect(clients[0]?.ended).toBe(true)
    expect(clients[1]?.options.clientId).toBe('c2')
    expect(clients[1]?.subscribed).toEqual([['a']])
    expect(ready.mock.calls).toEqual([[false], [false]])
    await connection.publish('t', {})
    expect(clients[1]?.published).toHaveLength(1)
  })

  it('requests new credentials after the broker has rejected the old', async () => {
    const { connection, clients, credentials, settle } = setUp()
    connection.start()
    await settle()
    clients[0]?.emit('error', Object.assign(new Error('Not authorized'), { code: 5 }))
    clients[0]?.drop()
    await vi.advanceTimersByTimeAsync(1000)
    expect(credentials).toHaveBeenCalledTimes(2)
  })

  it('keeps retrying if the credentials cannot be loaded', async () => {
    const { connection, clients, credentials, settle } = setUp()
    credentials.mockRejectedValueOnce(new Error('503'))
    connection.start()
    await settle()
    expect(connection.state.get()).toBe('error')
    await vi.advanceTimersByTimeAsync(1000)
    expect(clients).toHaveLength(1)
  })

  it('retries at once on request', async () => {
    const { connection, clients, settle, up } = setUp()
    await up()
    clients[0]?.drop()
    connection.retryNow()
    await settle()
    expect(clients).toHaveLength(2)
  })

  it('stops permanently', async () => {
    const { connection, clients, up } = setUp()
    await up()
    connection.stop()
    clients[0]?.drop()
    await vi.advanceTimersByTimeAsync(MAX_PAUSE_MS * 2)
    expect(clients).toHaveLength(1)
    expect(clients[0]?.ended).toBe(true)
    expect(connection.state.get()).toBe('ended')
  })
})
