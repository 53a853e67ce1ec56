import { setTimeout as sleep } from 'node:timers/promises'
import { deviceType } from '../contract/devices/kinds/registry.ts'
import { statusChange } from '../contract/devices/channels/control.ts'
import { session } from '../contract/people/session-calls.ts'
import { peripheral } from '../contract/devices/peripheral.ts'
import { home as homeResource } from '../contract/homes/home.ts'
import { openDb } from '../gateway/store/db.ts'
import { sql } from '../gateway/kernel/db.ts'
import { socketDirOf } from '../gateway/store/embedded.ts'
import type { FleetHub } from '../simulator/building/building.ts'
import { type LoadResult, runLoad } from '../simulator/load.ts'
import { startChild } from './support/child.ts'
import { makeDevices, makeHome, type Owner, portions, screenLogin, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { memoryOf } from './support/process-figures.ts'
import type { Collected, Question, ScreenLogin } from './support/screens.ts'
import { median, percentile } from './support/statistics.ts'

export const name = 'rated-load'
export const bar =
  'rated load (5,000 devices, 1,000 messages/s, 10 minutes, 50 screens), then ten times that for 1 minute: bounded memory, ' +
  'no acknowledged reading lost, POST p99 under 250 ms at rated load, back-pressure at ten times'

const HOMES = 10
const HUBS_PER_HOME = 10
const DEVICES_PER_HUB = 50
const SCREENS = 50
const RATE = 1_000
/** Pause between two calls, in ms: about twenty per second. */
const CALL_PAUSE = 50
const SAMPLE_EVERY = 1_000
/** Maximum memory of the gateway, in MB, and maximum growth factor over the rated load. */
const MAX_MEMORY = 1_024
const MAX_GROWTH = 1.25

/** Observations of the gateway during a load. */
interface Watched {
  result: LoadResult
  callTimes: number[]
  memory: number[]
}

/** Takes the figures of the 10-minute load while 50 screens are connected and one user calls continuously. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const dataDir = await temporaryDirectory()
  const gateway = await startGateway(dataDir)
  const owner = await signUpOwner(gateway.url)
  const homes: { HomeID: string; hubs: FleetHub[] }[] = []
  for (let i = 0; i < HOMES; i++) {
    const devices = makeDevices(`home${i}`, HUBS_PER_HOME * DEVICES_PER_HUB, ['514', '516', '528', '534'])
    homes.push(await makeHome(gateway, owner, `home ${i}`, portions(devices, DEVICES_PER_HUB)))
  }
  const hubs = homes.flatMap((home) => home.hubs)
  const logins: ScreenLogin[] = []
  for (let i = 0; i < SCREENS; i++) {
    const homeId = homes[i % HOMES]?.HomeID ?? ''
    const topics = [statusChange.topic({ rootId: owner.rootId, homeId })]
    logins.push({ ...(await screenLogin(gateway, owner)), topics })
  }
  const screens = await startChild<object>('screens.ts')
  await screens.request({ connect: logins } satisfies Question)

  const acknowledged: LoadResult['acknowledgedOf'][] = []
  async function load(rate: number, seconds: number): Promise<Watched> {
    const watch = { callTimes: [] as number[], memory: [] as number[], ended: false }
    const calls = callRepeatedly(owner, homes, watch)
    const samples = sampleMemory(gateway.pid, watch)
    try {
      const result = await runLoad({ url: gateway.mqttUrl, hubs, rate, seconds, timeoutSeconds: 120 })
      acknowledged.push(result.acknowledgedOf)
      return { result, ...watch }
    } finally {
      watch.ended = true
      await Promise.all([calls, samples])
    }
  }
  const rated = await load(RATE, quick ? 60 : 600)
  const { p99: ageAtScreens } = await screens.request<Collected>('collect' satisfies Question)
  const tenfold = await load(10 * RATE, quick ? 15 : 60)
  await screens.request('leave' satisfies Question)
  const lostCount = await lostReports(dataDir, hubs, acknowledged)

  const part = (from: number, to: number) =>
    median(rated.memory.slice(rated.memory.length * from, rated.memory.length * to))
  return [
    {
      what: 'POST at rated load, 99th percentile',
      value: percentile(rated.callTimes, 0.99),
      unit: 'ms',
      bar: { of: 'value', max: 250 },
      note:
        `${rated.callTimes.length} calls, median ${Math.round(median(rated.callTimes))} ms; ` +
        `${rated.result.rate} messages/s, PUBACK p99 ${rated.result.latency.p99} ms, screens p99 ${Math.round(ageAtScreens)} ms`,
    },
    {
      what: 'acknowledged reports that are not stored, both loads',
      value: lostCount,
      unit: '',
      bar: { of: 'value', max: 0 },
      note: `${rated.result.acknowledged + tenfold.result.acknowledged} acknowledged`,
    },
    {
      what: "gateway's memory, last quarter of the rated load",
      value: part(0.75, 1),
      unit: 'MB',
      reference: { what: 'second quarter', value: part(0.25, 0.5) },
      bar: { of: 'ratio', max: MAX_GROWTH },
    },
    {
      what: "gateway's memory at most, at ten times",
      value: Math.max(...tenfold.memory),
      unit: 'MB',
      bar: { of: 'value', max: MAX_MEMORY },
      note: `POST p99 ${Math.round(percentile(tenfold.callTimes, 0.99))} ms`,
    },
    {
      what: 'unacknowledged when the tenfold load had ended',
      value: rated.result.unacknowledged + tenfold.result.unacknowledged,
      unit: '',
      bar: { of: 'value', max: 0 },
      note:
        `${tenfold.result.rate} messages/s taken of ${10 * RATE} offered, ${tenfold.result.heldBack} held back; ` +
        `PUBACK p99 ${Math.round(tenfold.result.latency.p99)} ms`,
    },
  ]
}

/** One user who opens screens continuously: every call that a screen starts with, in turn. */
async function callRepeatedly(
  { call }: Owner,
  homes: readonly { HomeID: string }[],
  watch: { callTimes: number[]; ended: boolean },
): Promise<void> {
  const calls = [
    () => call(homeResource.operations.list, {}),
    () => call(session.getPersonalPermissions, {}),
    (HomeID: string) => call(peripheral.operations.list, { HomeID }),
    (HomeID: string) => call(peripheral.operations.get, { HomeID, PeripheralUID: uidIn(HomeID) }),
  ]
  const uidIn = (HomeID: string) => `home${homes.findIndex((home) => home.HomeID === HomeID)}-00000`
  for (let round = 0; !watch.ended; round++) {
    const HomeID = homes[round % homes.length]?.HomeID ?? ''
    const started = performance.now()
    await calls[round % calls.length]?.(HomeID)
    watch.callTimes.push(performance.now() - started)
    await sleep(CALL_PAUSE)
  }
}

async function sampleMemory(pid: number, watch: { memory: number[]; ended: boolean }): Promise<void> {
  while (!watch.ended) {
    watch.memory.push(memoryOf(pid))
    await sleep(SAMPLE_EVERY)
  }
}

/**
 * Compares acknowledged reports with the rows in PostgreSQL: every reading of a meter is a row, and the status of another device is
 * its last report or a later one.
 */
async function lostReports(
  dataDir: string,
  hubs: readonly FleetHub[],
  acknowledged: LoadResult['acknowledgedOf'][],
): Promise<number> {
  const silentLog = { info() {}, warn() {}, error: console.error }
  const db = openDb({ socketDir: socketDirOf(dataDir), max: 1, log: silentLog })
  try {
    const counts = await db.query<{ uid: string; count: number }>(sql`
      select peripheral_uid as uid, count(*) as count from readings join meters using (meter_id) group by 1`)
    const statuses = await db.query<{ uid: string; timestamp: number }>(sql`
      select peripheral_uid as uid, timestamp from device_status`)
    const stored = new Map(counts.map(({ uid, count }) => [uid, count]))
    const latest = new Map(statuses.map(({ uid, timestamp }) => [uid, timestamp]))
    let lostCount = 0
    for (const { PeripheralUID: uid, PeripheralType } of hubs.flatMap(({ devices }) => devices)) {
      const parts = acknowledged.flatMap((of) => of.get(uid) ?? [])
      const last = Math.max(0, ...parts.map((part) => part.last))
      if ((latest.get(uid) ?? 0) < last) lostCount++
      if (deviceType(PeripheralType)?.kind !== 'clampMeter') continue
      const count = parts.reduce((sum, part) => sum + part.count, 0)
      lostCount += Math.max(0, count - (stored.get(uid) ?? 0))
    }
    return lostCount
  } finally {
    await db.close()
  }
}
