import { once } from 'node:events'
import type { Socket } from 'node:net'
import { generate, type IPublishPacket, type Packet } from 'mqtt-packet'
import { GatewayError } from '../../errors.ts'
import type { Clock, Log } from '../../ports.ts'
import { dial, type Dialled, KEEPALIVE } from './dial.ts'

export interface LinkOptions {
  /** mqtt:// or mqtts://, with user name and password. */
  url: string
  clientId: string
  /** Where the broker's own answers come; listened to first. */
  answers: string
  /** Prepares the broker after each connection, with `urgent` publishes; then the filters are subscribed. */
  prepare(): Promise<void>
  /** Filters the gateway listens to, shared ones too. */
  filters: readonly string[]
  /** Filters that an earlier session may have left. */
  dropped: readonly string[]
  /** Called for every message; `acknowledge` once it is stored. */
  onMessage(packet: IPublishPacket, acknowledge: () => void): void
  /** Called after each connection is ready. */
  onReady(): void
  clock: Clock
  log: Log
}

/** Own messages on their way at a time, and in line behind them. */
const WINDOW = 500
const LINE = 50_000
const BACK_OFF = { first: 250, longest: 5_000 }

interface Outgoing {
  /** Goes out at once or not at all, before the broker is prepared. */
  urgent: boolean
  packet: IPublishPacket
  resolve(): void
  reject(error: Error): void
}

/**
 * The gateway's own MQTT 5 connection to an outside broker. Unlike common clients it acknowledges a message when it is
 * told to, not when it arrives; what is not acknowledged the broker sends again. Reconnects by itself, with a growing
 * and scattered pause, and sends again what was not acknowledged to it.
 */
export function createLink(options: LinkOptions) {
  const { clock, log } = options
  const url = new URL(options.url)
  let { clientId } = options
  const flying = new Map<number, Outgoing>()
  const line: Outgoing[] = []
  let socket: Socket | undefined
  /** Connected, and the broker's answers come. */
  let connected = false
  /** Prepared too: messages flow. */
  let ready = false
  let closed = false
  let endOfFirstTry = () => {}
  const tried = new Promise<void>((resolve) => (endOfFirstTry = resolve))
  let pause = BACK_OFF.first
  let messageId = 0
  let heard = 0
  let cancelTimer = () => {}
  /** The most the broker takes at a time. */
  let window = WINDOW

  let write: Dialled['write'] = () => {}

  function open() {
    const dialled = dial(url, clientId, (packet) => dialled.socket === socket && take(packet))
    const current = dialled.socket
    socket = current
    write = dialled.write
    current.on('data', () => (heard = clock.now()))
    let failure: Error | undefined
    current.on('error', (error) => (failure = error))
    current.once('close', () => {
      if (current !== socket) return
      // Preparing may end a connection; then the next one decides.
      if (!connected || closed) endOfFirstTry()
      ready = false
      connected = false
      for (const [id, { urgent, reject }] of flying)
        if (urgent) {
          flying.delete(id)
          reject(new Error('The connection ended'))
        }
      cancelTimer()
      if (closed) return
      log.warn({ err: failure, pause }, 'The outside broker is away')
      cancelTimer = clock.after(pause * (0.5 + Math.random()), open)
      pause = Math.min(pause * 2, BACK_OFF.longest)
    })
  }

  function take(packet: Packet) {
    if (packet.cmd === 'connack') {
      if (packet.reasonCode)
        return void socket?.destroy(new Error(`The broker refused: ${packet.reasonCode}`))
      window = Math.min(WINDOW, packet.properties?.receiveMaximum ?? WINDOW)
      subscribe([options.answers])
    } else if (packet.cmd === 'suback') {
      if (packet.granted.some((code) => Number(code) >= 128))
        return void socket?.destroy(new Error('The broker does not let the gateway subscribe'))
      if (connected) becomeReady()
      else becomeConnected()
    } else if (packet.cmd === 'publish') {
      const from = socket
      const { messageId: id } = packet
      options.onMessage(packet, () => {
        // On a new connection the broker sends it again, under whatever number.
        if (packet.qos > 0 && from === socket) write({ cmd: 'puback', messageId: id, reasonCode: 0 })
      })
    } else if (packet.cmd === 'puback') {
      const sent = flying.get(packet.messageId ?? 0)
      if (!sent) return
      flying.delete(packet.messageId ?? 0)
      if ((packet.reasonCode ?? 0) >= 128)
        sent.reject(new Error(`The broker refused a message: ${packet.reasonCode}`))
      else sent.resolve()
      flush()
    }
  }

  function subscribe(filters: readonly string[]) {
    const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const }))
    write({ cmd: 'subscribe', messageId: nextId(), subscriptions })
  }

  function becomeConnected() {
    connected = true
    heard = clock.now()
    ping()
    const current = socket
    options.prepare().then(
      () => {
        if (current !== socket) return
        if (options.dropped.length)
          write({ cmd: 'unsubscribe', messageId: nextId(), unsubscriptions: [...options.dropped] })
        subscribe(options.filters)
      },
      (error: Error) => current?.destroy(error),
    )
  }

  function becomeReady() {
    ready = true
    pause = BACK_OFF.first
    for (const { packet } of flying.values()) write({ ...packet, dup: true })
    options.onReady()
    flush()
    endOfFirstTry()
  }

  function ping() {
    cancelTimer()
    cancelTimer = clock.after((KEEPALIVE * 1000) / 2, () => {
      // Heard in the future: the clock was set back, and silence counts from now on.
      heard = Math.min(heard, clock.now())
      if (clock.now() - heard > KEEPALIVE * 1500)
        return void socket?.destroy(new Error('The broker is silent'))
      write({ cmd: 'pingreq' })
      ping()
    })
  }

  function nextId(): number {
    do messageId = (messageId % 65_535) + 1
    while (flying.has(messageId))
    return messageId
  }

  function flush() {
    if (!ready) return
    for (const next of line.splice(0, Math.max(0, window - flying.size))) launch(next)
  }

  function launch(next: Outgoing) {
    next.packet.messageId = nextId()
    flying.set(next.packet.messageId, next)
    write(next.packet)
  }

  return {
    /** Begins to connect; resolves when it is connected or the first try failed. */
    start(): Promise<void> {
      open()
      return tried
    },

    /**
     * QoS 0 goes out now or not at all; QoS 1 resolves when the broker has it, `urgent` on this connection or never.
     *
     * errors    UNAVAILABLE when too many wait already, or the broker refuses
     */
    publish(topic: string, payload: Buffer, qos: 0 | 1, urgent = false): Promise<void> {
      const packet: IPublishPacket = { cmd: 'publish', topic, payload, qos, retain: false, dup: false }
      if (qos === 0) {
        if (ready) write(packet)
        return Promise.resolve()
      }
      if (line.length >= LINE || (urgent && !connected))
        return Promise.reject(new GatewayError('UNAVAILABLE', 'The broker is away'))
      return new Promise((resolve, reject) => {
        const refuse = (cause: Error) =>
          reject(new GatewayError('UNAVAILABLE', cause.message, undefined, { cause }))
        const next = { packet, urgent, resolve, reject: refuse }
        if (urgent) return launch(next)
        line.push(next)
        flush()
      })
    },

    /** Goes on under another name, as a session of its own; what it has not told the broker yet it tells there. */
    rename(name: string): void {
      clientId = name
      socket?.destroy(new Error('The gateway has another name'))
    },

    ready: () => ready,

    async close(): Promise<void> {
      closed = true
      cancelTimer()
      const last = new Error('The gateway ends')
      for (const { reject } of [...flying.values(), ...line.splice(0)]) reject(last)
      if (!socket || socket.destroyed) return
      const gone = once(socket, 'close')
      if (ready) socket.end(generate({ cmd: 'disconnect', reasonCode: 0 }, { protocolVersion: 5 }))
      else socket.destroy()
      await gone
    },
  }
}

export type Link = ReturnType<typeof createLink>
