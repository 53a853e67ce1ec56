import { type MqttClient, connect } from 'mqtt'
import { setTimeout as sleep } from 'node:timers/promises'
import { channels } from '../contract/index.ts'
import { session } from '../contract/people/session-calls.ts'
import type { FleetHub } from '../simulator/building/building.ts'
import { atEnd } from './support/clean-up.ts'
import { makeHome, signUpOwner } from './support/company.ts'
import { ensureBuilt, type GatewayUnderTest, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { percentile } from './support/statistics.ts'

export const name = 'malformed'
export const bar =
  '/health/live while 20 requests or messages of 1 MB of `[` a second arrive: p99 below 100 ms'

const PER_SECOND = 20
const PROBE_EVERY_MS = 20
const BODY = Buffer.alloc(1_000_000, '[')

type Send = () => Promise<unknown>

/** Response times of /health/live in ms while `send` is called 20 times a second. */
async function probe({ url }: GatewayUnderTest, seconds: number, send: Send | undefined): Promise<number[]> {
  const end = performance.now() + seconds * 1_000
  const times: number[] = []
  const pending = new Set<Promise<unknown>>()
  const flood = async () => {
    if (!send) return
    for (let next = performance.now(); next < end; next += 1_000 / PER_SECOND) {
      await sleep(Math.max(0, next - performance.now()))
      // Connections that the gateway closes are part of the measurement.
      const sent = send().catch(() => undefined)
      pending.add(sent)
      void sent.finally(() => pending.delete(sent))
    }
  }
  const look = async () => {
    for (let next = performance.now(); next < end; next += PROBE_EVERY_MS) {
      await sleep(Math.max(0, next - performance.now()))
      const startedAt = performance.now()
      await (await fetch(`${url}/health/live`)).text()
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all([flood(), look()])
  await Promise.race([Promise.all(pending), sleep(2_000)])
  return times
}

const post = (url: string, token?: string) => async () => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: BODY,
  })
  await answer.arrayBuffer()
}

/** Publishes as a hub, which reconnects whenever the gateway has closed its connection. */
function publishAs(mqttUrl: string, { rootId, HomeID, ThingName, Secret }: FleetHub): Send {
  const topic = channels.statusReport.topic({ rootId, homeId: HomeID })
  let client: MqttClient | undefined
  atEnd(() => void client?.end(true))
  return async () => {
    if (!client || client.disconnected) {
      client?.end(true)
      client = connect(mqttUrl, {
        protocolVersion: 4,
        clientId: ThingName,
        username: ThingName,
        password: Secret,
        reconnectPeriod: 0,
      })
      client.on('error', () => {})
    }
    await client.publishAsync(topic, BODY, { qos: 1 })
  }
}

export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const { hubs } = await makeHome(gateway, owner, 'home', [[]])
  const seconds = quick ? 5 : 15
  const url = gateway.url + session.listPermissions.path
  const baseline = percentile(await probe(gateway, seconds, undefined), 0.99)
  const figures: Figure[] = []
  for (const [what, send] of [
    ['requests without a token', post(url)],
    ['requests to an address that does not exist', post(`${gateway.url}/Nothing`)],
    ['requests of one person', post(url, owner.token)],
    ['messages of one hub', publishAs(gateway.mqttUrl, hubs[0] as FleetHub)],
  ] as const) {
    const times = await probe(gateway, seconds, send)
    figures.push({
      what: `/health/live, p99, 20 malformed ${what} a second`,
      value: percentile(times, 0.99),
      unit: 'ms',
      reference: { what: 'at rest', value: baseline },
      bar: { of: 'value', max: 100 },
      note: `${times.length} probes, longest ${Math.round(percentile(times, 1))} ms`,
    })
  }
  return figures
}
