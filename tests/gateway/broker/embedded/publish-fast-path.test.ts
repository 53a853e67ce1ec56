import type { EventEmitter } from 'node:events'
import type { Client as Connection } from 'aedes'
import fc from 'fast-check'
import { generate, type IPublishPacket, type Packet, parser as createParser } from 'mqtt-packet'
import { expect, it } from 'vitest'
import { openPublishFastPath, type Publish } from '../../../../gateway/broker/embedded/publish-fast-path.ts'

const KNOWN = 'company/home/meter/report'
const publish = (parts: Partial<IPublishPacket> = {}): IPublishPacket => ({
  cmd: 'publish',
  topic: KNOWN,
  payload: 'x',
  qos: 1,
  retain: false,
  dup: false,
  messageId: 7,
  ...parts,
})

/** Connection like those of aedes that records its calls. */
function rig({ longest = 1000 } = {}) {
  const log: string[] = []
  const written: Buffer[] = []
  const done: (() => void)[] = []
  let full = false
  let drained = () => {}
  const parser = createParser()
  const say = (packet: Pick<Publish, 'topic' | 'payload'>) => `${packet.topic} ${packet.payload.toString()}`
  parser.on('packet', (packet: Packet) =>
    log.push(`aedes ${packet.cmd === 'publish' ? say(packet as Publish) : packet.cmd}`),
  )
  const connection = {
    closed: false,
    connackSent: true,
    conn: {
      write(bytes: Buffer) {
        written.push(bytes)
        return !full
      },
    },
    waitForDrain: (then: () => void) => void (drained = then),
    _parser: parser,
    _parsingBatch: 0,
    _nextBatch: () => void connection._parsingBatch--,
    _keepaliveInterval: 0,
    _keepaliveTimer: null,
  }
  openPublishFastPath(
    connection as unknown as Connection,
    () => longest,
    (message, acknowledge) => {
      if (message.topic !== KNOWN) return false
      log.push(`short ${say(message)}`)
      done.push(acknowledge)
      return true
    },
  )
  return {
    connection,
    log,
    done,
    written,
    acknowledged: () => {
      const ids: number[] = []
      const reader = createParser()
      ;(reader as EventEmitter).on('packet', (packet: Packet) => ids.push(packet.messageId ?? 0))
      for (const bytes of written) reader.parse(bytes)
      return ids
    },
    receive: (...packets: Packet[]) => void parser.parse(Buffer.concat(packets.map((one) => generate(one)))),
    fill: (is: boolean) => void (full = is),
    drain: () => drained(),
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('handles plain publishes to known topics and leaves others to aedes, in any fragmentation', () => {
  const packet = fc.oneof(
    fc.record({
      topic: fc.constantFrom(KNOWN, 'company/home/status/report', '台/a'),
      payload: fc.string({ maxLength: 200 }),
      qos: fc.constantFrom(0 as const, 1 as const),
      retain: fc.boolean(),
    }),
    fc.constant('pingreq' as const),
  )
  const cuts = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 12 }), cuts, (packets, lengths) => {
      const { connection, log } = rig()
      const bytes = Buffer.concat(
        packets.map((one) => generate(one === 'pingreq' ? { cmd: one } : publish(one))),
      )
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const length = lengths[i % lengths.length] as number
        connection._parser.parse(bytes.subarray(at, at + length))
        at += length
      }
      expect(log.map((line) => line.replace(/^\w+ /, ''))).toEqual(
        packets.map((one) => (one === 'pingreq' ? one : `${one.topic} ${one.payload}`)),
      )
      expect(log.filter((line) => line.startsWith('short') && !line.includes(KNOWN))).toEqual([])
    }),
  )
})

it('handles all of them if they come whole', () => {
  const { log, receive } = rig()
  receive(publish({ payload: '1' }), publish({ payload: '2', dup: true }), publish({ payload: '3', qos: 0 }))
  expect(log).toEqual([`short ${KNOWN} 1`, `short ${KNOWN} 2`, `short ${KNOWN} 3`])
})

it.each([
  ['that is to be kept', publish({ retain: true })],
  ['of QoS 2', publish({ qos: 2 })],
  ['that is too long', publish({ payload: 'x'.repeat(1001) })],
])('leaves a publish %s to aedes', (_, packet) => {
  const { log, receive } = rig()
  receive(packet)
  expect(log.filter((line) => line.startsWith('short'))).toEqual([])
})

it('leaves everything to aedes before the CONNACK', () => {
  const { connection, log, receive } = rig()
  connection.connackSent = false
  receive(publish())
  expect(log).toEqual([`aedes ${KNOWN} x`])
})

it('acknowledges finished packets by id in one write, and nothing of QoS 0', async () => {
  const { acknowledged, connection, done, receive, written } = rig()
  receive(publish({ messageId: 300 }), publish({ qos: 0 }), publish({ messageId: 301 }))
  expect(connection._parsingBatch).toBe(3)
  await turn()
  expect(written).toEqual([])
  for (const settle of done) settle()
  await turn()
  expect(acknowledged()).toEqual([300, 301])
  expect(written).toHaveLength(1)
  expect(connection._parsingBatch).toBe(0)
})

it('reads on only when the sender accepts its acknowledgements', async () => {
  const { connection, done, drain, fill, receive } = rig()
  fill(true)
  receive(publish())
  done[0]?.()
  await turn()
  expect(connection._parsingBatch).toBe(1)
  drain()
  expect(connection._parsingBatch).toBe(0)
})

it('acknowledges nothing to a closed connection', async () => {
  const { connection, done, receive, written } = rig()
  receive(publish())
  connection.closed = true
  done[0]?.()
  await turn()
  expect(written).toEqual([])
})
