import { randomUUID } from 'node:crypto'
import { connectAsync, type MqttClient } from 'mqtt'
import { controlCommand, controlRequest, controlResponse } from '../contract/devices/channels/control.ts'
import { hubMessages } from '../device-link/hub-messages.ts'
import { startChild } from './support/child.ts'
import { makeDevices, makeHome, screenLogin, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { median, percentile } from './support/statistics.ts'

export const name = 'command'
export const bar = 'command to confirmed, instant device: p50 under 30 ms'

const TIMEOUT_MS = 10_000

/**
 * A screen sends a command over WebSocket; its hub acknowledges and reports the new state immediately; measures until the
 * screen receives `confirmed`. The reference is a broker alone that passes a message to a second client and its answer back.
 */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const { HomeID, hubs } = await makeHome(gateway, owner, 'home', [makeDevices('light', 1, ['516'])])
  const [hub] = hubs
  const light = hub?.devices[0]
  if (!hub || !light) throw new Error('There is no light')
  const place = { rootId: owner.rootId, homeId: HomeID }
  const messages = hubMessages(hub)

  const { url, ...login } = await screenLogin(gateway, owner)
  const screen = await connectAsync(url, { ...login, protocolVersion: 4 })
  await screen.subscribeAsync(controlResponse.topic(place))
  const device = await connectAsync(gateway.mqttUrl, {
    protocolVersion: 4,
    clientId: hub.ThingName,
    username: hub.ThingName,
    password: hub.Secret,
  })
  await device.publishAsync(messages.info(true, Date.now()).topic, messages.info(true, Date.now()).payload, {
    qos: 1,
  })
  const { PeripheralUID } = light
  device.on('message', (_topic, payload) => {
    const { RequestID, Values } = controlCommand.payload.parse(JSON.parse(payload.toString()))
    const ack = messages.ack({ RequestID, PeripheralUID, Result: 'ok' })
    const report = messages.status(Date.now(), [{ PeripheralUID, ...Values }])
    for (const { topic, payload } of [ack, report]) device.publish(topic, payload, { qos: 1 })
  })
  await device.subscribeAsync(controlCommand.topic({ ...place, thingName: hub.ThingName }), { qos: 1 })

  const bare = await startChild<{ mqttUrl: string; screenUrl: string }>('bare-broker.ts')
  const client = await connectAsync(bare.ready.screenUrl, { protocolVersion: 4 })
  const echo = await connectAsync(bare.ready.mqttUrl, { protocolVersion: 4 })
  echo.on('message', (_topic, payload) => echo.publish('answer', payload, { qos: 1 }))
  await echo.subscribeAsync('question', { qos: 1 })
  await client.subscribeAsync('answer', { qos: 1 })

  let on = 0
  const command = () => {
    const request = { RequestID: randomUUID(), PeripheralUID, Values: { Switch: (on = 1 - on) } }
    return timed(screen, controlRequest.topic(place), request, (answer) => answer['State'] === 'confirmed')
  }
  const question = () => timed(client, 'question', { RequestID: randomUUID() }, () => true)

  const times: { command: number[]; echo: number[] } = { command: [], echo: [] }
  const count = quick ? 100 : 500
  for (let i = -50; i < count; i++) {
    const [one, other] = [await command(), await question()]
    // The first ones warm up.
    if (i < 0) continue
    times.command.push(one)
    times.echo.push(other)
  }
  await Promise.all([screen, device, client, echo].map((client) => client.endAsync(true)))
  return [
    {
      what: 'command to confirmed, instant device, median',
      value: median(times.command),
      unit: 'ms',
      reference: { what: 'MQTT echo', value: median(times.echo) },
      bar: { of: 'value', max: 30 },
      note: `99th percentile ${percentile(times.command, 0.99).toFixed(1)} ms, echo ${percentile(times.echo, 0.99).toFixed(1)} ms`,
    },
  ]
}

/** Publishes a message and waits for the answer with its RequestID that `isSettled` accepts; returns the ms between. */
export function timed(
  client: MqttClient,
  topic: string,
  message: { RequestID: string },
  isSettled: (answer: Record<string, unknown>) => boolean,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`No answer on ${topic}`)), TIMEOUT_MS)
    const started = performance.now()
    const onMessage = (_topic: string, payload: Buffer) => {
      const answer = JSON.parse(payload.toString()) as Record<string, unknown>
      if (answer['RequestID'] !== message.RequestID || !isSettled(answer)) return
      clearTimeout(late)
      client.off('message', onMessage)
      resolve(performance.now() - started)
    }
    client.on('message', onMessage)
    client.publish(topic, JSON.stringify(message), { qos: 1 })
  })
}
