import type { Socket } from 'node:net'

/** Header that a proxy sends before the bytes of its client. */
export interface ProxyHeader {
  /** Address of the client; undefined if the connection is the proxy's own (its health check). */
  address: string | undefined
  /** Length of the header in bytes. */
  length: number
}

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
/** Maximum header of version 1, and maximum accepted of version 2, in bytes. */
const MAX_HEADER_BYTES = { v1: 107, v2: 16 + 2048 }
const HEADER_TIMEOUT_MS = 5_000

/**
 * Parses a PROXY header, version 1 or 2 (haproxy.org, proxy-protocol.txt).
 *
 * returns  undefined while incomplete; 'wrong' if it is no PROXY header
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | 'wrong' | undefined {
  const isVersion2 = bytes.subarray(0, 12).equals(SIGNATURE.subarray(0, Math.min(12, bytes.length)))
  if (isVersion2) return bytes.length < 16 ? undefined : readVersion2(bytes)
  if (!'PROXY '.startsWith(bytes.toString('latin1', 0, 6))) return 'wrong'
  const end = bytes.indexOf('\r\n')
  if (end < 0) return bytes.length >= MAX_HEADER_BYTES.v1 ? 'wrong' : undefined
  const [, family = '', source, , port, ...rest] = bytes.toString('latin1', 0, end).split(' ')
  if (family === 'UNKNOWN') return { address: undefined, length: end + 2 }
  const isComplete = /^TCP[46]$/.test(family) && source && port && rest.length === 1
  return isComplete && end + 2 <= MAX_HEADER_BYTES.v1 ? { address: source, length: end + 2 } : 'wrong'
}

function readVersion2(bytes: Buffer): ProxyHeader | 'wrong' | undefined {
  const command = bytes[12] as number
  const family = (bytes[13] as number) >> 4
  const length = 16 + bytes.readUInt16BE(14)
  if (command >> 4 !== 2 || length > MAX_HEADER_BYTES.v2) return 'wrong'
  if (bytes.length < length) return undefined
  // LOCAL command: a connection of the proxy itself.
  if ((command & 0xf) === 0) return { address: undefined, length }
  if ((command & 0xf) !== 1) return 'wrong'
  if (family === 1 && length >= 28) return { address: [...bytes.subarray(16, 20)].join('.'), length }
  if (family === 2 && length >= 52) {
    const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(16 + 2 * i).toString(16))
    return { address: groups.join(':'), length }
  }
  return family === 0 ? { address: undefined, length } : 'wrong'
}

/**
 * Consumes the PROXY header of a connection and leaves the following bytes unread. Closes the connection without an
 * answer if the header is wrong, incomplete or late.
 */
export function consumeProxyHeader(socket: Socket, onAddress: (address: string) => void): void {
  let bytes = Buffer.alloc(0)
  const timer = setTimeout(() => socket.destroy(), HEADER_TIMEOUT_MS)
  const stopReading = () => {
    clearTimeout(timer)
    socket.off('readable', read).off('error', reject).off('close', stopReading)
  }
  const reject = () => {
    stopReading()
    socket.destroy()
  }
  function read() {
    for (let chunk: Buffer | null; (chunk = socket.read() as Buffer | null) !== null;)
      bytes = Buffer.concat([bytes, chunk])
    const header = bytes.length > 0 ? parseProxyHeader(bytes) : undefined
    if (header === undefined) return
    if (header === 'wrong') return reject()
    stopReading()
    const rest = bytes.subarray(header.length)
    if (rest.length > 0) socket.unshift(rest)
    onAddress(header.address ?? socket.remoteAddress ?? '')
  }
  socket.on('readable', read).on('error', reject).on('close', stopReading)
}
