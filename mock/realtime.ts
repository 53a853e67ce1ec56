import { channels } from '../contract/index.ts'
import type { DeviceStatus } from '../contract/devices/kinds/status.ts'
import { connack, pingresp, puback, publish, readPackets, suback, unsuback, type Packet } from './packets.ts'
import type { Living } from './living.ts'
import type { Switches } from './switches.ts'

const { controlRequest, controlResponse, automationRun, shadowGet, shadowGetAccepted } = channels
const { status, statusChange, statusRequest } = channels
/** Maximum number of devices in one answer, as in the gateway. */
const CHUNK_SIZE = 200

export interface RealtimeOptions {
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
