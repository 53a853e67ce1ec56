import { channels } from '../contract/index.ts'
import type { DeviceStatus } from '../contract/devices/kinds/status.ts'
import type { Living } from './living.ts'
import type { Switches } from './switches.ts'

/** The packets of MQTT 3.1.1 that screens and broker exchange (OASIS MQTT Version 3.1.1, section 3). */
type Packet =
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

const connack = (): Uint8Array => packet(0x20, [0, 0])
const puback = (id: number): Uint8Array => packet(0x40, uint16(id))
const suback = (id: number, topics: number): Uint8Array =>
  packet(
    0x90,
    uint16(id),
    Array.from({ length: topics }, () => 1),
  )
const unsuback = (id: number): Uint8Array => packet(0xb0, uint16(id))
const pingresp = (): Uint8Array => packet(0xd0)
/** A message of QoS 0. */
function publish(topic: string, payload: unknown): Uint8Array {
  const name = encoder.encode(topic)
  return packet(0x30, uint16(name.length), name, encoder.encode(JSON.stringify(payload)))
}

const { controlRequest, controlResponse, automationRun, shadowGet, shadowGetAccepted } = channels
const { status, statusChange, statusRequest } = channels
/** Maximum number of devices in one answer, as in the gateway. */
const CHUNK_SIZE = 200

interface RealtimeOptions {
  rootId: string
  living: Living
  switches: Switches
  now(): number
  /** HomeID of each device, by PeripheralUID. */
  siteOf: ReadonlyMap<string, string>
}

/** The gateway's side of the realtime channel, for each connection of the page. */
export function createRealtime({ rootId, living, switches, now, siteOf }: RealtimeOptions) {
  const connections = new Set<(bytes: Uint8Array) => void>()
  const tell = (topic: string, payload: unknown) => {
    for (const send of connections) send(publish(topic, payload))
  }

  function statuses(list: readonly DeviceStatus[], topic: (homeId: string) => string): void {
    if (switches.hublost) return
    const bySite = new Map<string, DeviceStatus[]>()
    for (const one of list) {
      const homeId = siteOf.get(one.PeripheralUID)
      if (homeId) bySite.set(homeId, [...(bySite.get(homeId) ?? []), one])
    }
    for (const [homeId, Peripherals] of bySite)
      for (let i = 0; i < Peripherals.length; i += CHUNK_SIZE)
        tell(topic(homeId), { Peripherals: Peripherals.slice(i, i + CHUNK_SIZE) })
  }

  /** Answers a command to a device; the mock does not execute groups, scenes and rooms. */
  function control(homeId: string, payload: unknown): void {
    const { RequestID, PeripheralUID, Values } = controlRequest.payload.parse(payload)
    if (PeripheralUID === undefined) {
      tell(automationRun.topic({ rootId, homeId }), {
        RunID: RequestID,
        AutomationID: null,
        SceneID: null,
        State: 'refused',
        Reason: 'notApplicable',
        Actions: { confirmed: 0, failed: 0, open: 0 },
        Timestamp: now(),
      })
      return
    }
    const answer = (State: string, Reason: string | null = null) =>
      tell(controlResponse.topic({ rootId, homeId }), {
        RequestID,
        HomeID: homeId,
        PeripheralUID,
        State,
        Reason,
        Values: Values ?? {},
        Timestamp: now(),
      })
    answer('accepted')
    if (switches.hublost) return answer('failed', 'hubOffline')
    if (living.command(PeripheralUID, Values, () => answer('confirmed'))) answer('sent')
    else answer('failed', 'invalidValues')
  }

  function onMessage(topic: string, payload: unknown): void {
    const request = statusRequest.match(topic)
    if (request)
      statuses(
        living.all().filter((one) => siteOf.get(one.PeripheralUID) === request.homeId),
        (homeId) => status.topic({ rootId, homeId }),
      )
    const commanded = controlRequest.match(topic)
    if (commanded) control(commanded.homeId, payload)
    const shadow = shadowGet.match(topic)
    if (shadow)
      tell(shadowGetAccepted.topic(shadow), {
        state: { reported: { online: !switches.hublost, Timestamp: now() } },
        version: 1,
        timestamp: Math.floor(now() / 1000),
      })
  }

  function onPacket(packet: Packet, send: (bytes: Uint8Array) => void): void {
    switch (packet.type) {
      case 'connect':
        return send(connack())
      case 'pingreq':
        return send(pingresp())
      case 'subscribe':
        return send(suback(packet.id, packet.topics.length))
      case 'unsubscribe':
        return send(unsuback(packet.id))
      case 'publish':
        if (packet.id !== undefined) send(puback(packet.id))
        return onMessage(packet.topic, JSON.parse(packet.payload))
      default:
    }
  }

  return {
    changed: (list: readonly DeviceStatus[]) =>
      statuses(list, (homeId) => statusChange.topic({ rootId, homeId })),
    /** Accepts a connection of a page; returns its receiver of bytes. */
    open(send: (bytes: Uint8Array) => void): { take(bytes: Uint8Array): void; close(): void } {
      connections.add(send)
      let rest = new Uint8Array()
      return {
        take(bytes) {
          const read = readPackets(Uint8Array.from([...rest, ...bytes]))
          rest = Uint8Array.from(read.rest)
          for (const packet of read.packets) onPacket(packet, send)
        },
        close: () => void connections.delete(send),
      }
    },
  }
}
