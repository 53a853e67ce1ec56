import { setTimeout as pause } from 'node:timers/promises'
import { connectAsync } from 'mqtt'
import { startChild } from './support/child.ts'
import type { Figure, Options } from './support/measurement.ts'
import { cpuOf, memoryOf } from './support/process-figures.ts'
import { median } from './support/statistics.ts'

export const name = 'home-assistant'
export const bar =
  'bridge hub, 1,000 devices at 200 messages/s: CPU at most 2 x an MQTT client that only parses'

const DEVICES = 1_000
/** Messages per second over all devices. */
const RATE = 200
/** Interval in ms between batches of messages, which approximates independent devices. */
const BEAT = 10

interface BridgeStats {
  messages: number
  peripherals: number
  problems: object
  gateway: { acknowledged: number }
}

/**
 * A thousand metered plugs of Zigbee2MQTT publish in turn; the bridge and a client that only parses receive the same
 * messages from the same broker at the same time. Every message changes a state, so the bridge reports every one.
 */
export async function measure({ quick }: Options): Promise<Figure[]> {
  const broker = await startChild<{ mqttUrl: string }>('bare-broker.ts')
  const gateway = await startChild<{ mqttUrl: string }>('bare-broker.ts')
  const devices = await connectAsync(broker.ready.mqttUrl, { protocolVersion: 4 })
  const list = Array.from({ length: DEVICES }, (_, i) => plug(i))
  await devices.publishAsync('zigbee2mqtt/bridge/devices', JSON.stringify(list), { qos: 1, retain: true })
  const bridge = await startChild<object>('bridge.ts', broker.ready.mqttUrl, gateway.ready.mqttUrl)
  const parser = await startChild<object>(
    'parser.ts',
    broker.ready.mqttUrl,
    'zigbee2mqtt/+',
    'zigbee2mqtt/bridge/devices',
  )
  const stats = () => bridge.request<BridgeStats>({})
  for (let attempts = 0; (await stats()).peripherals < DEVICES; attempts++) {
    if (attempts > 100)
      throw new Error(`The bridge made ${(await stats()).peripherals} of ${DEVICES} devices`)
    await pause(100)
  }

  let next = 0
  async function speak(seconds: number): Promise<void> {
    const started = performance.now()
    for (let sent = 0; sent < RATE * seconds;) {
      const due = Math.min(RATE * seconds, ((performance.now() - started) / 1000) * RATE)
      for (; sent < due; sent++) {
        const device = next++ % DEVICES
        devices.publish(`zigbee2mqtt/plug-${device}`, JSON.stringify(state(device, next)), { qos: 0 })
      }
      await pause(BEAT)
    }
  }

  const seconds = quick ? 5 : 10
  const seen: { bridge: number[]; parser: number[] } = { bridge: [], parser: [] }
  const before = await stats()
  await speak(seconds)
  for (let round = 0; round < (quick ? 3 : 9); round++) {
    const start = { bridge: cpuOf(bridge.pid), parser: cpuOf(parser.pid) }
    await speak(seconds)
    seen.bridge.push((cpuOf(bridge.pid) - start.bridge) / (RATE * seconds))
    seen.parser.push((cpuOf(parser.pid) - start.parser) / (RATE * seconds))
  }
  const after = await stats()
  await devices.endAsync(true)
  return [
    {
      what: 'CPU per message in the bridge hub, 1,000 devices at 200/s',
      value: median(seen.bridge),
      unit: 'µs',
      reference: { what: 'a client that only parses', value: median(seen.parser) },
      bar: { of: 'ratio', max: 2 },
      note:
        `${after.messages - before.messages} messages became ${after.gateway.acknowledged - before.gateway.acknowledged} ` +
        `reports; ${Math.round(memoryOf(bridge.pid))} MB`,
    },
  ]
}

/** A metered plug as Zigbee2MQTT lists it. */
function plug(i: number): object {
  const numeric = (property: string, unit: string) => ({
    type: 'numeric',
    name: property,
    label: property,
    property,
    access: 5,
    unit,
  })
  const state = { name: 'state', label: 'State', property: 'state', type: 'binary', access: 7 }
  return {
    ieee_address: `0x${(0x00124b0000000000n + BigInt(i)).toString(16).padStart(16, '0')}`,
    type: 'Router',
    friendly_name: `plug-${i}`,
    power_source: 'Mains (single phase)',
    interview_completed: true,
    definition: {
      vendor: 'Maker',
      model: 'PLUG-1',
      description: 'Smart plug with power monitoring',
      exposes: [
        { type: 'switch', features: [{ ...state, value_on: 'ON', value_off: 'OFF' }] },
        numeric('power', 'W'),
        numeric('current', 'A'),
        numeric('voltage', 'V'),
        numeric('energy', 'kWh'),
        { ...numeric('linkquality', 'lqi'), category: 'diagnostic' },
      ],
    },
  }
}

/** Payload of a plug: its load is never the same twice. */
const state = (i: number, n: number) => ({
  child_lock: 'UNLOCK',
  countdown: 0,
  current: Math.round(1 + (n % 900)) / 100,
  energy: 100 + n / 1000,
  indicator_mode: 'off/on',
  linkquality: 60 + (i % 100),
  power: 20 + (n % 2000),
  power_outage_memory: 'restore',
  state: 'ON',
  update: { installed_version: 192, latest_version: 192, state: 'idle' },
  voltage: 218 + (n % 6),
})
