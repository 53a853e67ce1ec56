/** The packets of MQTT 3.1.1 that screens and broker exchange (OASIS MQTT Version 3.1.1, section 3). */
export type Packet =
  | { type: 'connect' | 'pingreq' | 'disconnect' }
  | { type: 'publish'; topic: string; payload: string; id: number | undefined }
  | { type: 'subscribe' | 'unsubscribe'; id: number; topics: string[] }

const TYPES: Readonly<Record<number, Packet['type']>> = {
  1: 'connect',
  3: 'publish',
  8: 'subscribe',
  10: 'unsubscribe',
  12: 'pingreq',
  14: 'disconnect',
}
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

/** Parses complete packets from the received bytes; returns them and the bytes of an incomplete packet. */
export function readPackets(bytes: Uint8Array): { packets: Packet[]; rest: Uint8Array } {
  const packets: Packet[] = []
  let at = 0
  for (;;) {
    const header = lengthAt(bytes, at + 1)
    if (!header || header.end + header.length > bytes.length) return { packets, rest: bytes.subarray(at) }
    const body = bytes.subarray(header.end, header.end + header.length)
    const packet = readBody(bytes[at] as number, body)
    if (packet) packets.push(packet)
    at = header.end + header.length
  }
}

function readBody(first: number, body: Uint8Array): Packet | undefined {
  const type = TYPES[first >> 4]
  const view = new DataView(body.buffer, body.byteOffset, body.length)
  const text = (at: number) => decoder.decode(body.subarray(at + 2, at + 2 + view.getUint16(at)))
  switch (type) {
    case 'publish': {
      const end = 2 + view.getUint16(0)
      const hasId = ((first >> 1) & 3) > 0
      const payload = decoder.decode(body.subarray(end + (hasId ? 2 : 0)))
      return { type, topic: text(0), payload, id: hasId ? view.getUint16(end) : undefined }
    }
    case 'subscribe':
    case 'unsubscribe': {
      const topics: string[] = []
      for (let at = 2; at < body.length; at += 2 + view.getUint16(at) + (type === 'subscribe' ? 1 : 0))
        topics.push(text(at))
      return { type, id: view.getUint16(0), topics }
    }
    case undefined:
      return undefined
    default:
      return { type }
  }
}

/** The remaining length, in one to four bytes of seven bits. */
function lengthAt(bytes: Uint8Array, from: number): { length: number; end: number } | undefined {
  let length = 0
  for (let i = 0; i < 4 && from + i < bytes.length; i++) {
    const byte = bytes[from + i] as number
    length += (byte & 127) * 128 ** i
    if (byte < 128) return { length, end: from + i + 1 }
  }
  return undefined
}

function packet(first: number, ...parts: (number[] | Uint8Array)[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head = [first]
  for (let rest = length; ;) {
    const byte = rest % 128
    rest = Math.floor(rest / 128)
    head.push(rest > 0 ? byte | 128 : byte)
    if (rest === 0) break
  }
  return Uint8Array.from([...head, ...parts.flatMap((part) => [...part])])
}

const uint16 = (value: number): number[] => [value >> 8, value & 255]

export const connack = (): Uint8Array => packet(0x20, [0, 0])
export const puback = (id: number): Uint8Array => packet(0x40, uint16(id))
export const suback = (id: number, topics: number): Uint8Array =>
  packet(
    0x90,
    uint16(id),
    Array.from({ length: topics }, () => 1),
  )
export const unsuback = (id: number): Uint8Array => packet(0xb0, uint16(id))
export const pingresp = (): Uint8Array => packet(0xd0)
/** A message of QoS 0. */
export function publish(topic: string, payload: unknown): Uint8Array {
  const name = encoder.encode(topic)
  return packet(0x30, uint16(name.length), name, encoder.encode(JSON.stringify(payload)))
}
