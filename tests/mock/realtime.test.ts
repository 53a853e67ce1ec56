import { generate, parser as createParser, type Packet } from 'mqtt-packet'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { channels } from '../../contract/index.ts'
import type { DeviceStatus } from '../../contract/devices/kinds/status.ts'
import { createLiving } from '../../mock/living.ts'
import { readPackets, createRealtime } from '../../mock/realtime.ts'
import { readSwitches } from '../../mock/switches.ts'
import { demoCompany } from '../../simulator/demo/demo.ts'

const AT = Date.UTC(2026, 10, 23, 3)
const [rootId, homeId] = ['root', 'home']
const light = demoCompany.homes
  .flatMap(({ hubs }) => hubs.flatMap(({ devices }) => devices))
  .find(({ PeripheralType }) => PeripheralType === '516')?.PeripheralUID as string

/** Packet as mqtt.js sends it. */
const bytesOf = (packet: Packet): Uint8Array => Uint8Array.from(generate(packet))

/** Connection of a page, and its received messages. */
function connect(text = '') {
  const switches = readSwitches(text)
  const living = createLiving({
    seed: 1,
    now: () => AT + performance.now(),
    fire: switches.fire,
    changed: (statuses) => realtime.changed(statuses),
  })
  const siteOf = new Map(living.all().map(({ PeripheralUID }) => [PeripheralUID, homeId]))
  const realtime = createRealtime({ rootId, living, switches, now: () => AT, siteOf })
  const told: Packet[] = []
  const parser = createParser()
  parser.on('packet', (packet) => told.push(packet))
  const connection = realtime.open((bytes) => parser.parse(Buffer.from(bytes)))
  const messages = <T>(topic: string): T[] =>
    told.flatMap((packet) =>
      packet.cmd === 'publish' && packet.topic === topic ? [JSON.parse(String(packet.payload)) as T] : [],
    )
  return { connection, told, messages }
}

const publish = (topic: string, payload: unknown) =>
  bytesOf({
    cmd: 'publish',
    topic,
    payload: JSON.stringify(payload),
    qos: 1,
    messageId: 7,
    dup: false,
    retain: false,
  })
const request = (values: object) =>
  publish(channels.controlRequest.topic({ rootId, homeId }), {
    RequestID: 'r1',
    PeripheralUID: light,
    Values: values,
  })
type Answer = { State: string; Reason: string | null }
const answers = channels.controlResponse.topic({ rootId, homeId })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the channel on recorded data', () => {
  it('speaks MQTT, however its bytes are cut', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.nat(200), (topic, payload, cut) => {
        const bytes = bytesOf({
          cmd: 'publish',
          topic,
          payload,
          qos: 1,
          messageId: 9,
          dup: false,
          retain: false,
        })
        const first = readPackets(bytes.subarray(0, cut))
        const second = readPackets(Uint8Array.from([...first.rest, ...bytes.subarray(cut)]))
        expect([...first.packets, ...second.packets]).toEqual([{ type: 'publish', topic, payload, id: 9 }])
      }),
    )
  })

  it('takes a connection, subscriptions and what is published', () => {
    const { connection, told } = connect()
    connection.take(
      bytesOf({ cmd: 'connect', clientId: 'c', protocolId: 'MQTT', protocolVersion: 4, clean: true }),
    )
    connection.take(
      bytesOf({
        cmd: 'subscribe',
        messageId: 3,
        subscriptions: [
          { topic: 'a', qos: 1 },
          { topic: 'b', qos: 1 },
        ],
      }),
    )
    connection.take(bytesOf({ cmd: 'pingreq' }))
    connection.take(publish('a/b', {}))
    expect(told.map(({ cmd }) => cmd)).toEqual(['connack', 'suback', 'pingresp', 'puback'])
  })

  it('tells every device of a site when it is asked', () => {
    const { connection, messages } = connect()
    connection.take(publish(channels.statusRequest.topic({ rootId, homeId }), { Timestamp: AT }))
    const statuses = messages<{ Peripherals: DeviceStatus[] }>(
      channels.status.topic({ rootId, homeId }),
    ).flatMap(({ Peripherals }) => Peripherals)
    expect(statuses.some(({ PeripheralUID }) => PeripheralUID === light)).toBe(true)
    for (const status of statuses) channels.status.payload.shape.Peripherals.element.parse(status)
  })

  it('sets a device, and says where the command stands', () => {
    const { connection, messages } = connect()
    connection.take(request({ Switch: 1 }))
    expect(messages<Answer>(answers).map(({ State }) => State)).toEqual(['accepted', 'sent'])
    vi.runAllTimers()
    expect(messages<Answer>(answers).at(-1)?.State).toBe('confirmed')
    const changes = messages<{ Peripherals: DeviceStatus[] }>(channels.statusChange.topic({ rootId, homeId }))
    const reported = changes
      .flatMap(({ Peripherals }) => Peripherals)
      .find((one) => one.PeripheralUID === light)
    expect(reported?.['Switch']).toBe(1)
  })

  it('fails a command that the device does not take, and every one while hubs are away', () => {
    const one = connect()
    one.connection.take(request({ Brightness: 1_000 }))
    expect(one.messages<Answer>(answers).at(-1)).toMatchObject({ State: 'failed', Reason: 'invalidValues' })
    const other = connect('hublost')
    other.connection.take(request({ Switch: 1 }))
    expect(other.messages<Answer>(answers).at(-1)).toMatchObject({ State: 'failed', Reason: 'hubOffline' })
  })
})
