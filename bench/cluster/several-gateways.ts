import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { controlRequest, controlResponse, statusChange } from '../../contract/devices/channels/control.ts'
import { createNatsTransport } from '../../gateway/bus/nats.ts'
import type { FleetHub } from '../../simulator/building/building.ts'
import { connectHubs } from '../../tests/cluster/hubs.ts'
import { choosePorts, startBalancer } from '../../tests/cluster/servers/balancer.ts'
import type { GatewayServer } from '../../tests/cluster/servers/gateways.ts'
import { until } from '../../tests/cluster/servers/program.ts'
import { timed } from '../command.ts'
import { type Child, startChild } from '../support/child.ts'
import { atEnd } from '../support/clean-up.ts'
import { pidOf, startServers, underTest } from './servers.ts'
import { makeDevices, makeHome, type Owner, portions, screenLogin, signUpOwner } from '../support/company.ts'
import { connectInstantHub } from '../support/instant-hub.ts'
import type { Figure, Measure, Options } from '../support/measurement.ts'
import { counterOf } from '../support/metrics.ts'
import { cpuOf } from '../support/process-figures.ts'
import type { Answer, Question } from '../support/publishers.ts'
import type { Question as ScreensQuestion } from '../support/screens.ts'
import { alternate, median, percentile } from '../support/statistics.ts'

export const name = 'cluster'
export const bar =
  'several gateways: CPU per reading with a bus at most 1.03 x without, watched elsewhere 1.5 x, at two gateways 1.05 x; a command ' +
  'by the bus 1.5 x; nobody within 10 ms; kill -9 and all its hubs are served within 5 s'

const SOME_HUBS = 300
/** Maximum number of readings of one hub in flight. */
const WINDOW = 1
const QUIET = { info() {}, warn() {} }

export const parts: Readonly<Record<string, Measure>> = { readings, commands, killed }

/** Waits until each gateway knows the others. */
async function meet(gateways: readonly GatewayServer[]): Promise<void> {
  await Promise.all(gateways.map(({ comeUp: startGateways }) => startGateways()))
  for (const { url } of gateways)
    await until(
      'gateways know each other',
      async () => (await counterOf(url, 'gateways')) === gateways.length,
    )
}

/** Creates homes of thirty hubs with a meter each. */
async function makeHubs(gateway: GatewayServer, owner: Owner, prefix: string, count: number) {
  const meters = makeDevices(prefix, count, ['528'])
  const homes = []
  for (const [i, hubMeters] of portions(meters, 30).entries())
    homes.push(await makeHome(underTest(gateway), owner, `${prefix} ${i}`, portions(hubMeters, 1)))
  return { homeIds: homes.map(({ HomeID }) => HomeID), hubs: homes.flatMap(({ hubs }) => hubs) }
}

async function publishers(gateway: GatewayServer, hubs: FleetHub[]): Promise<Child<object>> {
  const child = await startChild<object>('publishers.ts')
  await child.request({ connect: underTest(gateway).mqttUrl, hubs } satisfies Question)
  return child
}

const publish = (child: Child<object>, count: number): Promise<Answer> =>
  child.request<Answer>({ readings: count, window: WINDOW } satisfies Question)

/** CPU time of gateways per reading while hubs publish. */
async function cpuPerReading(
  gateways: readonly GatewayServer[],
  readings: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const cpu = () => gateways.reduce((sum, gateway) => sum + cpuOf(pidOf(gateway)), 0)
  const before = cpu()
  await work()
  return (cpu() - before) / readings
}

/** Mean number of readings in one batch: with half of the hubs, fewer arrive together. */
async function readingsPerBatch(
  gateways: readonly GatewayServer[],
  readings: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const count = async () => {
    const each = await Promise.all(gateways.map(({ url }) => counterOf(url, 'ingest_batch_seconds_count')))
    return each.reduce((sum, one) => sum + one, 0)
  }
  const before = await count()
  await work()
  return readings / ((await count()) - before)
}

async function readings({ quick }: Options): Promise<Figure[]> {
  const servers = await startServers()
  const databaseUrl = await servers.database('several')
  const single = await servers.gateway('alone', await servers.database('alone'), { bus: false })
  const one = await servers.gateway('one', databaseUrl)
  const two = await servers.gateway('two', databaseUrl)
  await single.comeUp()
  await meet([one, two])
  const ownerOfSingle = await signUpOwner(single.url)
  const owner = await signUpOwner(one.url)
  const atSingle = await makeHubs(single, ownerOfSingle, 'alone', SOME_HUBS)
  const atOne = await makeHubs(one, owner, 'one', SOME_HUBS)
  const split = await makeHubs(one, owner, 'split', SOME_HUBS)
  const half = SOME_HUBS / 2
  const toSingle = await publishers(single, atSingle.hubs)
  const toOne = await publishers(one, atOne.hubs)
  const halves = [
    await publishers(one, split.hubs.slice(0, half)),
    await publishers(two, split.hubs.slice(half)),
  ]

  const count = quick ? 6_000 : 30_000
  const rounds = quick ? 3 : 9
  const measureSingle = () => cpuPerReading([single], count, () => publish(toSingle, count))
  const withBus = () => cpuPerReading([one], count, () => publish(toOne, count))
  const unwatched = await alternate(rounds, withBus, measureSingle)
  const inHalves = () => Promise.all(halves.map((child) => publish(child, count / 2)))
  const atBoth = await alternate(
    rounds,
    () => cpuPerReading([one, two], count, inHalves),
    () => cpuPerReading([one, two], count, () => publish(toOne, count)),
  )
  const batches = {
    a: await readingsPerBatch([one, two], count, inHalves),
    b: await readingsPerBatch([one], count, () => publish(toOne, count)),
  }
  // A user at the other gateway views every home.
  const screens = await startChild<object>('screens.ts')
  const topics = atOne.homeIds.map((homeId) => statusChange.topic({ rootId: owner.rootId, homeId }))
  const login = await screenLogin({ url: two.url } as never, owner)
  await screens.request({ connect: [{ ...login, topics }] } satisfies ScreensQuestion)
  const watched = await alternate(rounds, withBus, measureSingle)
  return [
    {
      what: 'CPU per reading with a bus, nobody watches',
      value: unwatched.a,
      unit: 'µs',
      reference: { what: 'without a bus', value: unwatched.b },
      bar: { of: 'ratio', max: 1.03 },
    },
    {
      what: 'CPU per reading at two gateways together',
      value: atBoth.a,
      unit: 'µs',
      reference: { what: 'at one of two', value: atBoth.b },
      bar: { of: 'ratio', max: 1.05 },
      note: `${Math.round(batches.a)} readings in a batch, at one of two ${Math.round(batches.b)}`,
    },
    {
      what: 'CPU per reading watched at another gateway',
      value: watched.a,
      unit: 'µs',
      reference: { what: 'unwatched, without a bus', value: watched.b },
      bar: { of: 'ratio', max: 1.5 },
    },
  ]
}

/** Commands of a user at one gateway, to lamps at that and at another one, and while a gateway is down. */
async function commands({ quick }: Options): Promise<Figure[]> {
  const servers = await startServers()
  const databaseUrl = await servers.database('several')
  const [one, two] = [await servers.gateway('one', databaseUrl), await servers.gateway('two', databaseUrl)]
  await meet([one, two])
  const owner = await signUpOwner(one.url)
  const lamps = [makeDevices('here', 1, ['516']), makeDevices('there', 1, ['516'])]
  const { HomeID, hubs } = await makeHome(underTest(one), owner, 'home', lamps)
  const [here, there] = hubs as [FleetHub, FleetHub]
  await connectInstantHub(underTest(one), here)
  await connectInstantHub(underTest(two), there)
  const place = { rootId: owner.rootId, homeId: HomeID }
  const { url, ...login } = await screenLogin({ url: one.url } as never, owner)
  const screen = await connectAsync(url, { ...login, protocolVersion: 4 })
  atEnd(() => void screen.end(true))
  await screen.subscribeAsync(controlResponse.topic(place))
  let on = 0
  const command = (hub: FleetHub) => {
    const PeripheralUID = hub.devices[0]?.PeripheralUID
    const request = { RequestID: randomUUID(), PeripheralUID, Values: { Switch: (on = 1 - on) } }
    return timed(screen, controlRequest.topic(place), request, (answer) => answer['State'] === 'confirmed')
  }
  const times: { here: number[]; there: number[] } = { here: [], there: [] }
  const count = quick ? 100 : 500
  for (let i = -50; i < count; i++) {
    const [near, far] = [await command(here), await command(there)]
    // The first ones warm up.
    if (i < 0) continue
    times.here.push(near)
    times.there.push(far)
  }
  const withoutSubscriber = await timesWithoutSubscriber(servers.nats.url, count)
  return [
    {
      what: 'command to confirmed by the bus, median',
      value: median(times.there),
      unit: 'ms',
      reference: { what: 'at one gateway', value: median(times.here) },
      bar: { of: 'ratio', max: 1.5 },
      note: `99th percentile ${percentile(times.there, 0.99).toFixed(1)} ms, at one gateway ${percentile(times.here, 0.99).toFixed(1)} ms`,
    },
    {
      what: 'to hear that a gateway is not there, 99th percentile',
      value: percentile(withoutSubscriber, 0.99),
      unit: 'ms',
      bar: { of: 'value', max: 10 },
      note: `median ${median(withoutSubscriber).toFixed(2)} ms`,
    },
  ]
}

async function timesWithoutSubscriber(url: string, count: number): Promise<number[]> {
  const transport = createNatsTransport({ url, inbox: 'bd.bench.reply', name: 'bench', log: QUIET })
  await transport.start({ onMessage: () => {}, onStateChange: () => {} })
  await until('the bus is up', () => transport.isUp())
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    const answer = await transport.request('bd.bench.gw.nobody', Buffer.from('?'), 1_000)
    if (answer !== 'nobody') throw new Error(`Asked nobody and heard ${String(answer)}`)
    times.push(performance.now() - started)
  }
  await transport.close()
  return times
}

/** One of three gateways is killed with its third of all hubs, which reconnect after a pause of about a second. */
async function killed({ quick }: Options): Promise<Figure[]> {
  const count = quick ? 300 : 1_500
  const servers = await startServers()
  const databaseUrl = await servers.database('several')
  const ports = await choosePorts()
  const pagesUrl = `http://127.0.0.1:${ports.pages}`
  const gateways = []
  for (const which of ['one', 'two', 'three'])
    gateways.push(await servers.gateway(which, databaseUrl, { proxies: '127.0.0.1', pagesUrl }))
  await meet(gateways)
  const balancer = await startBalancer(join(servers.directory, 'balancer'), gateways, ports)
  await until('the balancer has gateways', () =>
    fetch(`${pagesUrl}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const owner = await signUpOwner(pagesUrl)
  const ids = []
  for (const [i, devices] of portions(makeDevices('meter', count, ['528']), 30).entries())
    ids.push(await makeHome({ mqttUrl: balancer.hubsUrl }, owner, `home ${i}`, portions(devices, 1)))
  const hubs = connectHubs(
    balancer.hubsUrl,
    ids.flatMap((home) => home.hubs),
  )
  atEnd(() => hubs.stop())
  await until('all hubs are online', () => hubs.online() === count, 120_000)
  hubs.read(200)
  const victim = gateways[1] as GatewayServer
  const there = await counterOf(victim.url, 'hub_connections')
  const started = performance.now()
  await victim.program.end('SIGKILL')
  await until('its hubs are cut off', () => hubs.online() < count)
  await until('all hubs are online again', () => hubs.online() === count)
  const elapsedMs = performance.now() - started
  return [
    {
      what: 'kill -9 of one of three gateways, until all its hubs are served',
      value: elapsedMs / 1_000,
      unit: 's',
      bar: { of: 'value', max: 5 },
      note: `${there} of ${count} hubs; half of them after ${Math.round(percentile(hubs.ledger.returns, 0.5))} ms`,
    },
  ]
}
