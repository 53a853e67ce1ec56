import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { generate, type Packet, parser } from 'mqtt-packet'

/** Longest silence on a connection, in s. */
export const KEEPALIVE = 30
/** Messages the broker may send before the first of them is stored. */
const RECEIVE_MAXIMUM = 2_000
/** The session outlives the gateway for so long, and with it what was not stored (s). */
const SESSION = 24 * 3600

/** A connection to an outside broker, which says who it is once it is open. */
export interface Dialled {
  socket: Socket
  /** What cannot be sent any more is not acknowledged: the broker sends again, or is sent it again. */
  write(packet: Packet): void
}

/**
 * Opens an MQTT 5 connection in a lasting session.
 *
 * url   mqtt:// or mqtts://, with user name and password
 * take  hears every packet
 */
export function dial(url: URL, clientId: string, take: (packet: Packet) => void): Dialled {
  const secure = url.protocol === 'mqtts:' || url.protocol === 'ssl:'
  const at = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 8883 : 1883)),
  }
  const socket = secure ? connectTls({ ...at, servername: at.host }) : connectTcp(at)
  const write = (packet: Packet) => {
    if (socket.writable) socket.write(generate(packet, { protocolVersion: 5 }))
  }
  const parse = parser({ protocolVersion: 5 })
  parse.on('packet', take)
  parse.on('error', (error: Error) => socket.destroy(error))
  socket.setNoDelay(true)
  socket.once(secure ? 'secureConnect' : 'connect', () =>
    write({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 5,
      clean: false,
      clientId,
      keepalive: KEEPALIVE,
      username: decodeURIComponent(url.username),
      password: Buffer.from(decodeURIComponent(url.password)),
      properties: { sessionExpiryInterval: SESSION, receiveMaximum: RECEIVE_MAXIMUM },
    }),
  )
  socket.on('data', (bytes: Buffer) => parse.parse(bytes))
  return { socket, write }
}
