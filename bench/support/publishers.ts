/**
 * Hubs that only publish readings: each keeps a number of them in flight and sends the next at each
 * acknowledgement. Uses raw packets, so that this process needs as little CPU as possible.
 */
import { connect, type Socket } from 'node:net'
import { generate, parser as createParser } from 'mqtt-packet'
import type { FleetHub } from '../../simulator/building/building.ts'
import { hubMessages } from '../../device-link/hub-messages.ts'
import { serveParent } from './child.ts'

/** Connects hubs, or makes the connected ones send `readings` in all. */
export type Question = { connect: string; hubs: FleetHub[] } | { readings: number; window: number }
/** Readings per second. */
export type Answer = { rate: number }

interface Hub {
  socket: Socket
  next(): string
  topic: string
  acknowledged: () => void
}

let hubs: Hub[] = []
let lastTimestamp = Date.now()

async function open(url: URL, hub: FleetHub): Promise<Hub> {
  const { ThingName, Secret, devices } = hub
  const messages = hubMessages(hub)
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  const parser = createParser({ protocolVersion: 4 })
  let index = 0
  const opened: Hub = {
    socket,
    topic: messages.readings([]).topic,
    next() {
      const PeripheralUID = devices[index++ % devices.length]?.PeripheralUID
      // Every reading of a meter is later and higher than the previous one.
      const Timestamp = (lastTimestamp = Math.max(lastTimestamp + (index % 50 ? 0 : 1), Date.now()))
      const AccumulatePower = Math.round(1e5 + index) / 1e4
      return messages.readings([
        {
          PeripheralUID,
          Timestamp,
          AccumulatePower,
          Power: 812.5,
          AvgElectricCurrent: 3.71,
          Voltage: 219.8,
          PowerFactor: 0.96,
        },
      ]).payload
    },
    acknowledged: () => {},
  }
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`${ThingName} was disconnected`)))
    socket.on('data', (data) => parser.parse(data))
    parser.on('packet', (packet) => {
      if (packet.cmd === 'connack') resolve()
      else if (packet.cmd === 'puback') opened.acknowledged()
    })
    socket.write(
      generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: ThingName,
        keepalive: 600,
        username: ThingName,
        password: Buffer.from(Secret),
      }),
    )
  })
  return opened
}

async function run(readings: number, window: number): Promise<Answer> {
  const started = performance.now()
  await new Promise<void>((resolve) => {
    let sent = 0
    let acknowledged = 0
    for (const hub of hubs) {
      let id = 0
      const send = () => {
        if (sent >= readings) return
        sent++
        id = (id % 65_535) + 1
        const { topic } = hub
        hub.socket.write(
          generate({
            cmd: 'publish',
            topic,
            payload: hub.next(),
            qos: 1,
            messageId: id,
            retain: false,
            dup: false,
          }),
        )
      }
      hub.acknowledged = () => {
        if (++acknowledged === readings) resolve()
        send()
      }
      for (let i = 0; i < window; i++) send()
    }
  })
  return { rate: readings / ((performance.now() - started) / 1000) }
}

serveParent({}, async (question: Question) => {
  if ('readings' in question) return run(question.readings, question.window)
  const url = new URL(question.connect)
  hubs = []
  for (const hub of question.hubs) hubs.push(await open(url, hub))
  return {}
})
