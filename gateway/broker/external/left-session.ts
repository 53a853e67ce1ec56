import type { IPublishPacket, Packet } from 'mqtt-packet'
import type { Clock } from '../../ports.ts'
import { dial } from './dial.ts'

export interface LeftSessionOptions {
  /** mqtt:// or mqtts://, with user name and password. */
  url: string
  clientId: string
  /** What the session may be subscribed to. */
  filters: readonly string[]
  /** Called for every message; `acknowledge` once it is stored. */
  onMessage(packet: IPublishPacket, acknowledge: () => void): void
  clock: Clock
  /** Ends the work. */
  signal: AbortSignal
}

/** After so long without a message a session has none left, in ms. */
const QUIET = 2_000

/**
 * Takes the messages of a session whose gateway is gone, and ends it: the broker would keep them for a day and then forget them.
 * First it is subscribed to nothing any more, so that no others come.
 *
 * returns  whether nothing is left; else another try must follow, and finds what was not acknowledged
 */
export function emptySession(options: LeftSessionOptions): Promise<boolean> {
  const { clock, signal } = options
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    let pending = 0
    let over = false
    let cancel = () => {}

    function take(packet: Packet): void {
      if (packet.cmd === 'connack') {
        if (packet.reasonCode) return void socket.destroy()
        if (!packet.sessionPresent) return end()
        write({ cmd: 'unsubscribe', messageId: 1, unsubscriptions: [...options.filters] })
      } else if (packet.cmd === 'unsuback') endSoon()
      else if (packet.cmd === 'publish') {
        cancel()
        pending += 1
        options.onMessage(packet, () => {
          if (packet.qos > 0) write({ cmd: 'puback', messageId: packet.messageId, reasonCode: 0 })
          pending -= 1
          endSoon()
        })
      }
    }

    function endSoon(): void {
      cancel()
      if (pending === 0) cancel = clock.after(QUIET, end)
    }

    function end(): void {
      over = true
      write({ cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 0 } })
      socket.end()
    }

    const { socket, write } = dial(new URL(options.url), options.clientId, take)
    const abort = () => socket.destroy()
    signal.addEventListener('abort', abort)
    // A close follows.
    socket.on('error', () => {})
    socket.once('close', () => {
      cancel()
      signal.removeEventListener('abort', abort)
      resolve(over)
    })
  })
}
