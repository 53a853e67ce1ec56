import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bookings } from '../../../contract/bookings/calls.ts'
import { homeTariff as homeTariffCalls } from '../../../contract/tariffs/home-tariff-calls.ts'
import { conferenceRoom } from '../../../contract/bookings/conference-room.ts'
import { home as homeResource } from '../../../contract/homes/home.ts'
import { seedAutomation } from '../../../scripts/demo-automation.ts'
import { homeTariff } from '../../support/home-tariff.ts'
import { connectApi } from '../../../scripts/api.ts'
import {
  ACCOUNTS,
  makeData,
  startDemo,
  startProduct,
  type Addresses,
  type OwnProduct,
  type Product,
} from './product.ts'

/** Resources shared by all workers of a run; each is created at the first request. */
interface Shared {
  /** Path of an empty product's data directory, to be copied. */
  data: string
  /** Product for tests that create a company of their own. */
  empty: Addresses
  /** Demo, for tests that restore its state. */
  demo: Addresses
}

/** Long enough that a user sees the requested state before the device reports it. */
const LATENCY = [300, 400] as const
/** Environment variable with the address of the shared resources. */
const VARIABLE = 'SHARED_PRODUCTS'

/** Serves shared resources to workers; returns a function that ends them. */
export async function offerShared(): Promise<() => Promise<void>> {
  const products: Promise<OwnProduct>[] = []
  const add = async (starting: Promise<OwnProduct>): Promise<Addresses> => {
    products.push(starting)
    const { url, mqttUrl, outboxUrl } = await starting
    return { url, mqttUrl, outboxUrl }
  }
  const dir = await mkdtemp(join(tmpdir(), 'product-'))
  const data = onDemand(async () => {
    await makeData(dir)
    return dir
  })
  const shared: { [K in keyof Shared]: () => Promise<Shared[K]> } = {
    data,
    empty: onDemand(async () => add(startProduct(await data()))),
    demo: onDemand(async () => add(startSharedDemo(await data()))),
  }
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1) as keyof Shared
    shared[name]().then(
      (addresses) => response.end(JSON.stringify(addresses)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.env[VARIABLE] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async () => {
    server.closeAllConnections()
    server.close()
    await Promise.all(products.map(async (starting) => (await starting).stop()))
    await rm(dir, { recursive: true, force: true })
  }
}

/** Home of the shared demo whose own rules act: motion at its docks begins a minute after the demo's start. */
export const DEMO_SITE = '台中精機園區工廠'

/** Starts the demo with a meeting room that is in use now and the rules of one home, so that its pages have content. */
async function startSharedDemo(data: string): Promise<OwnProduct> {
  const demo = await startDemo(data, { latency: LATENCY })
  const { owner } = demo
  const homes = await owner(homeResource.operations.list, {})
  const [home] = homes
  const HomeID = homes.find(({ HomeName }) => HomeName === DEMO_SITE)?.HomeID ?? ''
  // Its demand alarms use the contract capacity.
  await owner(homeTariffCalls.updateHomeTariff, {
    HomeID,
    Tariffs: [homeTariff({ Capacities: { regular: 90 } })],
  })
  await seedAutomation(owner, [DEMO_SITE])
  const { ConferenceRoomID } = await owner(conferenceRoom.operations.create, {
    ConferenceRoomName: '無障礙會議室',
    Capacity: 12,
    HomeID: home?.HomeID ?? null,
  })
  const StartTimestamp = Math.floor(Date.now() / 60_000) * 60_000
  await owner(bookings.add, {
    ConferenceRoomID,
    StartTimestamp,
    EndTimestamp: StartTimestamp + 3_600_000,
    Subject: '週會',
    Attendees: [ACCOUNTS.owner],
  })
  return demo
}

function onDemand<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => (created ??= create())
}

/** Requests a shared resource, in a worker. */
export async function shared<K extends keyof Shared>(name: K): Promise<Shared[K]> {
  const answer = await fetch(`${process.env[VARIABLE]}/${name}`)
  if (!answer.ok) throw new Error(`No ${name}: ${await answer.text()}`)
  return (await answer.json()) as Shared[K]
}

/** Requests a shared product, in a worker. */
export async function sharedProduct(name: 'empty' | 'demo'): Promise<Product> {
  const addresses = await shared(name)
  return { ...addresses, api: await connectApi(addresses.url) }
}
